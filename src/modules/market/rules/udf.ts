import { type Candle, type DecimalText, RESOLUTIONS, type Resolution } from '@tradepost/tape';
import type { Market } from './market.ts';

/** Records of the charting datafeed ("UDF"): bars over plain HTTP, as charting libraries ask for them. */

/** At least so many digits of a price are drawn. */
const SIGNIFICANT = 5;
const MAX_SCALE = 16;
const MIN_SCALE = 2;
const MAX_VOLUME_DIGITS = 8;
/** A double holds so many decimal digits. */
const DOUBLE_DIGITS = 15;

/** The features of the datafeed. */
export const UDF_CONFIG = {
  supported_resolutions: [...RESOLUTIONS],
  supports_group_request: false,
  supports_marks: false,
  supports_search: true,
  supports_timescale_marks: false,
  supports_time: true,
  exchanges: [],
  symbols_types: [],
} as const;

/** How a chart shall draw a market. `ticker` is the key of requests for bars: the name, where it means this market. */
export function symbolInfo(market: Market, lastPrice: DecimalText | null) {
  return {
    name: market.name,
    ticker: market.primary ? market.name : market.address,
    description: `${market.baseTicker} / ${market.quoteTicker}`,
    type: 'Spot',
    session: '24x7',
    exchange: market.venue,
    listed_exchange: market.venue,
    timezone: 'Etc/UTC',
    has_intraday: true,
    supported_resolutions: [...RESOLUTIONS],
    minmov: 1,
    pricescale: 10 ** scaleOf(lastPrice),
    has_daily: true,
    intraday_multipliers: RESOLUTIONS.filter((resolution) => resolution !== '1D'),
    volume_precision: Math.min(market.baseDecimals, MAX_VOLUME_DIGITS),
    data_status: 'streaming',
  };
}

function scaleOf(price: DecimalText | null): number {
  const value = Number(price ?? 0);
  if (!(value > 0)) return MIN_SCALE;
  const digits = SIGNIFICANT - 1 - Math.floor(Math.log10(value));
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, digits));
}

/** Bars as columns. Bars without a price are to be left out before. */
export function historyOf(candles: readonly Candle[], baseDecimals: number) {
  const priced = candles.flatMap(({ t, prices, base }) => (prices === null ? [] : [{ t, prices, base }]));
  const column = (read: (bar: (typeof priced)[number]) => number): number[] => priced.map(read);
  return {
    s: 'ok',
    t: column(({ t }) => t),
    o: column(({ prices }) => asDouble(prices.open)),
    h: column(({ prices }) => asDouble(prices.high)),
    l: column(({ prices }) => asDouble(prices.low)),
    c: column(({ prices }) => asDouble(prices.close)),
    v: column(({ base }) => Number((Number(base) / 10 ** baseDecimals).toPrecision(DOUBLE_DIGITS))),
  };
}

function asDouble(price: DecimalText): number {
  return Number(Number(price).toPrecision(DOUBLE_DIGITS));
}

/** `1D` is also written `D`; null for anything that is not served. */
export function readResolution(text: string): Resolution | null {
  const wanted = text === 'D' ? '1D' : text;
  return RESOLUTIONS.find((resolution) => resolution === wanted) ?? null;
}
