import type { AddressBookStore } from './address-book-store.ts';
import type { AlertStore } from './alert-store.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { ButtonStore } from './button-store.ts';
import type { ConvertStore } from './convert-store.ts';
import type { CreatedTokenStore } from './created-token-store.ts';
import type { DepositStore } from './deposit-store.ts';
import type { FlagStore } from './flag-store.ts';
import type { GameStore } from './game-store.ts';
import type { GuardStore } from './guard-store.ts';
import type { IntentStore } from './intent-store.ts';
import type { KeyRequestStore } from './key-request-store.ts';
import type { LaunchStore } from './launch-store.ts';
import type { LedgerStore } from './ledger-store.ts';
import type { MailStore } from './mail-store.ts';
import type { NoticeStore } from './notice-store.ts';
import type { OneTimeLinkStore } from './one-time-link-store.ts';
import type { OrderStore } from './order-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { PointStore } from './point-store.ts';
import type { PositionStore } from './position-store.ts';
import type { ReferralStore } from './referral-store.ts';
import type { SealedSecretStore } from './sealed-secret-store.ts';
import type { ShopStore } from './shop-store.ts';
import type { UserStore } from './user-store.ts';
import type { WalletStore } from './wallet-store.ts';
import type { WatchStore } from './watch-store.ts';

export type Stores = {
  readonly users: UserStore;
  readonly wallets: WalletStore;
  readonly intents: IntentStore;
  readonly outbox: OutboxStore;
  readonly ledger: LedgerStore;
  readonly referrals: ReferralStore;
  readonly buttons: ButtonStore;
  readonly notices: NoticeStore;
  readonly flags: FlagStore;
  /** The trail of sensitive acts. */
  readonly auditLog: AuditLog;
  readonly guards: GuardStore;
  readonly addressBook: AddressBookStore;
  readonly sealedSecrets: SealedSecretStore;
  readonly createdTokens: CreatedTokenStore;
  readonly points: PointStore;
  readonly shop: ShopStore;
  readonly launches: LaunchStore;
  readonly games: GameStore;
  readonly convert: ConvertStore;
  readonly orders: OrderStore;
  readonly alerts: AlertStore;
  readonly watch: WatchStore;
  readonly positions: PositionStore;
  readonly deposits: DepositStore;
  readonly apiKeys: ApiKeyStore;
  readonly keyRequests: KeyRequestStore;
  readonly links: OneTimeLinkStore;
  readonly mails: MailStore;
};

/** Postgres, the one source of truth. Outside `transact` each call commits by itself. */
export interface Database extends Stores {
  /**
   * Runs `work` in one transaction: all of its writes or none. Rolls back when `work` throws. Serialization and deadlock
   * failures are retried a few times, so `work` has no effect outside its stores.
   */
  transact<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
}
