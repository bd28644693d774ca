import { maxBigint } from '@tradepost/solana';
import { bps, minimumOut } from '../../../core/amounts/bps.ts';
import { isYoung } from '../../../core/time/age.ts';
import { isOver, type Reading } from '../../../core/time/due.ts';
import { FLOOR_TIER } from '../../guard/rules/floor.ts';
import { dearestRate, limitRate, STOP_SLIPPAGE_BPS } from './fire-terms.ts';
import type { Order, OrderFire } from './order.ts';
import { leastGot, type Rate } from './rate.ts';
import { roundAmount } from './schedule.ts';
import { rateInSol } from './trigger.ts';

/** What sells at its end is tried for so long; then it expires as any other. */
export const EXIT_TRIES_MS = 3_600_000;
/** Clocks of two processes differ by less. */
const CLOCKS_MS = 60_000;

/** A fire as it would be signed. `quoted` and `minOut` are of what comes out, in smallest units. */
export type AskedFire = {
  readonly side: Order['side'];
  readonly mint: string;
  readonly tier: string;
  readonly units: bigint;
  readonly quoted: bigint;
  readonly minOut: bigint;
};

/**
 * What of a fire the order does not allow. `trade`: another side, token or priority. `over`: its time is over. `units`: more than it has
 * left. `round`: before its time, or more than a round gives. `least`: less than it was agreed to bring. `fired`: another fire of this
 * number was signed.
 */
export type FireMisfit = 'trade' | 'over' | 'units' | 'round' | 'least' | 'fired';

/**
 * Whether a fire lies within the agreed terms; null where it does. `fires`: all of the order so far; those on their way bind their units.
 * No price is known here: an order in dollars is bounded by its amount and its time alone, a stop by its floor.
 */
export function judgeSealedFire(
  order: Order,
  fires: readonly OrderFire[],
  asked: AskedFire,
  clock: Reading,
): FireMisfit | null {
  const { terms, expiresAt } = order;
  if (asked.side !== order.side || asked.mint !== order.mint) return 'trade';
  if (asked.tier !== terms.tier && asked.tier !== FLOOR_TIER) return 'trade';
  const isOverdue = isOver(expiresAt, clock);
  const lateMs = CLOCKS_MS + (terms.sellsOnExpiry ? EXIT_TRIES_MS : 0);
  if (isOverdue && !isYoung(expiresAt, lateMs, clock)) return 'over';
  const given = fires.reduce((sum, fire) => sum + takenBy(fire), 0n);
  if (asked.units <= 0n) return 'units';
  if (order.amount.kind === 'fixed' && asked.units > order.amount.units - given) return 'units';
  if (!fitsRound(order, fires, { given, units: asked.units }, clock)) return 'round';
  return asked.minOut < leastOut(order, asked, isOverdue && terms.sellsOnExpiry) ? 'least' : null;
}

/** Whether a fire fits beside those of the order that were signed, without trust in rows; null where it does. */
export function judgeSignedFires(
  { amount }: Pick<Order, 'amount'>,
  signed: readonly { readonly n: number; readonly units: bigint }[],
  asked: { readonly n: number; readonly units: bigint },
): 'fired' | 'units' | null {
  if (signed.some(({ n }) => n === asked.n)) return 'fired';
  const taken = signed.reduce((sum, { units }) => sum + units, 0n);
  return amount.kind === 'fixed' && asked.units > amount.units - taken ? 'units' : null;
}

/** What a fire took of its order: all that it binds while it is on its way, nothing where it had no effect. */
function takenBy({ units, end }: OrderFire): bigint {
  if (end === null) return units;
  return end.result === 'settled' ? end.given : 0n;
}

/** Each round that was carried out had its own interval, so no round is due before as many of them. */
function fitsRound(
  { terms: { schedule }, amount }: Order,
  fires: readonly OrderFire[],
  { given, units }: { readonly given: bigint; readonly units: bigint },
  clock: Reading,
): boolean {
  if (schedule === null) return true;
  const carriedOut = fires.filter(({ end }) => end?.result === 'settled').length;
  const done = Math.min(carriedOut, schedule.rounds - 1);
  if (!isOver(schedule.startAt + done * schedule.intervalMs - CLOCKS_MS, clock)) return false;
  if (amount.kind !== 'fixed') return true;
  return units <= roundAmount({ ...schedule, total: amount.units }, done, given);
}

/** The least that the units may bring, rounded up. */
function leastOut(order: Order, { units, quoted }: AskedFire, isExit: boolean): bigint {
  const { type, trigger, terms } = order;
  const belowQuote = minimumOut(quoted, STOP_SLIPPAGE_BPS);
  if (isExit) return maxBigint(leastBy(order, terms.floor, units), belowQuote);
  switch (type) {
    case 'LIMIT':
    case 'TAKE_PROFIT':
      return leastBy(order, trigger && limitRate(trigger, bps(terms.toleranceBps)), units);
    case 'STOP_LOSS':
    case 'TRAILING_STOP':
    case 'DEV_SELLS':
    case 'LIQUIDITY_FALLS':
      return maxBigint(leastBy(order, terms.floor, units), belowQuote);
    case 'STOP_BUY':
      return leastBy(order, trigger && dearestRate(trigger, bps(terms.toleranceBps)), units);
    case 'DCA':
      return maxBigint(
        leastBy({ unit: 'SOL', side: order.side }, terms.schedule?.band.least ?? null, units),
        minimumOut(quoted, bps(terms.slippageBps)),
      );
  }
}

/** 0 where there is no such rate, or it is in dollars. */
function leastBy({ unit, side }: Pick<Order, 'unit' | 'side'>, rate: Rate | null, units: bigint): bigint {
  const inSol = rate === null ? null : rateInSol(unit, side, rate, null, 0);
  return inSol === null ? 0n : leastGot(inSol, units);
}
