import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from '../../core/ports/stores.ts';
import { createPrismaAddressBookStore } from './address-book-store.ts';
import { createAlertStore } from './alert-store.ts';
import { createApiKeyStore } from './api-key-store.ts';
import { createPrismaAuditLog } from './audit-log.ts';
import { createPrismaButtonStore } from './button-store.ts';
import type { Connection, Query } from './connection.ts';
import { createPrismaConvertStore } from './convert-store.ts';
import { createPrismaCreatedTokenStore } from './created-token-store.ts';
import { createDepositStore } from './deposit-store.ts';
import { isConflict, translate } from './failure.ts';
import { createPrismaFlagStore } from './flag-store.ts';
import { createPrismaGameStore } from './game-store.ts';
import { createPrismaGuardStore } from './guard-store.ts';
import { createPrismaIntentStore } from './intent-store.ts';
import { createKeyRequestStore } from './key-request-store.ts';
import { createPrismaLaunchStore } from './launch-store.ts';
import { createPrismaLedgerStore } from './ledger-store.ts';
import { createMailStore } from './mail-store.ts';
import { createPrismaNoticeStore } from './notice-store.ts';
import { createOneTimeLinkStore } from './one-time-link-store.ts';
import { createOrderStore } from './order-store.ts';
import { createPrismaOutboxStore } from './outbox-store.ts';
import { createPrismaPointStore } from './point-store.ts';
import { createPrismaPositionStore } from './position-store.ts';
import { createPrismaReferralStore } from './referral-store.ts';
import { createPrismaSealedSecretStore } from './sealed-secret-store.ts';
import { createPrismaShopStore } from './shop-store.ts';
import { createPrismaUserStore } from './user-store.ts';
import { createPrismaWalletStore } from './wallet-store.ts';
import { createWatchStore } from './watch-store.ts';

const RUNS = 5;

export function createStores(connection: Connection, url: string): Stores {
  return {
    users: translating(createPrismaUserStore(connection), url),
    wallets: translating(createPrismaWalletStore(connection), url),
    intents: translating(createPrismaIntentStore(connection), url),
    outbox: translating(createPrismaOutboxStore(connection), url),
    ledger: translating(createPrismaLedgerStore(connection), url),
    referrals: translating(createPrismaReferralStore(connection), url),
    buttons: translating(createPrismaButtonStore(connection), url),
    notices: translating(createPrismaNoticeStore(connection), url),
    flags: translating(createPrismaFlagStore(connection), url),
    auditLog: translating(createPrismaAuditLog(connection), url),
    guards: translating(createPrismaGuardStore(connection), url),
    addressBook: translating(createPrismaAddressBookStore(connection), url),
    sealedSecrets: translating(createPrismaSealedSecretStore(connection), url),
    launches: translating(createPrismaLaunchStore(connection), url),
    createdTokens: translating(createPrismaCreatedTokenStore(connection), url),
    points: translating(createPrismaPointStore(connection), url),
    games: translating(createPrismaGameStore(connection), url),
    convert: translating(createPrismaConvertStore(connection), url),
    orders: translating(createOrderStore(connection), url),
    alerts: translating(createAlertStore(connection), url),
    watch: translating(createWatchStore(connection), url),
    positions: translating(createPrismaPositionStore(connection), url),
    deposits: translating(createDepositStore(connection), url),
    apiKeys: translating(createApiKeyStore(connection), url),
    keyRequests: translating(createKeyRequestStore(connection), url),
    links: translating(createOneTimeLinkStore(connection), url),
    mails: translating(createMailStore(connection), url),
    shop: translating(createPrismaShopStore(connection), url),
  };
}

/** Runs `work` in one transaction, again when Postgres chose it as the victim of a deadlock or of a write conflict. */
export async function runUnitOfWork<T>(
  connection: Connection,
  url: string,
  work: (stores: Stores, query: Query) => Promise<T>,
): Promise<T> {
  return await runTransaction(connection, url, (inside) => work(createStores(inside, url), inside.query));
}

/** The same for tables that no unit of work of the money path takes part in. */
export async function runTransaction<T>(
  connection: Pick<Connection, 'atomic'>,
  url: string,
  work: (inside: Connection) => Promise<T>,
): Promise<T> {
  for (let run = 1; ; run += 1) {
    try {
      return await connection.atomic(work);
    } catch (error) {
      if (!isConflict(error) || run === RUNS) throw translate(error, url);
      // Unequal pauses, or the same two would meet again.
      await sleep(Math.random() * 10 * 2 ** run);
    }
  }
}

/** The same store, whose rejections have passed through `translate`. */
export function translating<S extends object>(store: S, url: string): S {
  const wrap =
    (method: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw translate(error, url);
      }
    };
  const methods = Object.entries(store) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(methods.map(([name, method]) => [name, wrap(method)])) as S;
}
