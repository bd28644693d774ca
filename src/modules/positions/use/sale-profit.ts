import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { costShare } from '../rules/apply-event.ts';
import { foldEvents, positionKey } from '../rules/fold-events.ts';
import { eventsOfReceipt } from '../rules/from-receipt.ts';
import { holdingOf } from '../rules/holding.ts';
import { leavingOf } from '../rules/uncounted-units.ts';
import { knownEvents } from './known-events.ts';

/** The profit of a sale over the cost of the units sold. Lamports, net of every fee. `part`: some of them have no known cost. */
export type SaleProfit = {
  readonly lamports: bigint;
  readonly costLamports: bigint;
  readonly counted: 'all' | 'part';
};

export type SaleResult = {
  /** Null where the act is no sale, and where no unit that was sold has a known cost: then a profit would be made up. */
  readonly profit: SaleProfit | null;
  /** Whether the wallet holds none of the token any more, by every event that is known. Its account may stay open all the same. */
  readonly soldAll: boolean;
  /** Units that are left, by the same events; null where the act is no sale, and where more left than is known to have come. */
  readonly leftUnits: bigint | null;
  /** From the event that brought the first of the units to the sale; null where no such event is known. */
  readonly heldMs: number | null;
};

const NO_SALE: SaleResult = { profit: null, soldAll: false, leftUnits: null, heldMs: null };

/**
 * The profit of a landed sale, final or not. Its own receipt is folded over the known events, pending ones among them, so the profit is
 * known as soon as the sale is. Of the proceeds only the share of the units with a known cost counts.
 */
export async function saleResult(
  db: Pick<Stores, 'positions' | 'wallets'>,
  intent: Intent,
  receipt: LandedReceipt | null,
): Promise<SaleResult> {
  const { params, userId } = intent;
  const trade = tradeOf(params);
  if (trade?.side !== 'sell' || receipt === null || userId === null) return NO_SALE;
  const wallets = await db.wallets.listByUser(userId, { deleted: true });
  const { events } = await knownEvents(
    db,
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
  const folded = foldEvents([...events, ...told]);
  const mine = folded.entries.filter(({ event }) => event.walletId === intent.walletId);
  const at = mine.findIndex(({ event }) => event.kind === 'sell' && event.signature === receipt.signature);
  const entry = mine[at];
  if (entry === undefined || entry.event.kind !== 'sell') return NO_SALE;
  const units = folded.positions.get(positionKey(intent.walletId, trade.mint))?.units ?? -1n;
  const holding = holdingOf(mine.slice(0, at + 1));
  const rest = {
    soldAll: units === 0n,
    leftUnits: units < 0n ? null : units,
    heldMs: holding === null ? null : Math.max(0, entry.event.at - holding.since),
  };
  const costLamports = -entry.costChange;
  const sold = leavingOf(mine.slice(0, at + 1));
  const { uncounted } = sold;
  if (costLamports <= 0n || uncounted >= sold.units) return { profit: null, ...rest };
  const proceeds = costShare({ units: sold.units, cost: entry.event.flowLamports }, sold.units - uncounted);
  const counted = uncounted === 0n ? 'all' : 'part';
  return { profit: { lamports: proceeds - costLamports, costLamports, counted }, ...rest };
}
