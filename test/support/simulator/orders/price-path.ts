import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { buildPool } from '../../../modules/trading/build-pool.ts';
import { seededRandom } from '../random.ts';

/** √(lamports × units) of the pool: orders of a thousandth of it move the price by a fifth of a percent. */
const DEPTH = 1e12;
const FEE_BPS = 25n;

/** The price of one token over all slots of a run, as lamports per unit, and the pool that has it. */
export type PricePath = {
  readonly priceAt: (slot: bigint) => number;
  readonly poolAt: (slot: bigint) => Pool;
  /** √(lamports × units) of the pool. */
  readonly depthAt: (slot: bigint) => number;
  /** From this slot on the price is this, whatever it was to be. */
  readonly holdFrom: (slot: bigint, price: number) => void;
  /** The highest price of the slots that anybody has seen. */
  readonly highest: () => number;
};

/** Trades, jumps that stay and wicks of one to five slots, from a seed of its own: asking changes nothing. With `share` its depth changes. */
export function createPricePath(
  seed: number,
  mint: Address,
  firstSlot: bigint,
  share?: (slot: bigint) => number,
): PricePath {
  const random = seededRandom(seed);
  const prices: number[] = [];
  const holds: { readonly from: bigint; readonly price: number }[] = [];
  let level = 1;
  let wick = { left: 0, factor: 1 };

  const extend = (): void => {
    if (random.chance(0.3)) level *= 1 + (random.next() - 0.5) * 0.01;
    if (random.chance(0.006)) level *= random.pick([0.85, 0.93, 1.08, 1.2]);
    if (wick.left > 0) wick = { ...wick, left: wick.left - 1 };
    else if (random.chance(0.01))
      wick = { left: random.between(1, 5), factor: random.pick([0.6, 0.8, 1.3, 2]) };
    prices.push(wick.left > 0 ? level * wick.factor : level);
  };

  const priceAt = (slot: bigint): number => {
    const held = holds.findLast(({ from }) => from <= slot);
    if (held !== undefined) return held.price;
    const index = Number(slot - firstSlot);
    while (prices.length <= index) extend();
    return prices[Math.max(0, index)] ?? 1;
  };

  const depthAt = (slot: bigint): number => DEPTH * (share?.(slot) ?? 1);

  return {
    priceAt,
    depthAt,
    poolAt: (slot) => {
      const root = Math.sqrt(priceAt(slot));
      const depth = depthAt(slot);
      return buildPool({
        mints: [mint, WSOL_MINT],
        token: BigInt(Math.floor(depth / root)),
        sol: BigInt(Math.floor(depth * root)),
        feeBps: FEE_BPS,
        slot,
        // Its reserves are known, and with them its liquidity.
        ...(share === undefined ? {} : { accounts: 1 }),
      });
    },
    holdFrom: (from, price) => void holds.push({ from, price }),
    highest: () => prices.reduce((most, price) => Math.max(most, price), 0),
  };
}
