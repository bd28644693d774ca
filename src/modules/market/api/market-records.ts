import {
  changePercent,
  type MarketStats,
  type RecordedTrade,
  slotOfTrade,
  subtractDecimals,
  tenDigits,
} from '@tradepost/tape';
import { z } from 'zod';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import type { Market } from '../rules/market.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';

/** The records of the market data, as the specification has them; our own fields come last in each. */

const market = z.string().describe('BASE/QUOTE; several markets of one pair share it');
const marketAddress = z.string();
const time = z.string().describe('ISO 8601 UTC');
const price = z.string().describe('quote per base, exactly ten fraction digits, the rest cut off');
const priceExact = z.string().describe('the same with 18 significant digits');
const decimal = z.string().describe('exact decimal');
const dollars = z.number().nullable().describe('US dollars; null where it is unknown');
const dollarPrice = z
  .number()
  .nullable()
  .describe('US dollars for one base token, from the states of its pools now; null where it is unknown');

export const priceRecord = z.object({
  price,
  market,
  time: time.describe('of the last trade'),
  marketAddress,
  priceExact,
  usdPrice: dollarPrice,
  liquidityUsd: dollars,
});

export const recentPriceRecord = z.object({
  price,
  price24hAgo: price.describe('the last price at least 24 hours old, or else the first one ever'),
  change: z.string().describe('price − price24hAgo, ten fraction digits'),
  changePercent: z.number().nullable().describe('rounded to two digits'),
  market,
  marketAddress,
  time,
  time24hAgo: time,
  partial: z.boolean().describe('the market is younger than 24 hours'),
});

export const tradeRecord = z.object({
  id: z.number().describe('in the order of the chain'),
  price,
  size: z.string().describe('base tokens'),
  market,
  side: z.enum(['buy', 'sell']).describe('of the taker'),
  time,
  orderId: z.string().describe('the id as text: pools have no orders'),
  feeCost: z.string().describe('quote tokens; 0 where the venue does not say'),
  marketAddress,
  createdAt: time.describe('when it was written down'),
  priceExact,
  quoteSize: z.string().describe('quote tokens'),
  signature: z.string(),
  slot: z.number(),
  trader: z.string(),
  sealed: z.boolean().describe('found in a finalized block; a fork may still take others back'),
  feeSource: z
    .enum(['event', 'rate', 'unknown'])
    .describe('where feeCost is from: told by the venue, worked out from its rate, or not known'),
});

export const volumeRecord = z.object({
  name: market,
  address: marketAddress,
  programId: z.string(),
  totalVolume: z.number().describe('quote tokens in 24 hours'),
  sellVolume: z.number(),
  buyVolume: z.number(),
  highPrice: decimal,
  lowPrice: decimal,
  baseVolume: z.number(),
  trades: z.number(),
  volumeUsd: dollars,
});

export const pairRecord = z.object({
  market,
  coin: z.string().describe('base ticker'),
  priceCurrency: z.string().describe('quote ticker'),
  address: marketAddress,
  baseMint: z.string(),
  quoteMint: z.string(),
  programId: z.string(),
  venue: z.string(),
  primary: z.boolean().describe('the market that the name alone means'),
  verified: z.boolean().describe('the base token is well known, or vouched for by the operator'),
  liquidityUsd: dollars,
  gap: z.boolean().describe('trades may be missing'),
});

const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Null for a market without a price. */
export function priceOf(entry: MarketEntry): z.infer<typeof priceRecord> | null {
  const last = entry.stats?.last ?? null;
  return last === null ? null : currentPriceRecord(entry, last);
}

/** The price of a market's last trade, with the dollars of now. */
export function currentPriceRecord(
  entry: MarketEntry,
  last: { readonly price: string; readonly at: number },
): z.infer<typeof priceRecord> {
  return {
    ...statedPriceRecord(entry.market, last),
    usdPrice: entry.baseUsd?.usd ?? null,
    liquidityUsd: liquidityUsdOf(entry),
  };
}

/** Both sides of the pool at the present price. */
export function liquidityUsdOf({ market: m, quoteReserve, quoteUsd }: MarketEntry): number | null {
  if (quoteReserve === null || quoteUsd === null) return null;
  return 2 * Number(formatUnits(quoteReserve, m.quoteDecimals)) * quoteUsd.usd;
}

/** A price of some time ago: dollars are of now, and are left out. */
export function statedPriceRecord(
  m: Market,
  stated: { readonly price: string; readonly at: number },
): z.infer<typeof priceRecord> {
  return {
    price: tenDigits(stated.price),
    market: m.name,
    time: isoTime(stated.at),
    marketAddress: m.address,
    priceExact: stated.price,
    usdPrice: null,
    liquidityUsd: null,
  };
}

export function recentPriceOf({ market: m, stats }: MarketEntry): z.infer<typeof recentPriceRecord> | null {
  if (stats?.last == null || stats.first === null) return null;
  const { first, last, firstIsBefore } = stats;
  const change = subtractDecimals(last.price, first.price);
  return {
    price: tenDigits(last.price),
    price24hAgo: tenDigits(first.price),
    change: change.startsWith('-') ? `-${tenDigits(change.slice(1))}` : tenDigits(change),
    changePercent: changePercent(last.price, first.price),
    market: m.name,
    marketAddress: m.address,
    time: isoTime(last.at),
    time24hAgo: isoTime(first.at),
    partial: !firstIsBefore,
  };
}

export function tradeOf(m: Market, trade: RecordedTrade): z.infer<typeof tradeRecord> {
  return {
    id: Number(trade.id),
    price: tenDigits(trade.price),
    size: formatUnits(trade.base, m.baseDecimals),
    market: m.name,
    side: trade.side,
    time: isoTime(trade.at),
    orderId: trade.id.toString(),
    feeCost: formatUnits(trade.fee ?? 0n, m.quoteDecimals),
    marketAddress: m.address,
    createdAt: new Date(trade.createdAt).toISOString(),
    priceExact: trade.price,
    quoteSize: formatUnits(trade.quote, m.quoteDecimals),
    signature: trade.signature,
    slot: Number(slotOfTrade(trade.id)),
    trader: trade.trader,
    sealed: trade.sealed,
    feeSource: trade.feeSource,
  };
}

/** Sums of a market that never traded are zero. */
export function sumsOf(m: Market, stats: MarketStats | null) {
  const quote = (units: bigint): number => Number(formatUnits(units, m.quoteDecimals));
  const total = stats?.quote ?? 0n;
  const buys = stats?.buyQuote ?? 0n;
  return {
    totalVolume: quote(total),
    sellVolume: quote(total - buys),
    buyVolume: quote(buys),
    highPrice: stats?.high ?? '0',
    lowPrice: stats?.low ?? '0',
  };
}

export function volumeOf({ market: m, stats, quoteUsd }: MarketEntry): z.infer<typeof volumeRecord> {
  const sums = sumsOf(m, stats);
  return {
    name: m.name,
    address: m.address,
    programId: m.programId,
    ...sums,
    baseVolume: Number(formatUnits(stats?.base ?? 0n, m.baseDecimals)),
    trades: stats?.n ?? 0,
    volumeUsd: quoteUsd === null ? null : sums.totalVolume * quoteUsd.usd,
  };
}

export function pairOf(entry: MarketEntry): z.infer<typeof pairRecord> {
  const { market: m } = entry;
  return {
    market: m.name,
    coin: m.baseTicker,
    priceCurrency: m.quoteTicker,
    address: m.address,
    baseMint: m.baseMint,
    quoteMint: m.quoteMint,
    programId: m.programId,
    venue: m.venue,
    primary: m.primary,
    verified: m.verified,
    liquidityUsd: liquidityUsdOf(entry),
    gap: m.gapSince !== null,
  };
}
