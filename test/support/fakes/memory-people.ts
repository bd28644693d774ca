import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Pause, Switch } from '../../../src/engine/switches/rules.ts';
import type { Flag, FlagStore } from '../../../src/engine/switches/store-port.ts';
import type { UserStore } from '../../../src/modules/settings/store-port.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import type { WalletStore } from '../../../src/modules/wallets/store/wallet-store-port.ts';
import type { ButtonRows, SealedButton } from '../../../src/platform/ports/button-store.ts';
import { believedButton, type SealCheck } from '../../../src/platform/sealed-buttons.ts';
import {
  byId,
  insertRow,
  type MemoryAccess,
  type MemoryView,
  requireRow,
  type StoredFlag,
  throughJson,
} from './memory-state.ts';

export function memoryUserStore({ read, write }: MemoryAccess, chat: SealCheck): UserStore {
  const find = (id: string) => read((view) => view.users.get(id) ?? null);
  return {
    find,
    findByTelegramId: (telegramId) =>
      read((view) => view.users.rows().find((user) => user.telegramId === telegramId) ?? null),
    arrive: (telegramId, buttonId, now) =>
      read((view) => {
        const user = view.users.rows().find((other) => other.telegramId === telegramId);
        if (user === undefined) return null;
        const wallet = view.wallets.get(user.activeWalletId ?? '') ?? null;
        return {
          user,
          wallet,
          button: believedButton(aliveButton(view, buttonId ?? '', user.id, now), chat),
        };
      }),
    insert: (user) =>
      write((view) => {
        const known = view.users.rows().find((other) => other.telegramId === user.telegramId);
        if (known) return { user: known, created: false };
        if (user.inviterId === user.id) throw new Error('users: nobody invites themselves');
        requireRow(view.users, 'users', user.inviterId);
        requireRow(view.wallets, 'wallets', user.activeWalletId);
        insertRow(view.users, 'users', user.id, structuredClone(user));
        return { user, created: true };
      }),
    lock: find,
    update: (id, patch) =>
      write((view) => {
        const user = view.users.get(id);
        if (!user) return;
        view.users.set(id, structuredClone({ ...user, ...patch }));
      }),
    activate: (_passed, id, walletId) =>
      write((view) => {
        const user = view.users.get(id);
        if (!user) return;
        requireRow(view.wallets, 'wallets', walletId);
        view.users.set(id, { ...user, activeWalletId: walletId });
      }),
  };
}

export function memoryWalletStore({ read, write }: MemoryAccess): WalletStore {
  return {
    insert: (_passed, wallet, secret) =>
      write((view) => {
        requireRow(view.users, 'users', wallet.userId);
        assertNameFree(view, wallet);
        if (view.wallets.rows().some((other) => other.address === wallet.address)) {
          throw new Error(`wallets: duplicate address ${wallet.address}`);
        }
        if (wallet.userId === null && view.wallets.rows().some((other) => other.userId === null)) {
          throw new Error('wallets: there is one treasury at most');
        }
        insertRow(view.wallets, 'wallets', wallet.id, structuredClone(wallet));
        if (secret.walletId !== wallet.id) throw new Error('foreign key: the secret is of another wallet');
        const { certificate: _, ...kept } = secret;
        insertRow(view.secrets, 'wallet_secrets', secret.walletId, structuredClone(kept));
      }),
    find: (id) => read((view) => view.wallets.get(id) ?? null),
    findByAddress: (address) =>
      read((view) => view.wallets.rows().find((wallet) => wallet.address === address) ?? null),
    peopleOf: (addresses) =>
      read((view) => {
        const own = view.wallets.rows().filter(({ address }) => addresses.includes(address));
        return new Map(own.flatMap(({ address, userId }) => (userId === null ? [] : [[address, userId]])));
      }),
    listByUser: (userId, options) =>
      read((view) =>
        view.wallets
          .rows()
          .filter((wallet) => wallet.userId === userId && (options?.deleted || wallet.deletedAt === null))
          .sort(byId),
      ),
    treasury: () => read((view) => view.wallets.rows().find((wallet) => wallet.userId === null) ?? null),
    treasuryLocked: () =>
      read((view) => view.wallets.rows().find((wallet) => wallet.userId === null) ?? null),
    rename: (_passed, id, name) => write((view) => change(view, id, { name })),
    setDeletedAt: (_passed, id, deletedAt) => write((view) => change(view, id, { deletedAt })),
    letReceive: (_passed, id, { certificate: _certificate, ...patch }) =>
      write((view) => change(view, id, patch)),
    stopReceiving: (_passed, userId, now) =>
      write((view) => {
        const kept = (at: number | null): number | null => (at !== null && at > now ? null : at);
        for (const { id, userId: owner, confirmedAt, payoutFrom } of view.wallets.rows())
          if (owner === userId)
            change(view, id, { confirmedAt: kept(confirmedAt), payoutFrom: kept(payoutFrom) });
      }),
    secret: (walletId) => read((view) => structuredClone(view.secrets.get(walletId)) ?? null),
  };
}

function change(view: MemoryView, id: string, patch: Partial<Wallet>): void {
  const wallet = view.wallets.get(id);
  if (!wallet) return;
  const next = { ...wallet, ...patch };
  assertNameFree(view, next);
  view.wallets.set(id, next);
}

function assertNameFree(view: MemoryView, wallet: Wallet): void {
  if (wallet.deletedAt !== null || wallet.userId === null) return;
  const taken = view.wallets
    .rows()
    .some(
      (other) =>
        other.id !== wallet.id &&
        other.userId === wallet.userId &&
        other.deletedAt === null &&
        other.name.toLowerCase() === wallet.name.toLowerCase(),
    );
  if (taken) throw new AppError('WALLET_NAME_TAKEN', { name: wallet.name });
}

function aliveButton(view: MemoryView, id: string, userId: string, now: number): SealedButton | null {
  const button = view.buttons.get(id);
  return button && button.userId === userId && button.usedAt === null && button.expiresAt > now
    ? button
    : null;
}

export function memoryButtonRows({ read, write }: MemoryAccess): ButtonRows {
  return {
    insert: (buttons) =>
      write((view) => {
        for (const button of buttons) {
          insertRow(view.buttons, 'buttons', button.id, {
            ...button,
            payload: throughJson(button.payload),
          });
        }
      }),
    peek: (id, userId, now) => read((view) => aliveButton(view, id, userId, now)),
    consume: (id, userId, now) =>
      write((view) => {
        const button = aliveButton(view, id, userId, now);
        if (!button) return null;
        const used = { ...button, usedAt: now };
        view.buttons.set(id, used);
        return used;
      }),
    deleteExpired: (before) =>
      write((view) => {
        const expired = view.buttons.rows().filter((button) => button.expiresAt < before);
        for (const button of expired) view.buttons.delete(button.id);
        return expired.length;
      }),
  };
}

export function memoryFlagStore({ read, write }: MemoryAccess): FlagStore {
  return {
    isSet: (flag) => read((view) => standing(view).some((row) => row.flag === flag)),
    hold: () => read((view) => new Set(standing(view).map(({ flag }) => flag))),
    pauses: () => read((view) => pausesOf(view)),
    lastThrown: (flags) =>
      read((view) => {
        const times = flags.flatMap((flag) => view.thrown.get(flag) ?? []);
        return times.length === 0 ? null : Math.max(...times);
      }),
    set: (flag, on, at, note) =>
      write((view) => {
        const before = pausesOf(view).find(({ what }) => `${what}-paused` === flag) ?? null;
        const { reason, until } = note ?? { reason: '', until: null };
        if (on) view.thrown.set(flag, at);
        if (on) view.flags.set(flag, { flag, reason, until, since: at });
        else view.flags.delete(flag);
        return before;
      }),
  };
}

/** The flags that are on now. */
export const thrownFlags = (view: MemoryView): readonly Flag[] => standing(view).map(({ flag }) => flag);

/** By this machine's clock, as the database judges by its server's. */
function standing(view: MemoryView): readonly StoredFlag[] {
  return view.flags.rows().filter(({ until }) => until === null || until > Date.now());
}

function pausesOf(view: MemoryView): readonly Pause[] {
  return standing(view)
    .filter(({ flag }) => flag !== 'quarantined')
    .toSorted((a, b) => a.since - b.since || (a.flag < b.flag ? -1 : 1))
    .map(({ flag, ...rest }) => ({ what: flag.slice(0, -'-paused'.length) as Switch, ...rest }));
}
