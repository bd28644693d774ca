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

const NAMES = ['soft', 'line', 'up', 'down'];
/** By name, as they are seen just now. */
let colours = {};

/**
 * Charts take colours that they can mix. A custom property is given as it was written, with its light and its dark colour; an element
 * that wears it tells the one that is seen.
 */
function readColours() {
  const probe = document.createElement('i');
  document.body.append(probe);
  colours = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
}

/** `rgb(0, 114, 178)` → a third of it, over whatever is behind. */
const thin = (color) => color.replace('rgb(', 'rgba(').replace(')', ', 0.33)');

function look() {
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: colours.soft,
      fontFamily: 'system-ui, sans-serif',
      fontSize: 12,
      // It would add a style of its own, which the policy of this page refuses; the notice stands below as text.
      attributionLogo: false,
    },
    grid: { vertLines: { color: colours.line }, horzLines: { color: colours.line } },
    rightPriceScale: { borderColor: colours.line },
    timeScale: { borderColor: colours.line, timeVisible: true, secondsVisible: false },
    crosshair: { mode: CrosshairMode.Normal },
    autoSize: true,
  };
}

const candleLook = () => ({
  upColor: 'transparent',
  borderUpColor: colours.up,
  wickUpColor: colours.up,
  downColor: colours.down,
  borderDownColor: colours.down,
  wickDownColor: colours.down,
});

const volumeOf = ({ time, open, close, volume }) => ({
  time,
  value: volume,
  color: thin(close >= open ? colours.up : colours.down),
});

function show(place) {
  const { symbol, digits } = place.dataset;
  let ahead = 0;
  const client = createUdfClient({ url: '/v1/trade-history/tv', now: () => Date.now() + ahead });
  place.replaceChildren();
  readColours();
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
      price.applyOptions({ price: last.close, color: last.close >= last.open ? colours.up : colours.down });
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
    readColours();
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
