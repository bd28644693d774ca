import { encodeRewardPaid, type RewardPaidNotice } from '../../core/intents/notice-payload.ts';
import { payoutCapture } from '../../core/ledger/postings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { addNotices } from '../../services/transactions/add-notices.ts';
import type { PayoutParams } from '../params.ts';

/** The payout is final: rewards PAID, the debt posted away, each inviter told. Inside the commit that ends the intent. */
export async function capturePayout(
  deps: { readonly clock: Clock; readonly ids: Ids },
  stores: Stores,
  payout: {
    readonly intentId: string;
    readonly items: PayoutParams['items'];
    readonly signature: string;
    readonly networkFeeLamports: bigint;
  },
): Promise<void> {
  const { clock, ids } = deps;
  const { intentId, items, signature, networkFeeLamports } = payout;
  const posted = await stores.ledger.post(
    payoutCapture({ id: ids.ulid(), createdAt: clock.now() }, intentId, items, networkFeeLamports),
  );
  if (!posted) return;
  const sources = await stores.referrals.payoutSources(intentId);
  await stores.referrals.settle(intentId, 'PAID');
  // Rewards that came in while this round was under way.
  await stores.outbox.add([
    { id: ids.ulid(), job: 'payout.collect', data: {}, key: 'payout-collect', notBefore: null },
  ]);
  await addNotices(
    deps,
    stores,
    items.map(({ inviterId, lamports }) => ({
      userId: inviterId,
      intentId,
      kind: 'reward-paid',
      payload: encodeRewardPaid({ lamports, signature, source: sourceOf(sources, inviterId) }),
    })),
  );
}

function sourceOf(
  sources: Awaited<ReturnType<Stores['referrals']['payoutSources']>>,
  inviterId: string,
): RewardPaidNotice['source'] {
  const own = sources.filter((row) => row.inviterId === inviterId);
  return own.length === 1 ? (own[0]?.source ?? 'several') : 'several';
}
