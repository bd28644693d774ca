import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { passFree } from '../../../modules/guard/rules/pass-free.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { ownAct } from '../../audit/rules.ts';
import { recipientOf } from '../../intents/kinds/rules.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { reduce } from '../../intents/rules/machine.ts';
import { type CommitDeps, commitTransition } from './commit-transition.ts';

/**
 * T10: cancels an intent that has no signature. `cancelled` false means that it was already under way or over and cannot be recalled;
 * `intent` is its state afterwards. For a withdrawal that still waited for its new address, the same commit removes that address from the
 * book (`forgotten`), unless another withdrawal waits for it. Throws INTENT_NOT_FOUND for a stranger's intent.
 */
export async function cancelIntent(
  deps: CommitDeps,
  input: { readonly intentId: string; readonly userId: string },
): Promise<{ readonly cancelled: boolean; readonly forgotten: boolean; readonly intent: Intent }> {
  const intent = await deps.db.intents.find(input.intentId);
  if (intent === null || intent.userId !== input.userId) throw new AppError('INTENT_NOT_FOUND', {});
  const attempts = await deps.db.intents.attempts(intent.id);
  const transition = reduce({ intent, attempts }, { kind: 'cancelled' }, deps.clock.now());
  let forgotten = false;
  // Compare-and-set on CREATED: against a signature committed in between, the loser of the two changes nothing.
  const cancelled =
    transition.writes.length > 0 &&
    (await commitTransition(deps, transition, null, {
      beside: async (stores) => {
        const address = recipientOf(intent.params);
        if (address === null) return;
        const now = deps.clock.now();
        forgotten = await forgetNewAddress(stores, intent, address, now);
        const { userId } = input;
        const { walletId } = intent;
        if (forgotten)
          await stores.auditLog.record(ownAct(userId, now, 'address-removed', { walletId, address }));
        await stores.auditLog.record(ownAct(userId, now, 'withdrawal-cancelled', { intentId: intent.id }));
      },
    }));
  return {
    cancelled,
    forgotten: cancelled && forgotten,
    intent: cancelled ? transition.state.intent : ((await deps.db.intents.find(intent.id)) ?? intent),
  };
}

/**
 * Takes an address out of the book before its first payment was possible. Else a thief's address would go on ageing after its owner has
 * cancelled the withdrawal. The next withdrawal there would then neither wait nor be announced.
 */
async function forgetNewAddress(
  { intents, addressBook }: Pick<Stores, 'intents' | 'addressBook'>,
  { id, userId, walletId, notBefore }: Intent,
  address: Address,
  now: number,
): Promise<boolean> {
  if (userId === null || notBefore === null || notBefore <= now) return false;
  const isAwaited = (await intents.listOpen(userId)).some(
    (other) => other.id !== id && other.walletId === walletId && recipientOf(other.params) === address,
  );
  const entry = isAwaited ? null : await addressBook.find(walletId, address);
  const passed = passFree('withdrawal-stop', userId);
  return entry !== null && (await addressBook.remove(passed, entry.id, userId)) !== null;
}
