import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { costShare } from '../rules/apply-event.ts';
import { foldEvents, positionKey } from '../rules/fold-events.ts';
import { eventsOfReceipt } from '../rules/from-receipt.ts';
import { leavingOf } from '../rules/uncounted-units.ts';
import { knownEvents } from './known-events.ts';

/** What a sale made over what the units sold had cost. Lamports, net of every fee. `part`: some of them have no known cost. */
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
};

const NO_SALE: SaleResult = { profit: null, soldAll: false };

/**
 * The profit of a landed sale, final or not: its own receipt is folded over the events that are known, pending ones among them, so
 * it is told as soon as the sale is. Of what came in only the share of the units with a known cost counts.
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
  const soldAll = folded.positions.get(positionKey(intent.walletId, trade.mint))?.units === 0n;
  const costLamports = -entry.costChange;
  const { units, uncounted } = leavingOf(mine.slice(0, at + 1));
  if (costLamports <= 0n || uncounted >= units) return { profit: null, soldAll };
  const proceeds = costShare({ units, cost: entry.event.flowLamports }, units - uncounted);
  const counted = uncounted === 0n ? 'all' : 'part';
  return { profit: { lamports: proceeds - costLamports, costLamports, counted }, soldAll };
}
