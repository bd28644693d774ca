import type { Address } from '@tradepost/solana';
import { recipientOf } from '../../../engine/intents/kinds/rules.ts';
import { cancelIntent } from '../../../engine/transactions/use/cancel-intent.ts';
import type { GuardDeps } from './deps.ts';

/** The dependencies of a cancellation; none is for the PIN. */
export type CancelDeps = Omit<GuardDeps, 'vault' | 'codes' | 'guardRules'>;

/**
 * Cancels a person's intents that are written down and not signed yet: all of it, or withdrawals alone, or those to one address of one
 * wallet. Returns how many. An intent that is signed meanwhile wins that race and is not counted.
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
