import { AppError } from '../errors/app-error.ts';
import { capNow } from './cap.ts';
import { assertNotFrozen } from './freeze.ts';
import type { Guard, GuardRules } from './guard.ts';
import { isUnlocked } from './unlock.ts';

/**
 * Why a trade takes the PIN whatever its size. `young`: nobody can show that the token is a day old. `home-made`: somebody made
 * it with this service. `poor-exit`: a rehearsed purchase could not be sold again for 85 % of what it took. `steep`: a sale that
 * was agreed may bring less than 85 % of the present price.
 */
export type Doubt = 'young' | 'home-made' | 'poor-exit' | 'steep';

/** `cap`: more than may be spent within 24 hours without a PIN. */
export type PinReason = Doubt | 'cap';

export type SpendingCase = {
  readonly guard: Guard;
  /** What leaves the wallet's SOL, network fees apart; 0 for a sale. */
  readonly lamports: bigint;
  readonly doubts: readonly Doubt[];
  /** What was spent without a PIN within the 24 hours before now. */
  readonly spent: bigint;
  readonly now: number;
  readonly rules: GuardRules;
};

/** Below this, of what went in, a round trip or a sale is a way to lose money to whoever stands at the other end. */
export const FAIR_RETURN_BPS = 8_500;

/** Why the PIN is needed, and what of the cap is left; `reasons` is empty where it is not needed. */
export function pinReasons(input: SpendingCase): {
  readonly reasons: readonly PinReason[];
  readonly cap: bigint;
  readonly left: bigint;
} {
  const { guard, lamports, doubts, spent, now, rules } = input;
  const cap = capNow(guard, now, rules, 'spending');
  const left = cap > spent ? cap - spent : 0n;
  const reasons: readonly PinReason[] = [...doubts, ...(lamports > left ? (['cap'] as const) : [])];
  return { reasons: isUnlocked(guard, now) ? [] : reasons, cap, left };
}

/**
 * Whether something may be spent from the chat as it is. True when it counts against the spending cap, false when a PIN has
 * unlocked trades and nothing is counted. Throws ACCOUNT_FROZEN, TRADE_PIN.
 */
export function judgeSpending(input: SpendingCase): boolean {
  assertNotFrozen(input.guard, input.now);
  const { reasons, cap, left } = pinReasons(input);
  if (reasons.length > 0) throw new AppError('TRADE_PIN', { reasons, cap, left });
  return !isUnlocked(input.guard, input.now) && input.lamports > 0n;
}
