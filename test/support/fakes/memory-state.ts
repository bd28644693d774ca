import type { ActLink, RecordedAct } from '../../../src/engine/audit/store/audit-log-port.ts';
import type { Attempt, Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { LedgerTransfer } from '../../../src/engine/ledger/rules/entry.ts';
import type { Notice, ProgressMessage } from '../../../src/engine/notices/store-port.ts';
import type { Pause } from '../../../src/engine/switches/rules.ts';
import type { Flag } from '../../../src/engine/switches/store-port.ts';
import type { OutboxRow } from '../../../src/engine/transactions/store/outbox-store-port.ts';
import type { Alert } from '../../../src/modules/alerts/rules/alert.ts';
import type { ConvertEntry, ConvertOutcome, ConvertPeriod } from '../../../src/modules/convert/rules.ts';
import type { Copy } from '../../../src/modules/copying/rules/copy.ts';
import type { CopyTrade } from '../../../src/modules/copying/rules/copy-trade.ts';
import type { PaperCopy, PaperTrade } from '../../../src/modules/copying/rules/paper-copy.ts';
import type {
  Deposit,
  DepositCursor,
  UnreadDeposit,
} from '../../../src/modules/deposits/store/deposit-store-port.ts';
import type { Follow } from '../../../src/modules/follows/rules/follow.ts';
import type { LeaderFunder } from '../../../src/modules/follows/rules/leader-funder.ts';
import type { LeaderHistory } from '../../../src/modules/follows/rules/leader-history.ts';
import type { LeaderTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import type { Signal } from '../../../src/modules/follows/rules/signal.ts';
import type { SignalHit } from '../../../src/modules/follows/store/signal-store-port.ts';
import type { Round } from '../../../src/modules/games/rules/round.ts';
import type { Group } from '../../../src/modules/groups/rules/group.ts';
import type { GroupCall } from '../../../src/modules/groups/rules/group-call.ts';
import type { BookedAddress } from '../../../src/modules/guard/rules/address-book.ts';
import type { Guard } from '../../../src/modules/guard/rules/guard.ts';
import type { KeyExport } from '../../../src/modules/guard/rules/key-export.ts';
import type {
  ActUse,
  SpendingUse,
  WithdrawalUse,
} from '../../../src/modules/guard/store/guard-store-port.ts';
import type { KeyRequest } from '../../../src/modules/keys/rules/key-request.ts';
import type { ApiKey } from '../../../src/modules/keys/store/api-key-store-port.ts';
import type { OneTimeLink } from '../../../src/modules/keys/store/one-time-link-store-port.ts';
import type { Launch } from '../../../src/modules/launch/rules/launch.ts';
import type { LaunchAlert, LaunchNotice } from '../../../src/modules/launches/rules/launch-alert.ts';
import type { SeenLaunch } from '../../../src/modules/launches/rules/stage.ts';
import type { Mail } from '../../../src/modules/mail/store-port.ts';
import type { CreatedToken } from '../../../src/modules/mint/rules/created-token.ts';
import type { OrderFire } from '../../../src/modules/orders/rules/order.ts';
import type { KeyUse } from '../../../src/modules/personal-keys/rules/key-use.ts';
import type { PersonalKey } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import type { Miner } from '../../../src/modules/points/rules/mining.ts';
import type { Redemption } from '../../../src/modules/points/rules/shop.ts';
import type {
  PositionScan,
  RecordedEvent,
  StoredPosition,
  WalletDay,
} from '../../../src/modules/positions/store/position-store-port.ts';
import type { ReferralAccount, Reward } from '../../../src/modules/referrals/rules/reward.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import type { Wallet, WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import type { SealedButton } from '../../../src/platform/ports/button-store.ts';
import type { SealedSecret } from '../../../src/platform/ports/sealed-secret-store.ts';
import type { StoredGroup, StoredOrder } from './memory-orders.ts';
import { type TableView, viewOf } from './memory-table.ts';

export type StoredFlag = Omit<Pause, 'what'> & { readonly flag: Flag };
export type StoredAct = RecordedAct & ActLink;
export type StoredOutboxRow = { readonly row: OutboxRow; readonly dispatchedAt: number | null };

type Rows = {
  users: User;
  wallets: Wallet;
  secrets: WalletSecret;
  intents: Intent;
  attempts: Attempt;
  outbox: StoredOutboxRow;
  transfers: LedgerTransfer;
  balances: bigint;
  referralAccounts: ReferralAccount;
  rewards: Reward;
  retiredCodes: string;
  arrivals: { readonly inviteeId: string; readonly inviterId: string; readonly tag: string };
  buttons: SealedButton;
  notices: Notice;
  progress: ProgressMessage;
  flags: StoredFlag;
  acts: StoredAct;
  guards: Guard;
  addressBook: BookedAddress;
  exports: KeyExport;
  thrown: number;
  uses: WithdrawalUse;
  spendings: SpendingUse;
  actUses: ActUse;
  sealedSecrets: SealedSecret;
  createdTokens: CreatedToken;
  miners: Miner;
  boardNames: string | null;
  redemptions: Redemption;
  stocks: bigint;
  launches: Launch;
  seenLaunches: SeenLaunch;
  launchPlaces: bigint;
  launchAlerts: LaunchAlert;
  launchNotices: LaunchNotice;
  rounds: Round;
  convertPeriods: ConvertPeriod;
  convertEntries: ConvertEntry;
  convertOutcomes: ConvertOutcome;
  convertWatchers: number;
  watchers: { readonly owner: string; readonly until: number };
  apiKeys: ApiKey;
  keyRequests: KeyRequest;
  links: OneTimeLink;
  mails: Mail;
  orderGroups: StoredGroup;
  orders: StoredOrder;
  alerts: Alert;
  groups: Group;
  groupCalls: GroupCall;
  follows: Follow;
  leaderTrades: LeaderTrade;
  followPlaces: bigint;
  copies: Copy;
  copyTrades: CopyTrade;
  paperCopies: PaperCopy;
  paperTrades: PaperTrade;
  leaderHistories: LeaderHistory;
  leaderFunders: LeaderFunder;
  signals: Signal;
  signalHits: SignalHit;
  personalKeys: PersonalKey;
  personalKeyUses: KeyUse;
  personalKeyNonces: { readonly keyId: string; readonly nonce: string; readonly until: number };
  orderFires: OrderFire;
  deposits: Deposit;
  settledDeposits: 'STANDS' | 'CORRECTED';
  depositCursors: DepositCursor;
  unreadDeposits: UnreadDeposit;
  positionEvents: RecordedEvent;
  positionPending: RecordedEvent & { readonly attemptId: string };
  positions: StoredPosition;
  walletDays: WalletDay;
  positionScans: PositionScan;
  walletChecks: { readonly walletId: string; readonly checkedAt: number; readonly askedAt: number };
};

export type MemoryState = { readonly [K in keyof Rows]: Map<string, Rows[K]> };
export type MemoryView = { readonly [K in keyof Rows]: TableView<Rows[K]> };

/** How a store reaches its rows: a committed call or one inside `transact`. `work` is synchronous, so nothing interleaves. */
export type MemoryAccess = {
  readonly read: <T>(work: (view: MemoryView) => T) => Promise<T>;
  readonly write: <T>(work: (view: MemoryView) => T) => Promise<T>;
};

export function emptyState(): MemoryState {
  return {
    users: new Map(),
    wallets: new Map(),
    secrets: new Map(),
    intents: new Map(),
    attempts: new Map(),
    outbox: new Map(),
    transfers: new Map(),
    balances: new Map(),
    referralAccounts: new Map(),
    rewards: new Map(),
    retiredCodes: new Map(),
    arrivals: new Map(),
    buttons: new Map(),
    notices: new Map(),
    progress: new Map(),
    flags: new Map(),
    acts: new Map(),
    guards: new Map(),
    addressBook: new Map(),
    exports: new Map(),
    thrown: new Map(),
    uses: new Map(),
    spendings: new Map(),
    actUses: new Map(),
    sealedSecrets: new Map(),
    createdTokens: new Map(),
    miners: new Map(),
    boardNames: new Map(),
    redemptions: new Map(),
    stocks: new Map(),
    launches: new Map(),
    seenLaunches: new Map(),
    launchPlaces: new Map(),
    launchAlerts: new Map(),
    launchNotices: new Map(),
    rounds: new Map(),
    convertPeriods: new Map(),
    convertEntries: new Map(),
    convertOutcomes: new Map(),
    convertWatchers: new Map(),
    watchers: new Map(),
    apiKeys: new Map(),
    keyRequests: new Map(),
    links: new Map(),
    mails: new Map(),
    orderGroups: new Map(),
    orders: new Map(),
    alerts: new Map(),
    groups: new Map(),
    groupCalls: new Map(),
    follows: new Map(),
    leaderTrades: new Map(),
    followPlaces: new Map(),
    copies: new Map(),
    copyTrades: new Map(),
    paperCopies: new Map(),
    paperTrades: new Map(),
    leaderHistories: new Map(),
    leaderFunders: new Map(),
    signals: new Map(),
    signalHits: new Map(),
    personalKeys: new Map(),
    personalKeyUses: new Map(),
    personalKeyNonces: new Map(),
    orderFires: new Map(),
    deposits: new Map(),
    settledDeposits: new Map(),
    depositCursors: new Map(),
    unreadDeposits: new Map(),
    positionEvents: new Map(),
    positionPending: new Map(),
    positions: new Map(),
    walletDays: new Map(),
    positionScans: new Map(),
    walletChecks: new Map(),
  };
}

export function viewState(state: MemoryState): MemoryView & { commit(): void } {
  const view: MemoryView = {
    users: viewOf(state.users),
    wallets: viewOf(state.wallets),
    secrets: viewOf(state.secrets),
    intents: viewOf(state.intents),
    attempts: viewOf(state.attempts),
    outbox: viewOf(state.outbox),
    transfers: viewOf(state.transfers),
    balances: viewOf(state.balances),
    referralAccounts: viewOf(state.referralAccounts),
    rewards: viewOf(state.rewards),
    retiredCodes: viewOf(state.retiredCodes),
    arrivals: viewOf(state.arrivals),
    buttons: viewOf(state.buttons),
    notices: viewOf(state.notices),
    progress: viewOf(state.progress),
    flags: viewOf(state.flags),
    acts: viewOf(state.acts),
    guards: viewOf(state.guards),
    addressBook: viewOf(state.addressBook),
    exports: viewOf(state.exports),
    thrown: viewOf(state.thrown),
    uses: viewOf(state.uses),
    spendings: viewOf(state.spendings),
    actUses: viewOf(state.actUses),
    sealedSecrets: viewOf(state.sealedSecrets),
    createdTokens: viewOf(state.createdTokens),
    miners: viewOf(state.miners),
    boardNames: viewOf(state.boardNames),
    redemptions: viewOf(state.redemptions),
    stocks: viewOf(state.stocks),
    launches: viewOf(state.launches),
    seenLaunches: viewOf(state.seenLaunches),
    launchPlaces: viewOf(state.launchPlaces),
    launchAlerts: viewOf(state.launchAlerts),
    launchNotices: viewOf(state.launchNotices),
    rounds: viewOf(state.rounds),
    convertPeriods: viewOf(state.convertPeriods),
    convertEntries: viewOf(state.convertEntries),
    convertOutcomes: viewOf(state.convertOutcomes),
    convertWatchers: viewOf(state.convertWatchers),
    watchers: viewOf(state.watchers),
    apiKeys: viewOf(state.apiKeys),
    keyRequests: viewOf(state.keyRequests),
    links: viewOf(state.links),
    mails: viewOf(state.mails),
    orderGroups: viewOf(state.orderGroups),
    orders: viewOf(state.orders),
    alerts: viewOf(state.alerts),
    groups: viewOf(state.groups),
    groupCalls: viewOf(state.groupCalls),
    follows: viewOf(state.follows),
    leaderTrades: viewOf(state.leaderTrades),
    followPlaces: viewOf(state.followPlaces),
    copies: viewOf(state.copies),
    copyTrades: viewOf(state.copyTrades),
    paperCopies: viewOf(state.paperCopies),
    paperTrades: viewOf(state.paperTrades),
    leaderHistories: viewOf(state.leaderHistories),
    leaderFunders: viewOf(state.leaderFunders),
    signals: viewOf(state.signals),
    signalHits: viewOf(state.signalHits),
    personalKeys: viewOf(state.personalKeys),
    personalKeyUses: viewOf(state.personalKeyUses),
    personalKeyNonces: viewOf(state.personalKeyNonces),
    orderFires: viewOf(state.orderFires),
    deposits: viewOf(state.deposits),
    settledDeposits: viewOf(state.settledDeposits),
    depositCursors: viewOf(state.depositCursors),
    unreadDeposits: viewOf(state.unreadDeposits),
    positionEvents: viewOf(state.positionEvents),
    positionPending: viewOf(state.positionPending),
    positions: viewOf(state.positions),
    walletDays: viewOf(state.walletDays),
    positionScans: viewOf(state.positionScans),
    walletChecks: viewOf(state.walletChecks),
  };
  return {
    ...view,
    commit: () => {
      for (const table of Object.values(view)) table.commit();
    },
  };
}

/** Insert under a primary key; a second row with the key fails as the database would. */
export function insertRow<V>(table: TableView<V>, name: string, key: string, row: V): void {
  if (table.get(key) !== undefined) throw new Error(`${name}: duplicate key ${key}`);
  table.set(key, row);
}

/** A foreign key: the row it names must exist; null names nothing. */
export function requireRow<V>(table: TableView<V>, name: string, key: string | null): void {
  if (key !== null && table.get(key) === undefined) throw new Error(`foreign key: no row ${key} in ${name}`);
}

export const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** What a JSON column gives back: plain data; bigints are refused as JSON.stringify refuses them. */
export function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
