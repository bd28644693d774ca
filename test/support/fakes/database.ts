import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Stores } from '../../../src/core/ports/stores.ts';
import { memoryAlertStore } from './memory-alerts.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { memoryLedgerStore, memoryReferralStore } from './memory-books.ts';
import { memoryConvertStore } from './memory-convert.ts';
import { memoryDepositStore } from './memory-deposits.ts';
import { memoryGameStore } from './memory-games.ts';
import { memoryAddressBookStore, memoryGuardStore, memorySealedSecretStore } from './memory-guard.ts';
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
import { memoryButtonStore, memoryFlagStore, memoryUserStore, memoryWalletStore } from './memory-people.ts';
import { memoryPointStore, memoryShopStore } from './memory-points.ts';
import { memoryPositionStore } from './memory-positions.ts';
import { emptyState, type MemoryAccess, viewState } from './memory-state.ts';
import { memoryCreatedTokenStore } from './memory-tokens.ts';

/**
 * The database in memory, with the rules of the real one: unique keys, foreign keys, compare-and-set, balances that never
 * fall below zero. Transactions run one after another and see only committed rows; a throw leaves nothing behind. `trusting`
 * leaves out the watch for calls that step around their transaction, which costs more than all the rest.
 */
export function fakeDatabase(options: { readonly trusting?: boolean } = {}): Database {
  const state = emptyState();
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

  const committed = stores({
    read: async (work) => work(viewState(state)),
    write: (work) =>
      alone(async () => {
        const view = viewState(state);
        const result = work(view);
        view.commit();
        return result;
      }),
  });

  return {
    ...committed,
    transact: (work) =>
      alone(async () => {
        const view = viewState(state);
        const result = await work(stores({ read: async (f) => f(view), write: async (f) => f(view) }));
        view.commit();
        return result;
      }),
  };
}

function stores(access: MemoryAccess): Stores {
  return {
    users: memoryUserStore(access),
    wallets: memoryWalletStore(access),
    intents: memoryIntentStore(access),
    outbox: memoryOutboxStore(access),
    ledger: memoryLedgerStore(access),
    referrals: memoryReferralStore(access),
    buttons: memoryButtonStore(access),
    notices: memoryNoticeStore(access),
    flags: memoryFlagStore(access),
    auditLog: memoryAuditLog(access),
    apiKeys: memoryApiKeyStore(access),
    keyRequests: memoryKeyRequestStore(access),
    links: memoryOneTimeLinkStore(access),
    mails: memoryMailStore(access),
    guards: memoryGuardStore(access),
    addressBook: memoryAddressBookStore(access),
    sealedSecrets: memorySealedSecretStore(access),
    createdTokens: memoryCreatedTokenStore(access),
    points: memoryPointStore(access),
    shop: memoryShopStore(access),
    launches: memoryLaunchStore(access),
    games: memoryGameStore(access),
    convert: memoryConvertStore(access),
    orders: memoryOrderStore(access),
    alerts: memoryAlertStore(access),
    watch: memoryWatchStore(access),
    positions: memoryPositionStore(access),
    deposits: memoryDepositStore(access),
  };
}
