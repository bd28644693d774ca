import type { FeesAt } from '../../../engine/fees/rules/fee-table.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import { inviterShare, tradeFeeTransfer } from '../../../engine/ledger/rules/postings.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';

/**
 * Books the fee of a trade or a creation and the inviter's share of it, inside the commit that makes it final, and asks for a
 * payout.
 * An inviter without a wallet, or with an empty one, holds nothing up: the share waits in the ledger until it is payable.
 */
export async function accrueReward(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly fees: FeesAt },
  stores: Pick<Stores, 'users' | 'ledger' | 'referrals' | 'outbox'>,
  fee: {
    readonly intent: Intent;
    readonly signature: string;
    readonly feeLamports: bigint;
    /** When it landed: the share is that of the version in force then, so that the chain alone tells it. */
    readonly at: number;
  },
): Promise<void> {
  const { intent, signature, feeLamports } = fee;
  if (feeLamports <= 0n || intent.userId === null) return;
  const { clock, ids } = deps;
  const trader = await stores.users.find(intent.userId);
  const inviterId = trader?.inviterId ?? null;
  const shareLamports =
    inviterId === null ? 0n : inviterShare(feeLamports, deps.fees(fee.at).referralShareBps);
  const posted = await stores.ledger.post(
    tradeFeeTransfer(
      { id: ids.ulid(), createdAt: clock.now() },
      {
        intentId: intent.id,
        signature,
        feeLamports,
        inviter: inviterId === null ? null : { id: inviterId, shareLamports },
      },
    ),
  );
  if (!posted || inviterId === null || shareLamports === 0n) return;
  await stores.referrals.addReward({
    id: ids.ulid(),
    source: 'referral',
    inviterId,
    inviteeId: intent.userId,
    intentId: intent.id,
    signature,
    feeLamports,
    lamports: shareLamports,
    status: 'ACCRUED',
    payoutIntentId: null,
    createdAt: clock.now(),
  });
  await stores.outbox.add([
    { id: ids.ulid(), job: 'payout.collect', data: {}, key: 'payout-collect', notBefore: null },
  ]);
}
