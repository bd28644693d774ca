import type {
  Deposit,
  DepositStore,
  UnreadDeposit,
} from '../../../src/modules/deposits/store/deposit-store-port.ts';
import { type MemoryAccess, requireRow } from './memory-state.ts';

const keyOf = ({ walletId, asset, signature }: Deposit): string => `${walletId}/${asset}/${signature}`;

const nameOf = ({ walletId, signature }: Pick<UnreadDeposit, 'walletId' | 'signature'>): string =>
  `${walletId}/${signature}`;

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
    toldBefore: (at, limit) =>
      read((view) =>
        view.deposits
          .rows()
          .filter((one) => one.told && one.at <= at && view.settledDeposits.get(keyOf(one)) === undefined)
          .toSorted((a, b) => a.at - b.at || (a.signature < b.signature ? -1 : 1))
          .slice(0, limit),
      ),
    settle: (deposit, as) =>
      write((view) => {
        const known = view.deposits.get(keyOf(deposit));
        if (known?.told !== true || view.settledDeposits.get(keyOf(deposit)) !== undefined) return false;
        view.settledDeposits.set(keyOf(deposit), as);
        return true;
      }),
    setAside: (unread) =>
      write((view) => {
        requireRow(view.wallets, 'wallets', unread.walletId);
        const name = nameOf(unread);
        if (view.unreadDeposits.get(name) === undefined) view.unreadDeposits.set(name, unread);
      }),
    unread: (limit) =>
      read((view) =>
        view.unreadDeposits
          .rows()
          .filter(({ nextLook }) => nextLook !== null)
          .toSorted((a, b) => (a.nextLook ?? 0) - (b.nextLook ?? 0) || (a.signature < b.signature ? -1 : 1))
          .slice(0, limit),
      ),
    lookLater: (unread, cause, nextLook) =>
      write((view) => {
        const known = view.unreadDeposits.get(nameOf(unread));
        if (known !== undefined) view.unreadDeposits.set(nameOf(unread), { ...known, cause, nextLook });
      }),
    endUnread: (unread) => write((view) => view.unreadDeposits.delete(nameOf(unread))),
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
