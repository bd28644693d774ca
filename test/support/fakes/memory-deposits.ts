import type { Deposit, DepositStore } from '../../../src/core/ports/deposit-store.ts';
import { type MemoryAccess, requireRow } from './memory-state.ts';

const keyOf = ({ walletId, asset, signature }: Deposit): string => `${walletId}/${asset}/${signature}`;

export function memoryDepositStore({ read, write }: MemoryAccess): DepositStore {
  return {
    walletIds: (fromId) =>
      read((view) =>
        view.wallets
          .rows()
          .filter(({ id, userId }) => id >= fromId && userId !== null)
          .map(({ id }) => id)
          .toSorted(),
      ),
    load: (walletIds) =>
      read((view) =>
        view.wallets
          .rows()
          .filter(({ id }) => walletIds.includes(id))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .flatMap(({ id: walletId, userId, address, createdAt }) =>
            userId === null
              ? []
              : [
                  {
                    walletId,
                    userId,
                    address,
                    createdAt,
                    mints: view.positions
                      .rows()
                      .filter((one) => one.walletId === walletId && (one.units > 0n || one.stale))
                      .map(({ mint }) => mint)
                      .toSorted(),
                    cursors: view.depositCursors
                      .rows()
                      .filter((one) => one.walletId === walletId)
                      .toSorted((a, b) => (a.account < b.account ? -1 : 1)),
                  },
                ],
          ),
      ),
    add: (deposits) =>
      write((view) =>
        deposits.filter((deposit) => {
          if (view.deposits.get(keyOf(deposit)) !== undefined) return false;
          requireRow(view.wallets, 'wallets', deposit.walletId);
          view.deposits.set(keyOf(deposit), deposit);
          return true;
        }),
      ),
    toldSince: (userId, since) =>
      read(
        (view) =>
          view.deposits.rows().filter((one) => one.userId === userId && one.at >= since && one.told).length,
      ),
    saveCursors: (cursors) =>
      write((view) => {
        for (const cursor of cursors) {
          requireRow(view.wallets, 'wallets', cursor.walletId);
          const since = view.depositCursors.get(cursor.account)?.since ?? cursor.since;
          view.depositCursors.set(cursor.account, { ...cursor, since });
        }
      }),
  };
}
