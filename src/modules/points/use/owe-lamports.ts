import type { LedgerTransfer } from '../../../engine/ledger/rules/entry.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Reward } from '../../referrals/rules/reward.ts';

/**
 * Owes a person lamports without a trade, and asks for the next payout, which pays them like an inviter's share. `name` is unique among
 * all rewards; `transfer` books the debt. For use inside a transaction.
 */
export async function oweLamports(
  ids: Ids,
  stores: Pick<Stores, 'ledger' | 'referrals' | 'outbox'>,
  debt: {
    readonly source: Exclude<Reward['source'], 'referral'>;
    readonly name: string;
    readonly userId: string;
    readonly lamports: bigint;
    readonly createdAt: number;
    readonly transfer: LedgerTransfer;
  },
): Promise<void> {
  const { source, name, userId, lamports, createdAt } = debt;
  await stores.ledger.post(debt.transfer);
  await stores.referrals.addReward({
    id: ids.ulid(),
    source,
    inviterId: userId,
    inviteeId: null,
    intentId: null,
    signature: name,
    feeLamports: null,
    lamports,
    status: 'ACCRUED',
    payoutIntentId: null,
    createdAt,
  });
  await stores.outbox.add([
    { id: ids.ulid(), job: 'payout.collect', data: {}, key: 'payout-collect', notBefore: null },
  ]);
}
