import { MAX_U64, minBigint } from '@tradepost/solana';
import { ownAct } from '../../../engine/audit/rules.ts';
import type { WithdrawTokenParams } from '../../../engine/intents/kinds/withdraw-token/params.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import {
  type CreateIntentDeps,
  type CreateIntentInput,
  createIntent,
} from '../../../engine/transactions/use/create-intent.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { GuardRules } from '../../guard/rules/guard.ts';
import { provenBefore } from '../../guard/use/verify-pin.ts';
import { type GuardedWithdrawal, guardWithdrawal, solValue } from './guard-withdrawal.ts';

export type ConfirmWithdrawalDeps = Omit<CreateIntentDeps, 'db'> & {
  readonly chain: Pick<Chain, 'rentExemption'>;
  readonly db: Pick<Database, 'transact' | 'guards'>;
  readonly guardRules: GuardRules;
  /** The worth of a token withdrawal in lamports; null when it is not known. */
  readonly tokenValue: (params: WithdrawTokenParams) => Promise<bigint | null>;
};

/**
 * Turns a confirmed quote into an intent, once per `idemKey`, when the PIN is right. The signer checks it in the request that confirms, so
 * that no process without the PIN can have a withdrawal signed. The rules of the quote are not asked again here. The built transaction is
 * simulated, and a balance that changed meanwhile refuses it before anything is signed. Throws the errors of `verifyPin`, `guardWithdrawal`
 * and `createIntent`.
 */
export async function confirmWithdrawal(
  deps: ConfirmWithdrawalDeps,
  input: GuardedWithdrawal &
    Pick<CreateIntentInput, 'idemKey' | 'buttonId' | 'progress'> & { readonly pin: string },
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const { pin, params: quoted, ...given } = input;
  // Asked before the transaction: a slow exchange must not hold the person's lock.
  const value = await withdrawalValue(deps, quoted);
  const params = withWorth(quoted, value);
  const withdrawal = { ...given, params };
  const { userId, walletId, idemKey } = withdrawal;
  const id = deps.ids.ulid();
  const confirmation = await deps.vault.confirm({ id, idemKey, userId, walletId, params }, pin);
  return createIntent(deps, {
    ...withdrawal,
    confirmed: { id, confirmation },
    judge: async (stores, intentId) => {
      const judged = await guardWithdrawal(deps, stores, {
        ...withdrawal,
        intentId,
        value,
        // The signer compared it in the request above: without a right one there is no confirmation.
        proof: provenBefore(userId),
      });
      const { destination } = params;
      const isSol = params.kind === 'withdraw-sol';
      const details = {
        intentId,
        destination,
        mint: isSol ? null : params.mint,
        amount: String(isSol ? params.lamports : params.amount),
        ...judged,
      };
      await stores.auditLog.record(ownAct(input.userId, deps.clock.now(), 'withdrawal-confirmed', details));
      return judged;
    },
  });
}

/** The same withdrawal with the worth that the signer counts: it is confirmed with the rest, so that no row can lower it. */
function withWorth(params: GuardedWithdrawal['params'], value: bigint | null): GuardedWithdrawal['params'] {
  if (!('mint' in params)) return params;
  return { ...params, worth: value === null ? null : minBigint(value, MAX_U64) };
}

/** Its worth in lamports; null when it is not known. */
export async function withdrawalValue(
  { chain, tokenValue }: Pick<ConfirmWithdrawalDeps, 'chain' | 'tokenValue'>,
  params: GuardedWithdrawal['params'],
): Promise<bigint | null> {
  if (params.kind === 'withdraw-token') return tokenValue(params);
  return solValue(params, params.everything ? await chain.rentExemption(0) : 0n);
}
