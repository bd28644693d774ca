import { AppError } from '../../../core/errors/app-error.ts';
import { capNow } from './cap.ts';
import type { Guard, GuardRules } from './guard.ts';
import type { Counted } from './judge-trade.ts';
import { ripensAt } from './ripe.ts';
import { leftWithoutPin, rest, type SpentSums } from './spent.ts';

/**
 * The sums that count the network fees of a withdrawal, in lamports: all spending, and while the PIN is young also spending without one,
 * because a thief may have set it. Where these have no room they count as fees of sales do, so that a used-up limit stops no withdrawal
 * at once. Throws SPENDING_LIMIT where nothing has room.
 */
export function countedFees(
  fees: bigint,
  facts: {
    readonly guard: Guard;
    readonly spent: SpentSums;
    readonly rules: GuardRules;
    readonly now: number;
  },
): Counted {
  const { guard, spent, rules, now } = facts;
  const isRipe = ripensAt(guard, now, rules) === null;
  const all = rest(rules.allSpendingLamports, spent.k);
  const unasked = leftWithoutPin(guard, spent, now, rules);
  const left = isRipe || all < unasked ? all : unasked;
  if (fees <= left) return { s: isRipe ? 0n : fees, k: fees, d: 0n, floor: 0n };
  if (fees <= rest(rules.floorFeesLamports, spent.floor)) return { s: 0n, k: 0n, d: 0n, floor: fees };
  const cap = isRipe ? rules.allSpendingLamports : capNow(guard, now, rules, 'spending');
  throw new AppError('SPENDING_LIMIT', { needed: fees, available: left, cap, of: 'all' });
}
