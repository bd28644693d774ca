import { AsyncLocalStorage } from 'node:async_hooks';
import { ownChatSeals } from '../../../src/platform/chat-seals.ts';
import type { SealedButton } from '../../../src/platform/ports/button-store.ts';
import type { Database, Stores } from '../../../src/platform/ports/stores.ts';
import { type SealCheck, sealedButtons } from '../../../src/platform/sealed-buttons.ts';
import type { CommitHistory } from './commit-history.ts';
import { memoryAlertStore } from './memory-alerts.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { memoryLedgerStore, memoryReferralStore } from './memory-books.ts';
import { memoryConvertStore } from './memory-convert.ts';
import { memoryCopyStore } from './memory-copies.ts';
import { memoryDepositStore } from './memory-deposits.ts';
import { memoryFollowStore } from './memory-follows.ts';
import { memoryGameStore } from './memory-games.ts';
import { memoryGroupStore } from './memory-groups.ts';
import {
  memoryAddressBookStore,
  memoryExportStore,
  memoryGuardStore,
  memorySealedSecretStore,
} from './memory-guard.ts';
import {
  memoryIntentStore,
  memoryNoticeStore,
  memoryOutboxStore,
  memoryWatchStore,
} from './memory-intents.ts';
import {
  memoryApiKeyStore,
  memoryKeyRequestStore,
  memoryMailStore,
  memoryOneTimeLinkStore,
} from './memory-keys.ts';
import { memoryLaunchStore } from './memory-launches.ts';
import { memoryOrderStore } from './memory-orders.ts';
import { memoryPaperCopyStore } from './memory-paper-copies.ts';
import { memoryButtonRows, memoryFlagStore, memoryUserStore, memoryWalletStore } from './memory-people.ts';
import { memoryPersonalKeyStore } from './memory-personal-keys.ts';
import { memoryPointStore, memoryShopStore } from './memory-points.ts';
import { memoryPositionStore } from './memory-positions.ts';
import { memorySeenLaunchStore } from './memory-seen-launches.ts';
import { memorySignalStore } from './memory-signals.ts';
import { emptyState, type MemoryAccess, type MemoryState, viewState } from './memory-state.ts';
import { memoryCreatedTokenStore } from './memory-tokens.ts';

/**
 * The database in memory, with the rules of the real one: unique keys, foreign keys, compare-and-set, balances that never
 * fall below zero. Transactions run one after another and see only committed rows; a throw leaves nothing behind. `trusting`
 * leaves out the watch for calls that step around their transaction, which costs more than all the rest.
 */
export function fakeDatabase(
  options: {
    readonly trusting?: boolean;
    /** Keeps the state before the last commits, so that they can be forgotten. */
    readonly history?: CommitHistory;
    /** The chat's seals; absent: some of its own. */
    readonly chat?: SealCheck;
  } = {},
): Database {
  const state = emptyState();
  const chat = options.chat ?? { seals: ownChatSeals(), onForged: () => undefined };
  options.history?.follow(state);
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();

  /** Runs `work` alone: after every write that was asked for earlier. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore()) {
      // The real thing would open a second connection, outside the transaction, and often wait for itself.
      throw new Error('inside transact: use the stores that transact hands over, not the database');
    }
    const mine = last.then(() => (options.trusting === true ? work() : inside.run(true, work)));
    last = mine.catch(() => undefined);
    return await mine;
  }

  const committed = stores(
    {
      read: async (work) => work(viewState(state)),
      write: (work) =>
        alone(async () => {
          const view = viewState(state);
          const result = work(view);
          options.history?.keep();
          view.commit();
          return result;
        }),
    },
    chat,
  );

  const db: Database = {
    ...committed,
    transact: (work) =>
      alone(async () => {
        const view = viewState(state);
        const result = await work(stores({ read: async (f) => f(view), write: async (f) => f(view) }, chat));
        options.history?.keep();
        view.commit();
        return result;
      }),
  };
  STATES.set(db, state);
  return db;
}

/** Changes a committed row as a writer of the database does, around every store. Throws when there is none. */
export function writeRow<T extends 'buttons'>(
  db: Database,
  table: T,
  key: string,
  change: Partial<SealedButton>,
): void {
  const rows = STATES.get(db)?.[table];
  const row = rows?.get(key);
  if (rows === undefined || row === undefined) throw new Error(`writeRow: ${table} has no ${key}`);
  rows.set(key, { ...row, ...change });
}

const STATES = new WeakMap<Database, MemoryState>();

/** The committed rows of a database in memory, for a writer that steps around every store. Rows are replaced, never changed in place. */
export function committedRows(db: Database): MemoryState {
  const state = STATES.get(db);
  if (state === undefined) throw new Error('committedRows: not a database in memory');
  return state;
}

/** Every committed row of a database in memory as text, one line each, in order: equal when nothing has changed. */
export function rowsOf(db: Database): readonly string[] {
  const state = committedRows(db);
  const plain = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Uint8Array ? [...value] : value;
  return Object.entries(state)
    .flatMap(([table, rows]) =>
      [...rows].map(([key, row]) => `${table} ${key} ${JSON.stringify(row, plain)}`),
    )
    .toSorted();
}

function stores(access: MemoryAccess, chat: SealCheck): Stores {
  return {
    users: memoryUserStore(access, chat),
    wallets: memoryWalletStore(access),
    intents: memoryIntentStore(access),
    outbox: memoryOutboxStore(access),
    ledger: memoryLedgerStore(access),
    referrals: memoryReferralStore(access),
    buttons: sealedButtons(memoryButtonRows(access), chat),
    notices: memoryNoticeStore(access),
    flags: memoryFlagStore(access),
    auditLog: memoryAuditLog(access),
    apiKeys: memoryApiKeyStore(access),
    keyRequests: memoryKeyRequestStore(access),
    links: memoryOneTimeLinkStore(access),
    mails: memoryMailStore(access),
    guards: memoryGuardStore(access),
    addressBook: memoryAddressBookStore(access),
    exports: memoryExportStore(access),
    sealedSecrets: memorySealedSecretStore(access),
    createdTokens: memoryCreatedTokenStore(access),
    points: memoryPointStore(access),
    shop: memoryShopStore(access),
    launches: memoryLaunchStore(access),
    seenLaunches: memorySeenLaunchStore(access),
    games: memoryGameStore(access),
    convert: memoryConvertStore(access),
    orders: memoryOrderStore(access),
    alerts: memoryAlertStore(access),
    follows: memoryFollowStore(access),
    signals: memorySignalStore(access),
    groups: memoryGroupStore(access),
    copies: memoryCopyStore(access),
    paperCopies: memoryPaperCopyStore(access),
    personalKeys: memoryPersonalKeyStore(access),
    watch: memoryWatchStore(access),
    positions: memoryPositionStore(access),
    deposits: memoryDepositStore(access),
  };
}
