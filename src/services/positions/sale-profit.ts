import type { Intent, LandedReceipt } from '../../core/intents/intent.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { foldEvents } from '../../core/positions/fold-events.ts';
import { eventsOfReceipt } from '../../core/positions/from-receipt.ts';
import { tradeOf } from '../../intents/rules.ts';

/** What a sale made over what the units sold had cost. Lamports, net of every fee. */
export type SaleProfit = { readonly lamports: bigint; readonly costLamports: bigint };

/**
 * The profit of a landed sale, final or not: its own receipt is folded over the events that are known, so it is told as soon as
 * the sale is. Null for what is no sale, and where nothing that was sold has a known cost: then a profit would be made up.
 */
export async function saleProfit(
  db: Pick<Stores, 'positions' | 'wallets'>,
  intent: Intent,
  receipt: LandedReceipt | null,
): Promise<SaleProfit | null> {
  const { params, userId } = intent;
  const trade = tradeOf(params);
  if (trade?.side !== 'sell' || receipt === null || userId === null) return null;
  const wallets = await db.wallets.listByUser(userId, { deleted: true });
  const known = await db.positions.events(
    wallets.map(({ id }) => id),
    [trade.mint],
  );
  const told = eventsOfReceipt({
    intent,
    terms: trade.terms,
    receipt,
    failed: false,
    final: false,
    now: intent.updatedAt,
    ownRecipient: null,
  });
  const entry = foldEvents([...known, ...told]).entries.find(
    ({ event }) => event.kind === 'sell' && event.signature === receipt.signature,
  );
  if (entry === undefined || entry.event.kind !== 'sell') return null;
  const costLamports = -entry.costChange;
  return costLamports <= 0n ? null : { lamports: entry.realizedChange, costLamports };
}
