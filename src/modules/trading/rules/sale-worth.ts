import { type Address, MAX_U64, minBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';

/** Tokens in a row between the one that is valued and SOL, as a route has at most. */
const MOST_MIDDLES = 2;

/** The lamports that up to `units` of a token bring. Never falls as the units grow, and 0 units bring 0. */
export type SaleWorth = (units: bigint) => bigint;

/** A stretch of a pool's sale: so many units more bring so many lamports more. */
type Stretch = { readonly units: bigint; readonly lamports: bigint };

/**
 * The worth of an amount of `mint`: the payment of all pools together for as much of it as they can take, at their present states and after
 * their fees. Null when no pool on a way to SOL pays anything for any amount.
 *
 * It must never fall when the amount grows, or a cap on worth is passed by asking for more. A pool of concentrated liquidity quotes 0 for
 * more than its range takes, and a searched route may dip anywhere, so neither is asked for the amount itself. Every pool is cut into
 * stretches at fixed sizes and at the most it takes, for every amount the same. All stretches are filled in the order of their price, best
 * first. Between two cuts the curve is taken as straight, which is at most 1 % low for a constant product. A token on the way (at most two)
 * is valued the same way by its own pools.
 */
export function saleWorth(pools: readonly Pool[], mint: Address): SaleWorth | null {
  return worthOf(pools, mint, [mint]);
}

function worthOf(pools: readonly Pool[], mint: Address, path: readonly Address[]): SaleWorth | null {
  if (mint === WSOL_MINT) return (units) => units;
  const stretches: Stretch[] = [];
  const known = new Map<Address, SaleWorth | null>();
  for (const pool of pools) {
    if (!pool.mints.includes(mint)) continue;
    const other = pool.mints[0] === mint ? pool.mints[1] : pool.mints[0];
    if (path.includes(other) || (other !== WSOL_MINT && path.length > MOST_MIDDLES)) continue;
    if (!known.has(other)) known.set(other, worthOf(pools, other, [...path, other]));
    const worth = known.get(other) ?? null;
    if (worth !== null) stretches.push(...cut((units) => pool.quote(mint, units), worth));
  }
  return stretches.length === 0 ? null : filled(stretches);
}

/** The stretches of one pool that pay something. */
function cut(quote: (units: bigint) => bigint, worth: SaleWorth): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let before: Stretch = { units: 0n, lamports: 0n };
  for (const units of sizesFor(quote)) {
    const lamports = worth(quote(units));
    // A larger sale cannot bring less: the most that a smaller one brought is kept.
    if (lamports <= before.lamports) continue;
    stretches.push({ units: units - before.units, lamports: lamports - before.lamports });
    before = { units, lamports };
  }
  return stretches;
}

/** Two per doubling: the same for every pool and amount. */
const SIZES: readonly bigint[] = Array.from({ length: 64 }, (_, power) => 1n << BigInt(power)).flatMap(
  (size) => [size, size + size / 2n],
);

/** The fixed sizes, and the most units for which the pool pays anything. */
function sizesFor(quote: (units: bigint) => bigint): readonly bigint[] {
  const paying = SIZES.findLastIndex((size) => quote(size) > 0n);
  if (paying === -1) return [];
  let least = SIZES[paying] ?? 0n;
  let above = SIZES[paying + 1] ?? MAX_U64 + 1n;
  while (above - least > 1n) {
    const intermediate = (least + above) / 2n;
    if (quote(intermediate) > 0n) least = intermediate;
    else above = intermediate;
  }
  return [...SIZES.slice(0, paying + 1), least];
}

/** Fills the best-paid stretches first; of the last one the part that is reached counts, rounded down. */
function filled(stretches: readonly Stretch[]): SaleWorth {
  const byPrice = stretches.toSorted((a, b) => {
    const difference = b.lamports * a.units - a.lamports * b.units;
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  });
  return (units) => {
    let left = units;
    let lamports = 0n;
    for (const stretch of byPrice) {
      if (left <= 0n) break;
      const taken = minBigint(left, stretch.units);
      lamports += (stretch.lamports * taken) / stretch.units;
      left -= taken;
    }
    return lamports;
  };
}
