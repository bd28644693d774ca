import { isDeepStrictEqual } from 'node:util';
import { emptyGuard, type Guard } from '../../../src/modules/guard/rules/guard.ts';
import type { SpentSums } from '../../../src/modules/guard/rules/spent.ts';
import type { AddressBookStore } from '../../../src/modules/guard/store/address-book-store-port.ts';
import type { GuardStore, SpendingUse } from '../../../src/modules/guard/store/guard-store-port.ts';
import type { ExportStore } from '../../../src/modules/wallets/store/export-store-port.ts';
import type { SealedSecretStore } from '../../../src/platform/ports/sealed-secret-store.ts';
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
    saveTries: (guard) =>
      write((view) => {
        const { pinFailures, pinLocks, pinLockedUntil, pinTrying, pinRightAt, totpStep, totpEndsAt } = guard;
        const { recoveryCodes, nextRecoveryCodes, nextTotpLink } = guard;
        view.guards.set(guard.userId, {
          ...guardOf(view, guard.userId),
          pinFailures,
          pinLocks,
          pinLockedUntil,
          pinTrying,
          pinRightAt,
          totpStep,
          totpEndsAt,
          recoveryCodes,
          nextRecoveryCodes,
          nextTotpLink,
        });
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
    addAct: (use) =>
      write((view) => {
        if (use.by.userId !== undefined) requireRow(view.users, 'users', use.by.userId);
        insertRow(view.actUses, 'act_uses', use.id, { ...use });
      }),
    // One transaction after the other here.
    lockAccount: async () => undefined,
    actsSince: (by, rate, since) =>
      read((view) =>
        view.actUses
          .rows()
          .filter((use) => isDeepStrictEqual(use.by, by) && use.rate === rate && use.at >= since)
          .map(({ at }) => at)
          .toSorted((one, other) => one - other),
      ),
    findWithPauses: (userId) =>
      read((view) => ({
        guard: guardOf(view, userId),
        paused: new Set(thrownFlags(view).filter((flag) => flag !== 'quarantined')),
      })),
    findWithSums: (userId, since) =>
      read((view) => ({ guard: guardOf(view, userId), spent: sumsSince(view, userId, since) })),
    sumsSince: (userId, since) => read((view) => sumsSince(view, userId, since)),
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

function sumsSince(view: MemoryView, userId: string, since: number): SpentSums {
  const uses = movedSpendings(view, userId);
  const day = uses.filter(({ countsAt }) => countsAt >= since);
  const { pinRightAt, pinSetAt } = guardOf(view, userId);
  const from = pinRightAt ?? pinSetAt ?? 0;
  return {
    s: sumOf(day, ({ lamports }) => lamports),
    k: sumOf(day, ({ all, lamports }) => all ?? lamports),
    d: sumOf(day, ({ doubted }) => doubted ?? 0n),
    floor: sumOf(day, ({ floor }) => floor ?? 0n),
    sinceRight: sumOf(
      uses.filter(({ countsAt }) => countsAt >= from),
      ({ lamports }) => lamports,
    ),
  };
}

function movedSpendings(view: MemoryView, userId: string): readonly SpendingUse[] {
  return view.spendings.rows().flatMap((use): readonly SpendingUse[] => {
    const intent = view.intents.get(use.intentId);
    if (use.userId !== userId || intent === undefined) return [];
    if (!MOVED_NOTHING.has(intent.status)) return [use];
    const landed = view.attempts
      .rows()
      .some(({ intentId, status }) => intentId === intent.id && status === 'LANDED_ERR');
    if (!landed) return [];
    const { lamports, all = lamports, doubted = 0n, fees = 0n } = use;
    const paid = (sum: bigint): bigint => (sum < fees ? sum : fees);
    return [{ ...use, lamports: paid(lamports), all: paid(all), doubted: paid(doubted) }];
  });
}

function sumOf(uses: readonly SpendingUse[], of: (use: SpendingUse) => bigint): bigint {
  return uses.reduce((sum, use) => sum + of(use), 0n);
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
    insert: (_passed, entry) =>
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
    rename: (_passed, id, name) =>
      write((view) => {
        const entry = view.addressBook.get(id);
        if (entry !== undefined) view.addressBook.set(id, { ...entry, name });
      }),
    remove: (_passed, id, userId) =>
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

export function memoryExportStore({ read, write }: MemoryAccess): ExportStore {
  return {
    find: (id) => read((view) => view.exports.get(id) ?? null),
    listByUser: (userId, since) =>
      read((view) =>
        view.exports
          .rows()
          .filter((row) => row.userId === userId && (row.askedAt >= since || row.end === null))
          .toSorted((a, b) => b.askedAt - a.askedAt || (a.id < b.id ? 1 : -1)),
      ),
    listOpen: (now, limit) =>
      read((view) =>
        view.exports
          .rows()
          .filter((row) => row.end === null && row.endsAt > now)
          .toSorted((a, b) => a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1))
          .slice(0, limit),
      ),
    insert: (_passed, asked) =>
      write((view) => {
        requireRow(view.users, 'users', asked.userId);
        requireRow(view.wallets, 'wallets', asked.walletId);
        if (view.exports.rows().some((row) => row.userId === asked.userId && row.end === null)) {
          throw new Error('exports: duplicate key "exports_open_key"');
        }
        insertRow(view.exports, 'exports', asked.id, { ...asked });
      }),
    end: (_passed, id, end) =>
      write((view) => {
        const row = view.exports.get(id);
        if (row === undefined || row.end !== null) return false;
        view.exports.set(id, { ...row, end });
        return true;
      }),
  };
}
