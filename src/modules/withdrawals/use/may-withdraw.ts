import { isYoung } from '../../../core/time/age.ts';
import { feesUpTo } from '../../../engine/intents/kinds/rules.ts';
import type { WithdrawTokenParams } from '../../../engine/intents/kinds/withdraw-token/params.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { CAP_WINDOW_MS } from '../../guard/rules/cap.ts';
import type { Guard, GuardRules } from '../../guard/rules/guard.ts';
import { dueAt, judgeWithdrawal } from '../../guard/rules/judge-withdrawal.ts';
import { withPin } from '../../guard/rules/pin.ts';
import { NEW_PERSON_MS } from '../../guard/rules/unlock.ts';
import { countedFees } from '../../guard/rules/withdrawal-fees.ts';
import { spentNow } from '../../guard/use/guard-spending.ts';
import { assertMayAct } from '../../guard/use/pass-gate.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { withdrawalValue } from './confirm-withdrawal.ts';
import type { GuardedWithdrawal } from './guard-withdrawal.ts';

/**
 * The question of `guardWithdrawal` for the screen before: throws the refusal that the withdrawal would meet now, and changes nothing. A
 * person without a PIN is judged by the guard that a first PIN would leave. Throws WALLET_NOT_FOUND for another person's wallet.
 */
export async function mayWithdraw(
  deps: {
    readonly db: Pick<Stores, 'flags' | 'guards' | 'addressBook' | 'users' | 'wallets'>;
    readonly chain: Pick<Chain, 'rentExemption'>;
    readonly clock: Clock;
    readonly guardRules: GuardRules;
    readonly tokenValue: (params: WithdrawTokenParams) => Promise<bigint | null>;
  },
  { userId, walletId, params }: GuardedWithdrawal,
): Promise<void> {
  const { db, clock, guardRules: rules } = deps;
  const now = clock.now();
  await ownWallet(db.wallets, { userId, walletId });
  const found = await db.guards.find(userId);
  if (found.pinHash === null) await assertMayAct(db, deps, { act: 'pin-set', userId });
  const guard = found.pinHash === null ? await withFirstPin(deps, found, now) : found;
  await assertMayAct(db, deps, { act: 'withdraw', userId }, guard);
  const value = await withdrawalValue(deps, params);
  const entry = (await db.addressBook.find(walletId, params.destination)) ?? {
    id: '',
    userId,
    walletId,
    address: params.destination,
    name: '',
    addedAt: now,
  };
  const facts = { guard, entry, now, rules };
  const used = await db.guards.usedSince(userId, dueAt(facts) - CAP_WINDOW_MS);
  judgeWithdrawal({ ...facts, value, used });
  countedFees(feesUpTo(params), { guard, spent: await spentNow(db, userId, clock), rules, now });
}

async function withFirstPin(
  { db, guardRules }: { readonly db: Pick<Stores, 'users'>; readonly guardRules: GuardRules },
  guard: Guard,
  now: number,
): Promise<Guard> {
  const isNew = isYoung((await db.users.find(guard.userId))?.createdAt ?? 0, NEW_PERSON_MS, now);
  return withPin(guard, 'to be set', now, guardRules, isNew);
}
