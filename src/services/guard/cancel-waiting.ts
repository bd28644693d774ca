import type { Address } from '../../core/address/address.ts';
import { recipientOf } from '../../intents/rules.ts';
import { cancelIntent } from '../transactions/cancel-intent.ts';
import type { GuardDeps } from './deps.ts';

/** What cancels; nothing of the PIN. */
export type CancelDeps = Omit<GuardDeps, 'vault' | 'codes' | 'guardRules'>;

/**
 * Cancels what of a person is written down and not signed yet: all of it, or withdrawals alone, or those to one address of
 * one wallet. Returns how many. What is signed meanwhile wins that race and is not counted.
 */
export async function cancelWaiting(
  deps: CancelDeps,
  input: {
    readonly userId: string;
    readonly only: 'everything' | 'withdrawals' | { readonly walletId: string; readonly address: Address };
  },
): Promise<number> {
  const { userId, only } = input;
  let count = 0;
  for (const intent of await deps.db.intents.listOpen(userId)) {
    if (intent.status !== 'CREATED') continue;
    if (only !== 'everything') {
      const recipient = recipientOf(intent.params);
      if (recipient === null) continue;
      if (only !== 'withdrawals' && (intent.walletId !== only.walletId || recipient !== only.address))
        continue;
    }
    const { cancelled } = await cancelIntent(deps, { intentId: intent.id, userId });
    if (cancelled) count += 1;
  }
  return count;
}
