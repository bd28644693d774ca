import { CAP_WINDOW_MS, capNow, nextCap } from '../../core/guard/cap.ts';
import { isFrozen } from '../../core/guard/freeze.ts';
import type { GuardRules } from '../../core/guard/guard.ts';
import { secondFactor } from '../../core/guard/second-factor.ts';
import { isUnlocked } from '../../core/guard/unlock.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Stores } from '../../core/ports/stores.ts';

/** What the security screen shows. Lamports; epoch milliseconds. */
export type GuardOverview = {
  readonly hasPin: boolean;
  readonly frozen: boolean;
  /** When an unlocking that was asked for takes effect. */
  readonly unfreezesAt: number | null;
  readonly cap: bigint;
  readonly capLeft: bigint;
  readonly nextCap: { readonly lamports: bigint; readonly at: number } | null;
  /** What may be spent without the PIN, and what is left of it now. */
  readonly spendCap: bigint;
  readonly spendLeft: bigint;
  readonly nextSpendCap: { readonly lamports: bigint; readonly at: number } | null;
  /** Until when a PIN has unlocked trades; null while they are locked. */
  readonly unlockedUntil: number | null;
  /** From when on the present PIN unlocks trades; null = now. */
  readonly unlocksFrom: number | null;
  readonly delayMs: number;
  /** Whether a proof needs the authenticator's code too. */
  readonly hasSecondFactor: boolean;
  /** When that ends, because the operator was asked. */
  readonly secondFactorEndsAt: number | null;
  readonly recoveryCodesLeft: number;
};

export async function guardOverview(
  deps: { readonly db: Pick<Stores, 'guards'>; readonly clock: Clock; readonly guardRules: GuardRules },
  input: { readonly userId: string },
): Promise<GuardOverview> {
  const { guardRules, clock } = deps;
  const now = clock.now();
  const [guard, used, spent] = await Promise.all([
    deps.db.guards.find(input.userId),
    deps.db.guards.usedSince(input.userId, now - CAP_WINDOW_MS),
    deps.db.guards.spentSince(input.userId, now - CAP_WINDOW_MS),
  ]);
  const cap = capNow(guard, now, guardRules);
  const frozen = isFrozen(guard, now);
  const spendCap = capNow(guard, now, guardRules, 'spending');
  const { unlocksFrom } = guard;
  return {
    hasPin: guard.pinHash !== null,
    frozen,
    unfreezesAt: frozen ? guard.unfreezeAt : null,
    cap,
    capLeft: cap > used.lamports ? cap - used.lamports : 0n,
    nextCap: nextCap(guard, now, 'withdrawals'),
    spendCap,
    spendLeft: spendCap > spent ? spendCap - spent : 0n,
    nextSpendCap: nextCap(guard, now, 'spending'),
    unlockedUntil: isUnlocked(guard, now) ? guard.unlockedUntil : null,
    unlocksFrom: unlocksFrom !== null && unlocksFrom > now ? unlocksFrom : null,
    delayMs: guardRules.delayMs,
    hasSecondFactor: secondFactor(guard, now) !== null,
    secondFactorEndsAt: secondFactor(guard, now) === null ? null : guard.totpEndsAt,
    recoveryCodesLeft: secondFactor(guard, now) === null ? 0 : guard.recoveryCodes.length,
  };
}
