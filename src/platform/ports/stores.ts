import type { AuditLog } from '../../engine/audit/store/audit-log-port.ts';
import type { IntentStore } from '../../engine/intents/store/intent-store-port.ts';
import type { LedgerStore } from '../../engine/ledger/store/ledger-store-port.ts';
import type { NoticeStore } from '../../engine/notices/store-port.ts';
import type { FlagStore } from '../../engine/switches/store-port.ts';
import type { OutboxStore } from '../../engine/transactions/store/outbox-store-port.ts';
import type { WatchStore } from '../../engine/watch/store-port.ts';
import type { AlertStore } from '../../modules/alerts/store-port.ts';
import type { ConvertStore } from '../../modules/convert/store-port.ts';
import type { PaperCopyStore } from '../../modules/copying/store/paper-store-port.ts';
import type { CopyStore } from '../../modules/copying/store-port.ts';
import type { DepositStore } from '../../modules/deposits/store/deposit-store-port.ts';
import type { SignalStore } from '../../modules/follows/store/signal-store-port.ts';
import type { FollowStore } from '../../modules/follows/store-port.ts';
import type { GameStore } from '../../modules/games/store-port.ts';
import type { GroupStore } from '../../modules/groups/store-port.ts';
import type { AddressBookStore } from '../../modules/guard/store/address-book-store-port.ts';
import type { GuardStore } from '../../modules/guard/store/guard-store-port.ts';
import type { ApiKeyStore } from '../../modules/keys/store/api-key-store-port.ts';
import type { KeyRequestStore } from '../../modules/keys/store/key-request-store-port.ts';
import type { OneTimeLinkStore } from '../../modules/keys/store/one-time-link-store-port.ts';
import type { LaunchStore } from '../../modules/launch/store-port.ts';
import type { SeenLaunchStore } from '../../modules/launches/store-port.ts';
import type { MailStore } from '../../modules/mail/store-port.ts';
import type { CreatedTokenStore } from '../../modules/mint/store/created-token-store-port.ts';
import type { OrderStore } from '../../modules/orders/store/order-store-port.ts';
import type { PersonalKeyStore } from '../../modules/personal-keys/store-port.ts';
import type { PointStore } from '../../modules/points/store/point-store-port.ts';
import type { ShopStore } from '../../modules/points/store/shop-store-port.ts';
import type { PositionStore } from '../../modules/positions/store/position-store-port.ts';
import type { ReferralStore } from '../../modules/referrals/store/referral-store-port.ts';
import type { UserStore } from '../../modules/settings/store-port.ts';
import type { ExportStore } from '../../modules/wallets/store/export-store-port.ts';
import type { WalletStore } from '../../modules/wallets/store/wallet-store-port.ts';
import type { ButtonStore } from './button-store.ts';
import type { SealedSecretStore } from './sealed-secret-store.ts';

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
  /** Keys on their way out. */
  readonly exports: ExportStore;
  readonly sealedSecrets: SealedSecretStore;
  readonly createdTokens: CreatedTokenStore;
  readonly points: PointStore;
  readonly shop: ShopStore;
  readonly launches: LaunchStore;
  /** Of all people, as the launch feed has seen them. */
  readonly seenLaunches: SeenLaunchStore;
  readonly games: GameStore;
  readonly convert: ConvertStore;
  readonly orders: OrderStore;
  readonly alerts: AlertStore;
  readonly follows: FollowStore;
  readonly signals: SignalStore;
  readonly groups: GroupStore;
  readonly copies: CopyStore;
  readonly paperCopies: PaperCopyStore;
  readonly personalKeys: PersonalKeyStore;
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
