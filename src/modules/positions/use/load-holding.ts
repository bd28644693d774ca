import type { Address } from '@tradepost/solana';
import type { Stores } from '../../../platform/ports/stores.ts';
import { foldEvents } from '../rules/fold-events.ts';
import { type Holding, holdingOf } from '../rules/holding.ts';
import { knownEvents } from './known-events.ts';

/** Since when one wallet holds a token, with confirmed trades that are not final; null where no event shows it. */
export async function loadHolding(
  db: Pick<Stores, 'positions' | 'wallets'>,
  asked: { readonly userId: string; readonly walletId: string; readonly mint: Address },
): Promise<Holding | null> {
  // All wallets at once: a move between two of them takes its cost along.
  const wallets = await db.wallets.listByUser(asked.userId, { deleted: true });
  const ids = wallets.map(({ id }) => id);
  const { events } = await knownEvents(db, ids, [asked.mint]);
  const { entries } = foldEvents(events);
  return holdingOf(entries.filter(({ event }) => event.walletId === asked.walletId));
}
