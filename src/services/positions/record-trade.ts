import type { Attempt, Intent, LandedReceipt } from '../../core/intents/intent.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { eventsOfReceipt } from '../../core/positions/from-receipt.ts';
import { recipientOf } from '../../intents/rules.ts';
import { recordEvents } from './record-events.ts';

/**
 * Writes down what a final transaction did to positions, inside the commit that makes it final: an event is there if and only if
 * its intent ended so, and its key is unique, so a repeat after a lost acknowledgement writes nothing. A failed attempt costs its
 * fee, whether another follows or not. Without a receipt nothing is written: the next look at the wallet finds what is missing.
 * The service's own wallet has no positions.
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
): Promise<void> {
  const { intent, attempt, receipt, failed } = landed;
  if (receipt === null || intent.userId === null) return;
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
}

/** The wallet of the same person that a withdrawal goes to; null for one to somebody else, and for what is none. */
export async function ownRecipient(
  stores: Pick<Stores, 'wallets'>,
  { params, userId }: Intent,
): Promise<{ readonly walletId: string } | null> {
  const recipient = recipientOf(params);
  if (recipient === null) return null;
  const wallet = await stores.wallets.findByAddress(recipient);
  return wallet === null || wallet.userId !== userId ? null : { walletId: wallet.id };
}
