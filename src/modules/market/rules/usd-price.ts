import type { Address } from '@tradepost/solana';
import { ageAt } from '../../../core/time/age.ts';

/** A pool as of its last look. Numbers in whole tokens are for prices that are shown: money is never computed from them. */
export type PoolLook = {
  /** Of the market. */
  readonly address: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  /** Quote per base in whole tokens, the middle of buying and selling; null where the pool does not trade. */
  readonly mid: number | null;
  /** Whole quote tokens that could be taken out. */
  readonly quoteDepth: number;
  /** Epoch milliseconds of the look. */
  readonly at: number;
};

export type PriceConfidence = 'high' | 'medium' | 'low';

export type UsdPrice = {
  /** US dollars for one whole token. */
  readonly usd: number;
  readonly confidence: PriceConfidence;
  /** One of the looks that it rests on is older than a minute. */
  readonly stale: boolean;
  /** Twice the counted pools' side in which the price is given; null for a dollar by definition. */
  readonly liquidityUsd: number | null;
  /** Epoch milliseconds of the oldest look that it rests on. */
  readonly at: number;
};

/** By mint. A mint that is not in it has no price, which is shown as such and never as 0. */
export type UsdPrices = ReadonlyMap<Address, UsdPrice>;

export type DollarRules = {
  /** Worth a dollar by definition. */
  readonly dollars: readonly Address[];
  readonly sol: Address;
  /** Epoch milliseconds. */
  readonly now: number;
};

const STALE_MS = 60_000;
const GONE_MS = 600_000;
/** On the side in which the price is given. The owner of a smaller pool can set any price. */
const MIN_DEPTH_USD = 500;
const MIN_DEPTH_SOL = 2;
/** Of the deepest pool of the token. */
const MIN_SHARE = 0.05;
const DEEP_USD = 50_000;
const AGREES_WITHIN = 0.02;

/**
 * Dollar prices of all tokens that have one: SOL from its pools against dollars, tokens from theirs against SOL or dollars. The rest come
 * one hop further, over a token that was priced so. Each price is the median of the pools' mid prices, weighted by depth. So a thin pool,
 * or a single one that was moved, moves nothing.
 */
export function usdPrices(looks: readonly PoolLook[], rules: DollarRules): UsdPrices {
  const prices = new Map<Address, UsdPrice>(
    rules.dollars.map((mint) => [
      mint,
      { usd: 1, confidence: 'high', stale: false, liquidityUsd: null, at: rules.now },
    ]),
  );
  const sides = sidesOf(looks, rules);
  const sol = priceOf(sides.get(rules.sol) ?? [], prices, rules);
  if (sol !== null && !prices.has(rules.sol)) prices.set(rules.sol, sol);
  // Two rounds: those that have a pool against SOL or a dollar, then those that have one against them.
  for (let hop = 0; hop < 2; hop += 1) {
    const known: UsdPrices = new Map(prices);
    for (const [mint, ofMint] of sides) {
      if (known.has(mint)) continue;
      const price = priceOf(ofMint, known, rules);
      if (price !== null) prices.set(mint, price);
    }
  }
  return prices;
}

/**
 * As `usdPrices`, for screens alone. A token whose pools are all too thin to be believed has the median of theirs, with low confidence. Its
 * `liquidityUsd` is twice the amount that could be taken out of all pools whose other side has a price. A thin price is a hop to no other
 * token, and SOL has none: a mover of a small pool would profit from both. Nothing is valued, limited or ranked by these prices.
 */
export function shownPrices(looks: readonly PoolLook[], counted: UsdPrices, rules: DollarRules): UsdPrices {
  const shown = new Map(counted);
  for (const [mint, sides] of sidesOf(looks, rules)) {
    const price = shownOf(mint, sides, counted, rules);
    if (price !== null) shown.set(mint, price);
  }
  return shown;
}

/**
 * As `shownPrices`, for one mint whose pools were read after those that `counted` rests on; `looks` are all of its pools. Null where no
 * pool gives a price.
 */
export function shownPrice(
  mint: Address,
  looks: readonly PoolLook[],
  counted: UsdPrices,
  rules: DollarRules,
): UsdPrice | null {
  const sides = sidesOf(looks, rules).get(mint) ?? [];
  const isMoved = counted.has(mint) && mint !== rules.sol && !rules.dollars.includes(mint);
  if (!isMoved) return shownOf(mint, sides, counted, rules);
  const now = priceOf(sides, counted, rules);
  const others = new Map(counted);
  if (now === null) others.delete(mint);
  else others.set(mint, now);
  return shownOf(mint, sides, others, rules);
}

function shownOf(
  mint: Address,
  sides: readonly Side[],
  counted: UsdPrices,
  { sol, now }: DollarRules,
): UsdPrice | null {
  const known = counted.get(mint) ?? null;
  // A dollar by definition rests on no pool.
  if (known !== null && known.liquidityUsd === null) return known;
  const told = toldBy(sides, counted);
  const liquidityUsd = 2 * told.reduce((sum, { depthUsd }) => sum + depthUsd, 0);
  if (known !== null) return { ...known, liquidityUsd };
  const middle = mint === sol ? null : weightedMedian(told);
  if (middle === null) return null;
  const { usd, since } = middle;
  return { usd, confidence: 'low', stale: ageAt(since, now) > STALE_MS, liquidityUsd, at: since };
}

/** A pool seen from one of its mints: how much of `against` one whole token is, and how much of it there is. */
type Side = {
  readonly pool: Address;
  readonly against: Address;
  readonly price: number;
  readonly depth: number;
  readonly at: number;
};

function sidesOf(looks: readonly PoolLook[], { now }: DollarRules): ReadonlyMap<Address, readonly Side[]> {
  const sides = new Map<Address, Side[]>();
  const add = (mint: Address, side: Side): void => {
    const known = sides.get(mint);
    if (known === undefined) sides.set(mint, [side]);
    else known.push(side);
  };
  for (const { address, baseMint, quoteMint, mid, quoteDepth, at } of looks) {
    if (mid === null || !(mid > 0) || !Number.isFinite(mid) || ageAt(at, now) > GONE_MS) continue;
    add(baseMint, { pool: address, against: quoteMint, price: mid, depth: quoteDepth, at });
    // At the mid price both sides of a pool are worth about the same.
    add(quoteMint, { pool: address, against: baseMint, price: 1 / mid, depth: quoteDepth / mid, at });
  }
  return sides;
}

type Counted = Side & { readonly usd: number; readonly depthUsd: number; readonly since: number };

/** The sides whose other token has a price, the cheapest first: sums of doubles depend on their order. */
function toldBy(sides: readonly Side[], known: UsdPrices): readonly Counted[] {
  return sides
    .flatMap((side): readonly Counted[] => {
      const against = known.get(side.against);
      if (against === undefined) return [];
      const depthUsd = side.depth * against.usd;
      return [{ ...side, usd: side.price * against.usd, depthUsd, since: Math.min(side.at, against.at) }];
    })
    .toSorted((a, b) => a.usd - b.usd || (a.pool < b.pool ? -1 : 1));
}

function priceOf(sides: readonly Side[], known: UsdPrices, { sol, now }: DollarRules): UsdPrice | null {
  const told = toldBy(sides, known).filter(({ against, depth, depthUsd }) =>
    against === sol ? depth >= MIN_DEPTH_SOL : depthUsd >= MIN_DEPTH_USD,
  );
  const deepest = told.reduce((most, { depthUsd }) => Math.max(most, depthUsd), 0);
  const counted = told.filter(({ depthUsd }) => depthUsd >= MIN_SHARE * deepest);
  const middle = weightedMedian(counted);
  if (middle === null) return null;
  const liquidityUsd = 2 * counted.reduce((sum, { depthUsd }) => sum + depthUsd, 0);
  return {
    usd: middle.usd,
    confidence: confidenceOf(counted, middle.usd, liquidityUsd),
    stale: ageAt(middle.since, now) > STALE_MS,
    liquidityUsd,
    at: middle.since,
  };
}

/** The first of the pools, the cheapest first, up to which half of the depth lies. */
function weightedMedian(pools: readonly Counted[]): Counted | null {
  const half = pools.reduce((sum, { depthUsd }) => sum + depthUsd, 0) / 2;
  let below = 0;
  for (const pool of pools) {
    below += pool.depthUsd;
    if (below >= half) return pool;
  }
  return null;
}

function confidenceOf(pools: readonly Counted[], usd: number, liquidityUsd: number): PriceConfidence {
  const isDeep = liquidityUsd >= DEEP_USD;
  const agree = pools.filter((pool) => Math.abs(pool.usd / usd - 1) <= AGREES_WITHIN).length >= 2;
  if (isDeep && agree) return 'high';
  return isDeep || agree ? 'medium' : 'low';
}
