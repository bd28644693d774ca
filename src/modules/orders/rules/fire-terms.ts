import { maxBigint } from '@tradepost/solana';
import { type Bps, bps as checkedBps, minimumOut } from '../../../core/amounts/bps.ts';
import { leastGot, type Rate, scaleRate } from './rate.ts';

const DEFAULT_FLOOR_BPS = checkedBps(2_500);
/** A stop takes no less than its quote less this much, however low its floor. */
export const STOP_SLIPPAGE_BPS = checkedBps(1_000);
/** A floor that no price is below: a sale at any price. */
export const ANY_PRICE: Rate = { got: 0n, given: 1n };
const MIN_PART_BPS = checkedBps(2_000);
const MIN_PART_LAMPORTS = 50_000_000n;
/** At most so many quotes to find a part. */
const PART_QUOTES = 8;

/** The least acceptable rate: `trigger` less `tolerance`. Exact. */
export function limitRate(trigger: Rate, tolerance: Bps): Rate {
  return scaleRate(trigger, 10_000n - BigInt(tolerance), 10_000n);
}

/** The least acceptable rate of a purchase that may cost `tolerance` more than its trigger. Exact. */
export function dearestRate(trigger: Rate, tolerance: Bps): Rate {
  return scaleRate(trigger, 10_000n, 10_000n + BigInt(tolerance));
}

export type StopTerms =
  | { readonly kind: 'fire'; readonly minimumOut: bigint }
  /** The quote lies below the floor: nothing is sold, and the person is asked. */
  | { readonly kind: 'below-floor'; readonly quoted: bigint; readonly floor: bigint };

/**
 * The minimum of a stop: the greater of its floor and the quote less 10 %, both rounded up. `floor` null, or `ANY_PRICE`, = at any price,
 * which needs a second tap; the 10 % under the quote stay.
 */
export function stopTerms(floor: Rate | null, units: bigint, quoted: bigint): StopTerms {
  const least = floor === null ? 0n : leastGot(floor, units);
  if (quoted < least) return { kind: 'below-floor', quoted, floor: least };
  return { kind: 'fire', minimumOut: maxBigint(least, minimumOut(quoted, STOP_SLIPPAGE_BPS)) };
}

/**
 * The least part of an order that is worth a transaction of its own: 20 % of it and 0.05 SOL. `lamportsPerUnit` is the worth of a
 * unit in lamports: 1 for a buy, the trigger for a sale. Rounded up; the whole order where it is smaller than that.
 */
export function leastPart(total: bigint, remaining: bigint, lamportsPerUnit: Rate): bigint {
  const share = (total * BigInt(MIN_PART_BPS) + 9_999n) / 10_000n;
  const worth =
    lamportsPerUnit.got === 0n
      ? remaining
      : leastGot({ got: lamportsPerUnit.given, given: lamportsPerUnit.got }, MIN_PART_LAMPORTS);
  const least = maxBigint(share, worth);
  return least < remaining ? least : remaining;
}

/**
 * The largest part of `remaining` found to meet the limit with at most eight quotes, by halving between `least` and the whole;
 * null when not even `least` meets it. Each part returned was quoted itself.
 */
export function largestPart(
  remaining: bigint,
  least: bigint,
  limit: Rate,
  quote: (units: bigint) => bigint | null,
): { readonly units: bigint; readonly quoted: bigint } | null {
  let quotes = 0;
  const tried = (units: bigint): bigint | null => {
    quotes += 1;
    const got = quote(units);
    return got !== null && got > 0n && got >= leastGot(limit, units) ? got : null;
  };
  const whole = tried(remaining);
  if (whole !== null) return { units: remaining, quoted: whole };
  if (least >= remaining) return null;
  const first = tried(least);
  if (first === null) return null;
  let best = { units: least, quoted: first };
  let tooMuch = remaining;
  while (quotes < PART_QUOTES && tooMuch - best.units > 1n) {
    const units = (best.units + tooMuch) / 2n;
    const got = tried(units);
    if (got === null) tooMuch = units;
    else best = { units, quoted: got };
  }
  return best;
}

/** The floor that a stop is placed with unless another is chosen: trigger − 25 %. Exact. */
export function defaultFloor(trigger: Rate): Rate {
  return limitRate(trigger, DEFAULT_FLOOR_BPS);
}
