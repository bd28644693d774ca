import { payoutVoid } from '../../core/ledger/postings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import type { PayoutParams } from '../../intents/params.ts';
import { holdPayouts } from './hold-payout.ts';

/**
 * The payout did not land: its rewards are payable again. One bad recipient fails a whole transaction and burns its fee, so
 * a batch that FAILED ON CHAIN goes out again as two halves at once, which isolates the culprit in a few rounds; what failed
 * alone waits for the next collection. Inside the commit that ends the intent.
 */
export async function voidPayout(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly treasury: Wallet },
  stores: Stores,
  payout: {
    readonly intentId: string;
    readonly items: PayoutParams['items'];
    readonly landedError: boolean;
    readonly networkFeeLamports: bigint;
  },
): Promise<void> {
  const { clock, ids } = deps;
  const { intentId, items, landedError, networkFeeLamports } = payout;
  const posted = await stores.ledger.post(
    payoutVoid({ id: ids.ulid(), createdAt: clock.now() }, intentId, items, networkFeeLamports),
  );
  if (!posted) return;
  await stores.referrals.settle(intentId, 'ACCRUED');
  if (!landedError || items.length < 2) return;
  const accrued = await stores.referrals.lockAccrued(items.map((item) => item.inviterId));
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
