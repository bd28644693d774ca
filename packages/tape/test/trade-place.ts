import type { TradePlace } from '../src/trade-id.ts';

/** The inverse of `tradeId`, written from its description: slot · 2^21 + index · 2^6 + ordinal. */
export function tradePlace(id: bigint): TradePlace {
  return { slot: id / 2n ** 21n, index: Number((id / 64n) % 2n ** 15n), ordinal: Number(id % 64n) };
}
