import type { z } from 'zod';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { PAIR, RECENT_PRICE, VOLUME } from './market-examples.ts';
import {
  pairOf,
  pairRecord,
  priceOf,
  priceRecord,
  recentPriceOf,
  recentPriceRecord,
  volumeOf,
  volumeRecord,
} from './market-records.ts';

/** One market with all facts that lists show. Facts that come from its trades are null before the first. */
export const marketView = pairRecord.extend({
  price: priceRecord.shape.price.nullable(),
  priceExact: priceRecord.shape.priceExact.nullable(),
  time: priceRecord.shape.time.nullable(),
  usdPrice: priceRecord.shape.usdPrice,
  changePercent: recentPriceRecord.shape.changePercent,
  partial: recentPriceRecord.shape.partial.nullable(),
  ...volumeRecord.omit({ name: true, address: true, programId: true }).shape,
});

export function marketViewOf(entry: MarketEntry): z.infer<typeof marketView> {
  const { name: _, address: __, programId: ___, ...volume } = volumeOf(entry);
  const price = priceOf(entry);
  const recent = recentPriceOf(entry);
  return {
    ...pairOf(entry),
    price: price?.price ?? null,
    priceExact: price?.priceExact ?? null,
    time: price?.time ?? null,
    usdPrice: entry.baseUsd?.usd ?? null,
    changePercent: recent?.changePercent ?? null,
    partial: recent?.partial ?? null,
    ...volume,
  };
}

const { name: _, address: __, programId: ___, ...VOLUME_OF } = VOLUME;
export const MARKET_VIEW: z.infer<typeof marketView> = {
  ...PAIR,
  price: RECENT_PRICE.price,
  priceExact: '0.0123456789012345678',
  time: RECENT_PRICE.time,
  usdPrice: 0.0123456789,
  changePercent: RECENT_PRICE.changePercent,
  partial: false,
  ...VOLUME_OF,
};
