import { setTimeout as sleep } from 'node:timers/promises';
import { createPrismaAuditLog } from '../../engine/audit/store/audit-log.ts';
import { createPrismaIntentStore } from '../../engine/intents/store/intent-store.ts';
import { createPrismaLedgerStore } from '../../engine/ledger/store/ledger-store.ts';
import { createPrismaNoticeStore } from '../../engine/notices/store.ts';
import { createPrismaFlagStore } from '../../engine/switches/store.ts';
import { createPrismaOutboxStore } from '../../engine/transactions/store/outbox-store.ts';
import { createWatchStore } from '../../engine/watch/store.ts';
import { createAlertStore } from '../../modules/alerts/store.ts';
import { createPrismaConvertStore } from '../../modules/convert/store.ts';
import { createPaperCopyStore } from '../../modules/copying/store/paper-store.ts';
import { createCopyStore } from '../../modules/copying/store.ts';
import { createDepositStore } from '../../modules/deposits/store/deposit-store.ts';
import { createSignalStore } from '../../modules/follows/store/signal-store.ts';
import { createFollowStore } from '../../modules/follows/store.ts';
import { createPrismaGameStore } from '../../modules/games/store.ts';
import { createGroupStore } from '../../modules/groups/store.ts';
import { createPrismaAddressBookStore } from '../../modules/guard/store/address-book-store.ts';
import { createPrismaGuardStore } from '../../modules/guard/store/guard-store.ts';
import { createApiKeyStore } from '../../modules/keys/store/api-key-store.ts';
import { createKeyRequestStore } from '../../modules/keys/store/key-request-store.ts';
import { createOneTimeLinkStore } from '../../modules/keys/store/one-time-link-store.ts';
import { createPrismaLaunchStore } from '../../modules/launch/store.ts';
import { createSeenLaunchStore } from '../../modules/launches/store.ts';
import { createMailStore } from '../../modules/mail/store.ts';
import { createPrismaCreatedTokenStore } from '../../modules/mint/store/created-token-store.ts';
import { createOrderStore } from '../../modules/orders/store/order-store.ts';
import { createPersonalKeyStore } from '../../modules/personal-keys/store.ts';
import { createPrismaPointStore } from '../../modules/points/store/point-store.ts';
import { createPrismaShopStore } from '../../modules/points/store/shop-store.ts';
import { createPrismaPositionStore } from '../../modules/positions/store/position-store.ts';
import { createPrismaReferralStore } from '../../modules/referrals/store/referral-store.ts';
import { createPrismaUserStore, type UserChecks } from '../../modules/settings/store.ts';
import { createExportStore } from '../../modules/wallets/store/export-store.ts';
import { createPrismaWalletStore } from '../../modules/wallets/store/wallet-store.ts';
import type { Stores } from '../ports/stores.ts';
import { sealedButtons } from '../sealed-buttons.ts';
import { createButtonRows } from './button-store.ts';
import type { Connection, Query } from './connection.ts';
import { isConflict, translate } from './failure.ts';
import { createPrismaSealedSecretStore } from './sealed-secret-store.ts';

const RUNS = 5;

/** The checks that prove rows. */
export type RowChecks = UserChecks;

export function createStores(connection: Connection, url: string, checks: RowChecks): Stores {
  const { chat, certificates } = checks;
  return {
    users: translating(createPrismaUserStore(connection, checks), url),
    wallets: translating(createPrismaWalletStore(connection, certificates), url),
    intents: translating(createPrismaIntentStore(connection, certificates), url),
    outbox: translating(createPrismaOutboxStore(connection), url),
    ledger: translating(createPrismaLedgerStore(connection), url),
    referrals: translating(createPrismaReferralStore(connection), url),
    buttons: translating(sealedButtons(createButtonRows(connection), chat), url),
    notices: translating(createPrismaNoticeStore(connection, certificates), url),
    flags: translating(createPrismaFlagStore(connection), url),
    auditLog: translating(createPrismaAuditLog(connection), url),
    guards: translating(createPrismaGuardStore(connection, certificates), url),
    addressBook: translating(createPrismaAddressBookStore(connection, certificates), url),
    exports: translating(createExportStore(connection), url),
    sealedSecrets: translating(createPrismaSealedSecretStore(connection), url),
    launches: translating(createPrismaLaunchStore(connection), url),
    seenLaunches: translating(createSeenLaunchStore(connection), url),
    createdTokens: translating(createPrismaCreatedTokenStore(connection), url),
    points: translating(createPrismaPointStore(connection), url),
    games: translating(createPrismaGameStore(connection), url),
    convert: translating(createPrismaConvertStore(connection, checks.certificates), url),
    orders: translating(createOrderStore(connection), url),
    alerts: translating(createAlertStore(connection), url),
    follows: translating(createFollowStore(connection), url),
    signals: translating(createSignalStore(connection), url),
    groups: translating(createGroupStore(connection), url),
    copies: translating(createCopyStore(connection), url),
    paperCopies: translating(createPaperCopyStore(connection), url),
    personalKeys: translating(createPersonalKeyStore(connection), url),
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
  checks: RowChecks,
): Promise<T> {
  return await runTransaction(connection, url, (inside) =>
    work(createStores(inside, url, checks), inside.query),
  );
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
