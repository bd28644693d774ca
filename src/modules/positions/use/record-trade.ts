import { recipientOf } from '../../../engine/intents/kinds/rules.ts';
import type { Attempt, Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { eventsOfReceipt } from '../rules/from-receipt.ts';
import type { RecordedEvent } from '../store/position-store-port.ts';
import { recordEvents } from './record-events.ts';

/**
 * Records a final transaction's effect on positions, inside the commit that makes it final. So an event exists if and only if its intent
 * ended so. Its key is unique, so a repeat after a lost acknowledgement writes nothing. A failed attempt costs its fee, whether another
 * follows or not. Without a receipt nothing is written: the next reconciliation of the wallet finds the rest. The service's own wallet has
 * no positions. Returns the recorded events.
 */
export async function recordTrade(
  deps: { readonly clock: Clock },
  stores: Pick<Stores, 'positions' | 'wallets'>,
  landed: {
    readonly intent: Intent;
    readonly attempt: Attempt;
    readonly receipt: LandedReceipt | null;
    readonly failed: boolean;
  },
): Promise<readonly RecordedEvent[]> {
  const { intent, attempt, receipt, failed } = landed;
  if (receipt === null || intent.userId === null) return [];
  const events = eventsOfReceipt({
    intent,
    terms: attempt.terms,
    receipt,
    failed,
    final: true,
    now: deps.clock.now(),
    ownRecipient: await ownRecipient(stores, intent),
  });
  await recordEvents(stores, events);
  return events;
}

/**
 * Counts a confirmed transaction at once, inside the commit that sees it confirmed. Its rows are bound to the attempt: the commit
 * that ends the attempt removes them, as final or as taken back. Without a receipt nothing is counted before it is final. Returns the counted events.
 */
export async function recordPending(
  deps: { readonly clock: Clock },
  stores: Pick<Stores, 'positions' | 'wallets'>,
  landed: { readonly intent: Intent; readonly attempt: Attempt; readonly receipt: LandedReceipt | null },
): Promise<readonly RecordedEvent[]> {
  const { intent, attempt, receipt } = landed;
  if (receipt === null || intent.userId === null) return [];
  const events = eventsOfReceipt({
    intent,
    terms: attempt.terms,
    receipt,
    failed: false,
    final: false,
    now: deps.clock.now(),
    ownRecipient: await ownRecipient(stores, intent),
  });
  await stores.positions.addPending(attempt.id, events);
  return events;
}

/** The wallet of the same person that a withdrawal goes to; null for one to another person, and for any other kind. */
export async function ownRecipient(
  stores: Pick<Stores, 'wallets'>,
  { params, userId }: Intent,
): Promise<{ readonly walletId: string } | null> {
  const recipient = recipientOf(params);
  if (recipient === null) return null;
  const wallet = await stores.wallets.findByAddress(recipient);
  return wallet === null || wallet.userId !== userId ? null : { walletId: wallet.id };
}
