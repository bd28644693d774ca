import type { Address } from '@tradepost/solana';
import type { OrderBook, Pool } from '@tradepost/venues';

/** How far the marginal price moves over the whole ladder. */
const REACH = 0.05;
/** The first step is so many times smaller than the whole. */
const SPREAD = 100;
const MAX_INPUT = 1n << 63n;
const BISECTIONS = 48;

type Curve = Pick<Pool, 'quote' | 'spot'>;

/**
 * A pool's curve as a book: the pool's own quotes for `depth` growing amounts, until the marginal price has moved by 5 %. The sum of the
 * first n levels is the quote for it, to the unit. A side without liquidity is empty.
 */
export function ladder(
  pool: Curve,
  mints: { readonly base: Address; readonly quote: Address },
  depth: number,
): OrderBook {
  const sells = steps(pool, mints.base, depth);
  const buys = steps(pool, mints.quote, depth);
  return {
    bids: sells.map(({ paid, got }) => ({ base: paid, quote: got })),
    asks: buys.map(({ paid, got }) => ({ base: got, quote: paid })),
  };
}

type Step = { readonly paid: bigint; readonly got: bigint };

function steps(pool: Curve, mintIn: Address, depth: number): readonly Step[] {
  const whole = inputWithin(pool, mintIn, REACH);
  if (whole === 0n) return [];
  const made: Step[] = [];
  let [paid, got] = [0n, 0n];
  for (let step = 1; step <= depth; step += 1) {
    const input = partOf(whole, step, depth);
    const output = pool.quote(mintIn, input);
    // Too small a step brings nothing: the next one has it all.
    if (input <= paid || output <= got) continue;
    made.push({ paid: input - paid, got: output - got });
    [paid, got] = [input, output];
  }
  return made;
}

/** Geometric, the last step the whole. */
function partOf(whole: bigint, step: number, depth: number): bigint {
  if (step === depth) return whole;
  const share = SPREAD ** ((step - depth) / Math.max(1, depth - 1));
  return (whole * BigInt(Math.floor(share * 2 ** 48))) >> 48n;
}

/**
 * The largest input over which the marginal price falls by at most `reach` (0.05 = 5 %), in units of `mintIn`; 0 where nothing
 * comes out. 2^62 and more: the pool never gets there.
 */
export function inputWithin(pool: Curve, mintIn: Address, reach: number): bigint {
  const { numerator, denominator } = pool.spot(mintIn);
  if (numerator === 0n || denominator === 0n) return 0n;
  const spot = Number(numerator) / Number(denominator);
  const isWithin = (input: bigint): boolean => {
    const more = input + input / 256n + 1n;
    const gained = pool.quote(mintIn, more) - pool.quote(mintIn, input);
    // Whole units hide a small slope, and a fee is rounded up to one: a unit of each side is granted.
    return Number(gained + 1n) >= Number(more - input - 1n) * spot * (1 - reach);
  };
  let high = 1n;
  while (high < MAX_INPUT && isWithin(high)) high *= 2n;
  let low = high / 2n;
  for (let run = 0; run < BISECTIONS && high - low > 1n; run += 1) {
    const middle = (low + high) / 2n;
    if (isWithin(middle)) low = middle;
    else high = middle;
  }
  return pool.quote(mintIn, low) > 0n ? low : 0n;
}
