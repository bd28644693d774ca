import type { Address } from '../../core/address/address.ts';
import type { StoredPosition } from '../../core/ports/position-store.ts';
import type { Database, Stores } from '../../core/ports/stores.ts';
import { foldEvents } from '../../core/positions/fold-events.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';

/**
 * A person's positions in all wallets they ever had, with every recorded event folded in. All wallets at once, because a move
 * between two of them takes its cost along.
 */
export async function foldPositions(
  db: Database,
  userId: string,
): Promise<{ readonly wallets: readonly Wallet[]; readonly positions: readonly StoredPosition[] }> {
  const wallets = await db.wallets.listByUser(userId, { deleted: true });
  const walletIds = wallets.map(({ id }) => id);
  const known = await db.positions.list(walletIds);
  if (!known.some(({ stale }) => stale)) return { wallets, positions: known };
  await db.transact((stores) => refold(stores, walletIds));
  return { wallets, positions: await db.positions.list(walletIds) };
}

/** Folds what is stale. Events that are recorded meanwhile wait for the locked row, and make it stale again. */
async function refold(stores: Pick<Stores, 'positions'>, walletIds: readonly string[]): Promise<void> {
  const mints: readonly Address[] = await stores.positions.lockStale(walletIds);
  if (mints.length === 0) return;
  const { positions } = foldEvents(await stores.positions.events(walletIds, mints));
  await stores.positions.save([...positions.values()]);
}
