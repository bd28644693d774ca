import { RENT_EXEMPT_MINIMUM } from '../../core/amounts/lamports.ts';
import { CAP_WINDOW_MS } from '../../core/guard/cap.ts';
import type { GuardRules } from '../../core/guard/guard.ts';
import { dueAt, judgeWithdrawal } from '../../core/guard/judge-withdrawal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { IntentParams } from '../../intents/params.ts';
import { bookAddress } from '../guard/address-book.ts';
import { assertNotPaused } from '../switches/assert-not-paused.ts';

/** A withdrawal about to be confirmed. */
export type GuardedWithdrawal = {
  readonly userId: string;
  readonly walletId: string;
  readonly params: Extract<IntentParams, { kind: 'withdraw-sol' | 'withdraw-token' }>;
};

/**
 * The one gate every withdrawal passes before it becomes an intent: what may stop or delay it belongs here and nowhere
 * else. Runs inside the transaction that writes the intent, under the person's guard lock, so that two at once count one
 * after the other; a new address enters the book. `value` is its worth in lamports, null when nobody can say. Returns the
 * moment before which nothing may be built, null = at once. Throws PAUSED while the operator has withdrawals
 * paused, ADDRESS_BOOK_FULL and what `judgeWithdrawal` throws.
 */
export async function guardWithdrawal(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly guardRules: GuardRules },
  stores: Stores,
  withdrawal: GuardedWithdrawal & { readonly intentId: string; readonly value: bigint | null },
): Promise<{ readonly notBefore: number | null }> {
  await assertNotPaused(stores.flags, ['withdrawals']);
  const { userId, walletId, params, intentId, value } = withdrawal;
  const guard = await stores.guards.lock(userId);
  const entry = await bookAddress(deps, stores, {
    userId,
    walletId,
    address: params.destination,
    name: null,
  });
  const now = deps.clock.now();
  const facts = { guard, entry, now, rules: deps.guardRules };
  const countsAt = dueAt(facts);
  const used = await stores.guards.usedSince(userId, countsAt - CAP_WINDOW_MS);
  const judged = judgeWithdrawal({ ...facts, value, used });
  await stores.guards.addUse({ intentId, userId, lamports: value, countsAt });
  return judged;
}

/** The most that can leave by a SOL withdrawal: one of everything takes a remainder along that is too small to stay. */
export function solValue(params: Extract<IntentParams, { kind: 'withdraw-sol' }>): bigint {
  return params.lamports + (params.everything ? RENT_EXEMPT_MINIMUM : 0n);
}
