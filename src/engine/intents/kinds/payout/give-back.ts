import { holdPayouts } from '../../../../modules/referrals/use/hold-payout.ts';
import type { Stores } from '../../../../platform/ports/stores.ts';
import { payoutVoid } from '../../../ledger/rules/postings.ts';
import type { SettleDeps, Voided } from '../../../transactions/use/settlement.ts';
import type { PayoutParams } from './params.ts';

/**
 * The payout did not land: its rewards are payable again. One bad recipient fails a whole transaction and burns its fee. So a batch that
 * FAILED ON CHAIN goes out again as two halves at once, which isolates the culprit in a few rounds. A reward that failed alone waits for
 * the next collection. Inside the commit that ends the intent.
 */
export async function giveBack(
  deps: Pick<SettleDeps, 'clock' | 'ids' | 'treasury'>,
  stores: Stores,
  { intent, params, landedError, receipt }: Voided<PayoutParams>,
): Promise<void> {
  const { clock, ids } = deps;
  const intentId = intent.id;
  const { items } = params;
  const networkFeeLamports = receipt?.feeLamports ?? 0n;
  const posted = await stores.ledger.post(
    payoutVoid({ id: ids.ulid(), createdAt: clock.now() }, intentId, items, networkFeeLamports),
  );
  if (!posted) return;
  await stores.referrals.settle(intentId, 'ACCRUED');
  if (!landedError || items.length < 2) return;
  const conversions = (await stores.convert.payable()).map(String);
  const accrued = await stores.referrals.lockAccrued(
    items.map((item) => item.inviterId),
    conversions,
  );
  const middle = Math.ceil(items.length / 2);
  const halves = [items.slice(0, middle), items.slice(middle)].map((half) =>
    half.flatMap((item) => {
      const waiting = accrued.find((row) => row.inviterId === item.inviterId);
      return waiting === undefined ? [] : [{ ...waiting, recipient: item.recipient }];
    }),
  );
  await holdPayouts(
    deps,
    stores,
    halves.filter((half) => half.length > 0),
  );
}
