import type { Address } from '@tradepost/solana';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { LedgerTransfer } from '../../../engine/ledger/rules/entry.ts';
import { payoutHold } from '../../../engine/ledger/rules/postings.ts';
import { newIntent, stepJob } from '../../../engine/transactions/use/new-intent.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';

export type PayoutPart = {
  readonly inviterId: string;
  readonly recipient: Address;
  readonly lamports: bigint;
  readonly rewardIds: readonly string[];
};

/**
 * Creates one payout intent per batch, moves their rewards to it and the debt to "in flight", and asks for its job: inside the caller's
 * transaction, which must have locked the rewards, so that no reward is ever in two payouts. Writes for all batches go together where
 * they can, because the locks are held meanwhile.
 */
export async function holdPayouts(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly treasury: Wallet },
  stores: Pick<Stores, 'intents' | 'ledger' | 'referrals' | 'outbox'>,
  batches: readonly (readonly PayoutPart[])[],
): Promise<readonly Intent[]> {
  const { ids, clock, treasury } = deps;
  const created: Intent[] = [];
  const holds: LedgerTransfer[] = [];
  for (const parts of batches) {
    const id = ids.ulid();
    const items = parts.map(({ inviterId, recipient, lamports }) => ({ inviterId, recipient, lamports }));
    const intent = newIntent(deps, {
      id,
      userId: null,
      walletId: treasury.id,
      idemKey: `payout/${id}`,
      params: { kind: 'payout', items },
      notBefore: null,
      confirmation: null,
    });
    await stores.intents.insert(intent);
    await stores.referrals.markBatched(
      parts.flatMap((part) => part.rewardIds),
      id,
    );
    holds.push(payoutHold({ id: ids.ulid(), createdAt: clock.now() }, id, items));
    created.push(intent);
  }
  if (created.length === 0) return [];
  await stores.ledger.postAll(holds);
  await stores.outbox.add(created.map((intent) => stepJob(deps, intent)));
  return created;
}
