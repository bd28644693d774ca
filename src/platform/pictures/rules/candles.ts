import type { CandlesPicture, ChartCandle } from '../../ports/charts.ts';
import { compactLabel, priceLabel, timeLabel } from './labels.ts';
import { createScale, type Scale, timeTicks, valueTicks } from './scale.ts';

/** The most buckets that are drawn: a bar keeps at least six pixels. */
export const MOST_CANDLES = 120;

/** The places of the parts, in pixels of 1280 × 800. */
export const PLOT = {
  left: 24,
  right: 1_105,
  top: 110,
  bottom: 600,
  volumeTop: 620,
  volumeBottom: 740,
  labels: 770,
};

export type CandleShape = {
  readonly x: number;
  readonly width: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  readonly volumeTop: number;
  readonly up: boolean;
};

export type CandleLayout = {
  readonly axis: Scale['kind'];
  readonly candles: readonly CandleShape[];
  readonly prices: readonly { readonly y: number; readonly text: string }[];
  readonly times: readonly { readonly x: number; readonly text: string }[];
  readonly last: { readonly y: number; readonly text: string; readonly up: boolean };
  readonly marks: readonly { readonly x: number; readonly y: number; readonly side: 'buy' | 'sell' }[];
  readonly lines: readonly {
    readonly y: number;
    readonly label: string;
    readonly kind: 'entry' | 'order';
  }[];
  readonly mostVolume: string;
};

const BODY = 0.7;
const MOST_TICKS = 6;
/** A line farther off than the shown span would press the candles flat: it is named at the edge instead of drawn. */
const FARTHEST_LINE = 1.5;

/** Lays the newest 120 buckets out. Throws a RangeError without a bar. */
export function layoutCandles(picture: CandlesPicture): CandleLayout {
  const newest = picture.candles.at(-1);
  if (newest === undefined) throw new RangeError('a chart needs at least one bar');
  const from = newest.t - (MOST_CANDLES - 1) * picture.step;
  const shown = picture.candles.filter((candle) => candle.t >= from);
  const oldest = shown[0]?.t ?? newest.t;
  // Few bars are drawn at the right at their full width, they are not blown up.
  const first = Math.min(oldest, newest.t - 39 * picture.step);
  const buckets = (newest.t - first) / picture.step + 1;
  const step = (PLOT.right - PLOT.left) / buckets;
  const xOf = (t: number): number => PLOT.left + ((t - first) / picture.step) * step;

  const near = nearLines(picture, shown);
  const scale = createScale(
    Math.min(...shown.map(({ low }) => low), ...near.map(({ price }) => price)),
    Math.max(...shown.map(({ high }) => high), ...near.map(({ price }) => price)),
    PLOT.top,
    PLOT.bottom,
  );
  const mostVolume = Math.max(...shown.map(({ volume }) => volume));
  const until = newest.t + picture.step;
  const times = timeTicks(first, until, MOST_TICKS);
  return {
    axis: scale.kind,
    candles: shown.map((candle) => shapeOf(candle, xOf(candle.t), step, scale, mostVolume)),
    prices: valueTicks(scale, MOST_TICKS).map((value) => ({
      y: scale.at(value),
      text: priceLabel(picture.look.marks, value),
    })),
    times: times.at.map((at) => ({ x: xOf(at), text: timeLabel(at, times.spacing) })),
    last: {
      y: scale.at(newest.close),
      text: priceLabel(picture.look.marks, newest.close),
      up: newest.close >= newest.open,
    },
    marks: picture.trades
      .filter(({ t }) => t >= first && t < until)
      .map(({ t, price, side }) => ({
        x: xOf(Math.floor(t / picture.step) * picture.step) + step / 2,
        y: clamp(scale.at(price)),
        side,
      })),
    lines: near.map(({ price, label, kind }) => ({ y: scale.at(price), label, kind })),
    mostVolume: compactLabel(picture.look.marks, mostVolume),
  };
}

function shapeOf(
  candle: ChartCandle,
  x: number,
  step: number,
  scale: Scale,
  mostVolume: number,
): CandleShape {
  const part = mostVolume > 0 ? candle.volume / mostVolume : 0;
  return {
    x: x + (step * (1 - BODY)) / 2,
    width: step * BODY,
    open: scale.at(candle.open),
    close: scale.at(candle.close),
    high: scale.at(candle.high),
    low: scale.at(candle.low),
    volumeTop: PLOT.volumeBottom - part * (PLOT.volumeBottom - PLOT.volumeTop),
    up: candle.close >= candle.open,
  };
}

function nearLines(picture: CandlesPicture, shown: readonly ChartCandle[]): CandlesPicture['lines'] {
  const low = Math.min(...shown.map((candle) => candle.low));
  const high = Math.max(...shown.map((candle) => candle.high));
  return picture.lines.filter(
    ({ price }) => price > 0 && price <= high * FARTHEST_LINE && price >= low / FARTHEST_LINE,
  );
}

const clamp = (y: number): number => Math.min(PLOT.bottom, Math.max(PLOT.top, y));
