import { earliestOf } from '../../../core/time/due.ts';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { feesUpTo } from '../../../engine/intents/kinds/rules.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { CAP_WINDOW_MS } from '../../guard/rules/cap.ts';
import type { GuardRules } from '../../guard/rules/guard.ts';
import { dueAt, judgeWithdrawal } from '../../guard/rules/judge-withdrawal.ts';
import type { RightPin } from '../../guard/rules/right-pin.ts';
import { countedFees } from '../../guard/rules/withdrawal-fees.ts';
import { bookAddress } from '../../guard/use/address-book.ts';
import { countSpending, spentNow } from '../../guard/use/guard-spending.ts';
import { passGate } from '../../guard/use/pass-gate.ts';

/** A withdrawal about to be confirmed. */
export type GuardedWithdrawal = {
  readonly userId: string;
  readonly walletId: string;
  readonly params: Extract<IntentParams, { kind: 'withdraw-sol' | 'withdraw-token' }>;
};

/**
 * The one gate every withdrawal passes before it becomes an intent: every rule that may stop or delay it belongs here. Runs inside the
 * transaction that writes the intent, under the person's guard lock, so that two at once count one after the other. A new address enters
 * the book. `value` is its worth in lamports, null when it is not known. Returns the moment before which nothing may be built, null = at
 * once. Throws ADDRESS_BOOK_FULL and the errors of `passGate`, `judgeWithdrawal` and, for its network fees, `countedFees`.
 */
export async function guardWithdrawal(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly guardRules: GuardRules },
  stores: Stores,
  withdrawal: GuardedWithdrawal & {
    readonly intentId: string;
    readonly value: bigint | null;
    readonly proof: RightPin;
  },
): Promise<{ readonly notBefore: number | null }> {
  const { userId, walletId, params, intentId, value } = withdrawal;
  const passed = await passGate(stores, deps, { act: 'withdraw', userId, proof: withdrawal.proof });
  const guard = await stores.guards.lock(userId);
  const entry = await bookAddress(deps, stores, passed, {
    userId,
    walletId,
    address: params.destination,
    name: null,
  });
  // A clock that runs ahead must not make a new address old.
  const now = earliestOf(deps.clock);
  const facts = { guard, entry, now, rules: deps.guardRules };
  const countsAt = dueAt(facts);
  const used = await stores.guards.usedSince(userId, countsAt - CAP_WINDOW_MS);
  const judged = judgeWithdrawal({ ...facts, value, used });
  const spent = await spentNow(stores, userId, deps.clock);
  const fees = feesUpTo(params);
  const count = countedFees(fees, { guard, spent, rules: deps.guardRules, now });
  await countSpending(stores, { intentId, userId, countsAt: deps.clock.now(), fees }, count);
  await stores.guards.addUse({ intentId, userId, lamports: value, countsAt });
  return judged;
}

/**
 * The most that can leave by a SOL withdrawal: one of everything takes a remainder along that is too small to stay. `minimum` is the
 * rent-exempt minimum of a plain account.
 */
export function solValue(params: Extract<IntentParams, { kind: 'withdraw-sol' }>, minimum: bigint): bigint {
  return params.lamports + (params.everything ? minimum : 0n);
}
