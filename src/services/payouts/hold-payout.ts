import type { Address } from '../../core/address/address.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { payoutHold } from '../../core/ledger/postings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { newIntent, stepJob } from '../transactions/new-intent.ts';

export type PayoutPart = {
  readonly inviterId: string;
  readonly recipient: Address;
  readonly lamports: bigint;
  readonly rewardIds: readonly string[];
};

/**
 * Creates one payout intent for the parts, moves their rewards to it and the debt to "in flight", and asks for its job:
 * inside the caller's transaction, which must have locked the rewards, so that no reward is ever in two payouts.
 */
export async function holdPayout(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly treasury: Wallet },
  stores: Pick<Stores, 'intents' | 'ledger' | 'referrals' | 'outbox'>,
  parts: readonly PayoutPart[],
): Promise<Intent> {
  const { ids, clock, treasury } = deps;
  const id = ids.ulid();
  const items = parts.map(({ inviterId, recipient, lamports }) => ({ inviterId, recipient, lamports }));
  const intent = newIntent(deps, {
    id,
    userId: null,
    walletId: treasury.id,
    idemKey: `payout/${id}`,
    params: { kind: 'payout', items },
    notBefore: null,
  });
  await stores.intents.insert(intent);
  await stores.referrals.markBatched(
    parts.flatMap((part) => part.rewardIds),
    id,
  );
  await stores.ledger.post(payoutHold({ id: ids.ulid(), createdAt: clock.now() }, id, items));
  await stores.outbox.add([stepJob(deps, intent)]);
  return intent;
}
