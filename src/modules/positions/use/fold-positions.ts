import type { Address } from '@tradepost/solana';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { foldEvents, positionKey } from '../rules/fold-events.ts';
import type { RecordedEvent, StoredPosition } from '../store/position-store-port.ts';
import { knownEvents } from './known-events.ts';

/** A position with every trade that is confirmed. `notFinal`: how many of these trades a fork may still take back. */
export type HeldPosition = StoredPosition & { readonly notFinal: number };

/**
 * A person's positions in all wallets they ever had, with every recorded event folded in, and the confirmed trades that are not final. All
 * wallets at once, because a move between two of them takes its cost along.
 */
export async function foldPositions(
  db: Database,
  userId: string,
): Promise<{ readonly wallets: readonly Wallet[]; readonly positions: readonly HeldPosition[] }> {
  const wallets = await db.wallets.listByUser(userId, { deleted: true });
  const walletIds = wallets.map(({ id }) => id);
  // Before the positions: an event that becomes final meanwhile is then in both, and counts once.
  const pending = await db.positions.pending(walletIds);
  let known = await db.positions.list(walletIds);
  if (known.some(({ stale }) => stale)) known = await db.transact((stores) => refold(stores, walletIds));
  return { wallets, positions: await withEvents(db, walletIds, known, mintsOf(pending)) };
}

/** The same by reading alone: recorded events that no process has folded yet are folded for this answer, and nothing is written. */
export async function readPositions(
  db: Pick<Stores, 'positions' | 'wallets'>,
  userId: string,
): Promise<{ readonly wallets: readonly Wallet[]; readonly positions: readonly HeldPosition[] }> {
  const wallets = await db.wallets.listByUser(userId, { deleted: true });
  const walletIds = wallets.map(({ id }) => id);
  const pending = await db.positions.pending(walletIds);
  const known = await db.positions.list(walletIds);
  const mints = mintsOf([...pending, ...known.filter(({ stale }) => stale)]);
  return { wallets, positions: await withEvents(db, walletIds, known, mints) };
}

const mintsOf = (of: readonly { readonly mint: Address }[]): readonly Address[] => [
  ...new Set(of.map(({ mint }) => mint)),
];

/** The positions, those of `mints` folded from all that is known of them. The others stay as they were folded. */
async function withEvents(
  db: Pick<Stores, 'positions'>,
  walletIds: readonly string[],
  known: readonly StoredPosition[],
  mints: readonly Address[],
): Promise<readonly HeldPosition[]> {
  if (mints.length === 0) return known.map((position) => ({ ...position, notFinal: 0 }));
  const told = await knownEvents(db, walletIds, mints);
  const { positions } = foldEvents(told.events);
  const rest = new Map(positions);
  const shown = known.map((position): HeldPosition => {
    const key = positionKey(position.walletId, position.mint);
    const folded = rest.get(key);
    rest.delete(key);
    const stale = position.stale && folded === undefined;
    return { ...position, ...folded, stale, notFinal: tradesIn(told.pending, position) };
  });
  const opened = [...rest.values()].map((position): HeldPosition => {
    const notFinal = tradesIn(told.pending, position);
    return { ...position, stale: false, hiddenByPerson: null, odd: null, midnight: null, notFinal };
  });
  return [...opened, ...shown];
}

/** How many transactions among these events touch the position. */
function tradesIn(
  pending: readonly RecordedEvent[],
  { walletId, mint }: { readonly walletId: string; readonly mint: Address },
): number {
  const own = pending.filter((event) => event.walletId === walletId && event.mint === mint);
  return new Set(own.map(({ signature }) => signature)).size;
}

/** Folds the stale positions, and answers all. Events that are recorded meanwhile wait for the locked row, and make it stale again. */
async function refold(
  { positions: store }: Pick<Stores, 'positions'>,
  walletIds: readonly string[],
): Promise<readonly StoredPosition[]> {
  const mints: readonly Address[] = await store.lockStale(walletIds);
  if (mints.length > 0) {
    const { positions } = foldEvents(await store.events(walletIds, mints));
    await store.save([...positions.values()]);
  }
  return store.list(walletIds);
}
