import type { Stores } from '../../../../platform/ports/stores.ts';
import { payoutCapture } from '../../../ledger/rules/postings.ts';
import { addNotices } from '../../../transactions/use/add-notices.ts';
import type { Finalized, SettleDeps, Settlement } from '../../../transactions/use/settlement.ts';
import { encodeRewardPaid, type RewardPaidNotice } from '../../rules/notice-payload.ts';
import { giveBack } from './give-back.ts';
import type { PayoutParams } from './params.ts';

export const settlement: Settlement<PayoutParams> = { capture, giveBack };

/** The payout is final: rewards PAID, the debt posted away, each inviter notified. Inside the commit that ends the intent. */
async function capture(
  deps: SettleDeps,
  stores: Stores,
  { intent, params, attempt, receipt }: Finalized<PayoutParams>,
): Promise<void> {
  const { clock, ids } = deps;
  const intentId = intent.id;
  const { items } = params;
  const { signature } = attempt;
  const networkFeeLamports = receipt?.feeLamports ?? 0n;
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
