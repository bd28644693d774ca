import { emptyGuard, type Guard } from '../../../src/core/guard/guard.ts';
import type { AddressBookStore } from '../../../src/core/ports/address-book-store.ts';
import type { GuardStore } from '../../../src/core/ports/guard-store.ts';
import type { SealedSecretStore } from '../../../src/core/ports/sealed-secret-store.ts';
import { thrownFlags } from './memory-people.ts';
import { byId, insertRow, type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

const MOVED_NOTHING = new Set(['REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED']);

export function memoryGuardStore({ read, write }: MemoryAccess): GuardStore {
  const find = (userId: string) => read((view) => guardOf(view, userId));
  return {
    find,
    lock: find,
    save: (guard) =>
      write((view) => {
        requireRow(view.users, 'users', guard.userId);
        view.guards.set(guard.userId, { ...guard });
      }),
    findByTotpLink: (link) =>
      read((view) => view.guards.rows().find((guard) => guard.nextTotpLink === link)?.userId ?? null),
    addUse: (use) =>
      write((view) => {
        requireRow(view.users, 'users', use.userId);
        insertRow(view.uses, 'withdrawal_uses', use.intentId, { ...use });
      }),
    addSpending: (use) =>
      write((view) => {
        requireRow(view.users, 'users', use.userId);
        insertRow(view.spendings, 'spending_uses', use.intentId, { ...use });
      }),
    findWithPauses: (userId) =>
      read((view) => ({
        guard: guardOf(view, userId),
        paused: new Set(thrownFlags(view).filter((flag) => flag !== 'quarantined')),
      })),
    findWithSpent: (userId, since) =>
      read((view) => ({ guard: guardOf(view, userId), spent: spentSince(view, userId, since) })),
    spentSince: (userId, since) => read((view) => spentSince(view, userId, since)),
    usedSince: (userId, since) =>
      read((view) => {
        const uses = view.uses.rows().filter((use) => {
          const intent = view.intents.get(use.intentId);
          return (
            use.userId === userId &&
            use.countsAt >= since &&
            intent !== undefined &&
            !MOVED_NOTHING.has(intent.status)
          );
        });
        return {
          lamports: uses.reduce((sum, use) => sum + (use.lamports ?? 0n), 0n),
          unpriced: uses.filter((use) => use.lamports === null).length,
        };
      }),
  };
}

const guardOf = (view: MemoryView, userId: string): Guard => view.guards.get(userId) ?? emptyGuard(userId);

function spentSince(view: MemoryView, userId: string, since: number): bigint {
  return view.spendings
    .rows()
    .filter((use) => {
      const intent = view.intents.get(use.intentId);
      return (
        use.userId === userId &&
        use.countsAt >= since &&
        intent !== undefined &&
        !MOVED_NOTHING.has(intent.status)
      );
    })
    .reduce((sum, use) => sum + use.lamports, 0n);
}

export function memoryAddressBookStore({ read, write }: MemoryAccess): AddressBookStore {
  return {
    list: (walletId) =>
      read((view) =>
        view.addressBook
          .rows()
          .filter((entry) => entry.walletId === walletId)
          .sort(byId),
      ),
    find: (walletId, address) =>
      read(
        (view) =>
          view.addressBook.rows().find((entry) => entry.walletId === walletId && entry.address === address) ??
          null,
      ),
    insert: (entry) =>
      write((view) => {
        const known = view.addressBook
          .rows()
          .find((other) => other.walletId === entry.walletId && other.address === entry.address);
        if (known) return known;
        requireRow(view.users, 'users', entry.userId);
        requireRow(view.wallets, 'wallets', entry.walletId);
        insertRow(view.addressBook, 'address_book', entry.id, { ...entry });
        return entry;
      }),
    rename: (id, name) =>
      write((view) => {
        const entry = view.addressBook.get(id);
        if (entry !== undefined) view.addressBook.set(id, { ...entry, name });
      }),
    remove: (id, userId) =>
      write((view) => {
        const entry = view.addressBook.get(id);
        if (entry === undefined || entry.userId !== userId) return null;
        view.addressBook.delete(id);
        return entry;
      }),
  };
}

export function memorySealedSecretStore({ read, write }: MemoryAccess): SealedSecretStore {
  return {
    find: (name) => read((view) => structuredClone(view.sealedSecrets.get(name)) ?? null),
    insert: (secret) =>
      write((view) => {
        if (view.sealedSecrets.get(secret.name)) return false;
        view.sealedSecrets.set(secret.name, structuredClone(secret));
        return true;
      }),
    rewrap: (secret, kekId) =>
      write((view) => {
        if (view.sealedSecrets.get(secret.name)?.kekId !== kekId) return false;
        view.sealedSecrets.set(secret.name, structuredClone(secret));
        return true;
      }),
  };
}
