import type { PayoutParams } from '../../../engine/intents/kinds/payout/params.ts';
import { landedReceipt } from '../../../engine/intents/rules/receipt.ts';
import { payoutHold } from '../../../engine/ledger/rules/postings.ts';
import { captureIntent } from '../../../engine/transactions/use/settle-intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { adoptedAttempt } from './adopted-attempt.ts';
import type { Finding, Landing, ReconcileDeps } from './reconcile.ts';
import { recoveredIntent } from './recover-intent.ts';

/** Thrown to roll back: the payout does not fit the rewards. */
class UnmatchedError extends Error {}

/**
 * Recreates a payout that was made after the dump. Each recipient is an inviter's wallet, and its amount is the sum of that inviter's
 * oldest payable rewards, which are marked paid. When the sums do not fit, nothing is written and it is a mismatch: guessing would pay a
 * person twice or never.
 */
export async function recoverPayout(
  deps: ReconcileDeps,
  landing: Landing,
): Promise<Pick<Finding, 'what' | 'detail'>> {
  const { landed, entry, wallet } = landing;
  const at = entry.at ?? deps.clock.now();
  const items: PayoutParams['items'][number][] = [];
  for (const { address, before, after } of landed.balances) {
    if (address === wallet.address || after <= before) continue;
    const recipient = await deps.db.wallets.findByAddress(address);
    if (recipient === null || recipient.userId === null) {
      return {
        what: 'mismatch',
        detail: `the treasury paid ${after - before} lamports to ${address}, which is nobody's wallet here`,
      };
    }
    items.push({ inviterId: recipient.userId, recipient: address, lamports: after - before });
  }
  const params: PayoutParams = { kind: 'payout', items };
  const receipt = landedReceipt(landed, { wallet: wallet.address, treasury: wallet.address, params });
  const intent = recoveredIntent(deps, landing, params, receipt, at);
  const attempt = adoptedAttempt(deps.ids, landing, 1, null, at);
  const clock = { now: () => at };
  try {
    await deps.db.transact(async (stores) => {
      const rewardIds: string[] = [];
      for (const item of items) rewardIds.push(...(await rewardsWorth(stores, item)));
      await stores.intents.insert(intent);
      await stores.intents.insertAttempt(attempt);
      await stores.referrals.markBatched(rewardIds, intent.id);
      await stores.ledger.post(payoutHold({ id: deps.ids.ulid(), createdAt: at }, intent.id, items));
      await captureIntent({ ...deps, clock }, stores, intent, attempt, receipt);
    });
  } catch (error) {
    if (error instanceof UnmatchedError) return { what: 'mismatch', detail: error.message };
    throw error;
  }
  return { what: 'recreated', detail: `payout ${intent.receipt} to ${items.length} inviters` };
}

/** The inviter's oldest payable rewards whose sum is exactly the amount paid. */
async function rewardsWorth(
  stores: Pick<Stores, 'referrals'>,
  item: PayoutParams['items'][number],
): Promise<readonly string[]> {
  const all = await stores.referrals.rewards(item.inviterId, 1_000_000);
  const payable = all.filter(({ status }) => status === 'ACCRUED').toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const taken: string[] = [];
  let sum = 0n;
  for (const reward of payable) {
    if (sum >= item.lamports) break;
    sum += reward.lamports;
    taken.push(reward.id);
  }
  if (sum === item.lamports) return taken;
  throw new UnmatchedError(
    `the treasury paid ${item.lamports} lamports to ${item.recipient}, whose payable rewards come to ${sum} here`,
  );
}
