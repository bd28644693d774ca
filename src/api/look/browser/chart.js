// Candles of a page's chart: bars from the datafeed of this host, drawn by lightweight-charts, which is served from its package.

import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  LineStyle,
} from './lightweight-charts.js';
import { createUdfClient } from './udf-client.js';

const COUNT = 300;
const place = document.getElementById('chart');

/** Charts take colours they can mix, which a custom property gives as it was written. */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function look() {
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: colour('soft'),
      fontFamily: 'system-ui, sans-serif',
      fontSize: 12,
      // It would add a style of its own, which the policy of this page refuses; the notice stands below as text.
      attributionLogo: false,
    },
    grid: { vertLines: { color: colour('line') }, horzLines: { color: colour('line') } },
    rightPriceScale: { borderColor: colour('line') },
    timeScale: { borderColor: colour('line'), timeVisible: true, secondsVisible: false },
    crosshair: { mode: CrosshairMode.Normal },
    autoSize: true,
  };
}

const candleLook = () => ({
  upColor: 'transparent',
  borderUpColor: colour('up'),
  wickUpColor: colour('up'),
  downColor: colour('down'),
  borderDownColor: colour('down'),
  wickDownColor: colour('down'),
});

const volumeOf = ({ time, open, close, volume }) => ({
  time,
  value: volume,
  color: `${colour(close >= open ? 'up' : 'down')}55`,
});

function show(place) {
  const { symbol, digits } = place.dataset;
  let ahead = 0;
  const client = createUdfClient({ url: '/v1/trade-history/tv', now: () => Date.now() + ahead });
  place.replaceChildren();
  const chart = createChart(place, look());
  const precision = Number(digits);
  const priceFormat = { type: 'price', precision, minMove: 10 ** -precision };
  // The library paints its own label in the colour of the bar, which a hollow bar has none of.
  const bare = { lastValueVisible: false, priceLineVisible: false };
  const candles = chart.addSeries(CandlestickSeries, { ...candleLook(), priceFormat, ...bare });
  const price = candles.createPriceLine({
    price: 0,
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
    axisLabelVisible: true,
  });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    ...bare,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
  const legend = document.getElementById('legend');
  const say = (bar) => {
    if (legend === null || bar === undefined) return;
    const at = new Date(bar.time * 1_000).toISOString().slice(0, 16).replace('T', ' ');
    const text = (value) => value.toFixed(precision);
    legend.textContent = `${at} UTC · open ${text(bar.open)} · high ${text(bar.high)} · low ${text(bar.low)} · close ${text(bar.close)}`;
  };

  let resolution = place.dataset.resolution;
  let known = [];
  /** What stands in the picture, said beside it too; its colours are those of the moment. */
  const tell = () => {
    const last = known.at(-1);
    if (last !== undefined)
      price.applyOptions({ price: last.close, color: colour(last.close >= last.open ? 'up' : 'down') });
    place.dataset.last = String(last?.close ?? '');
    place.dataset.bars = String(known.length);
    say(last);
  };
  const draw = () => {
    candles.setData(known);
    volumes.setData(known.map(volumeOf));
    tell();
  };
  const load = async () => {
    const wanted = resolution;
    const bars = await client.newest({ symbol, resolution: wanted, count: COUNT });
    if (wanted !== resolution) return;
    known = bars;
    draw();
    chart.timeScale().resetTimeScale();
    if (known.length < 60) chart.timeScale().fitContent();
  };
  const follow = async () => {
    const wanted = resolution;
    const last = known.at(-1);
    if (last === undefined) return load();
    const bars = await client.since({ symbol, resolution: wanted, time: last.time });
    if (wanted !== resolution) return;
    for (const bar of bars) {
      if (bar.time < last.time) continue;
      candles.update(bar);
      volumes.update(volumeOf(bar));
      known = [...known.filter(({ time }) => time < bar.time), bar];
    }
    tell();
  };
  const quietly = (work) => work().catch(() => undefined);

  chart.subscribeCrosshairMove(({ time }) => say(known.find((bar) => bar.time === time) ?? known.at(-1)));
  const buttons = [...document.querySelectorAll('[data-pick]')];
  for (const button of buttons)
    button.addEventListener('click', () => {
      resolution = button.dataset.pick;
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
      quietly(load);
    });
  addEventListener('fresh', () => quietly(follow));
  addEventListener('theme', () => {
    chart.applyOptions(look());
    candles.applyOptions(candleLook());
    draw();
  });
  quietly(async () => {
    ahead = (await client.time().catch(() => Date.now() / 1_000)) * 1_000 - Date.now();
    await load();
  });
}

if (place !== null) show(place);
