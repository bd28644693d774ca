import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { ConvertEntry, ConvertOutcome, ConvertPeriod } from '../../../src/core/convert/period.ts';
import type { Round } from '../../../src/core/games/round.ts';
import type { BookedAddress } from '../../../src/core/guard/address-book.ts';
import type { Guard } from '../../../src/core/guard/guard.ts';
import type { Attempt, Intent } from '../../../src/core/intents/intent.ts';
import type { KeyRequest } from '../../../src/core/keys/key-request.ts';
import type { Launch } from '../../../src/core/launch/launch.ts';
import type { LedgerTransfer } from '../../../src/core/ledger/entry.ts';
import type { CreatedToken } from '../../../src/core/mint/created-token.ts';
import type { OrderFire } from '../../../src/core/orders/order.ts';
import type { Miner } from '../../../src/core/points/mining.ts';
import type { Redemption } from '../../../src/core/points/shop.ts';
import type { ApiKey } from '../../../src/core/ports/api-key-store.ts';
import type { ActLink, RecordedAct } from '../../../src/core/ports/audit-log.ts';
import type { Button } from '../../../src/core/ports/button-store.ts';
import type { Deposit, DepositCursor } from '../../../src/core/ports/deposit-store.ts';
import type { Flag } from '../../../src/core/ports/flag-store.ts';
import type { SpendingUse, WithdrawalUse } from '../../../src/core/ports/guard-store.ts';
import type { Mail } from '../../../src/core/ports/mail-store.ts';
import type { Notice, ProgressMessage } from '../../../src/core/ports/notice-store.ts';
import type { OneTimeLink } from '../../../src/core/ports/one-time-link-store.ts';
import type { OutboxRow } from '../../../src/core/ports/outbox-store.ts';
import type {
  PositionScan,
  RecordedEvent,
  StoredPosition,
  WalletDay,
} from '../../../src/core/ports/position-store.ts';
import type { SealedSecret } from '../../../src/core/ports/sealed-secret-store.ts';
import type { ReferralAccount, Reward } from '../../../src/core/referrals/reward.ts';
import type { Pause } from '../../../src/core/switches/switch.ts';
import type { User } from '../../../src/core/users/user.ts';
import type { Wallet, WalletSecret } from '../../../src/core/wallets/wallet.ts';
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
  buttons: Button;
  notices: Notice;
  progress: ProgressMessage;
  flags: StoredFlag;
  acts: StoredAct;
  guards: Guard;
  addressBook: BookedAddress;
  uses: WithdrawalUse;
  spendings: SpendingUse;
  sealedSecrets: SealedSecret;
  createdTokens: CreatedToken;
  miners: Miner;
  boardNames: string | null;
  redemptions: Redemption;
  stocks: bigint;
  launches: Launch;
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
  orderFires: OrderFire;
  deposits: Deposit;
  depositCursors: DepositCursor;
  positionEvents: RecordedEvent;
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
    uses: new Map(),
    spendings: new Map(),
    sealedSecrets: new Map(),
    createdTokens: new Map(),
    miners: new Map(),
    boardNames: new Map(),
    redemptions: new Map(),
    stocks: new Map(),
    launches: new Map(),
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
    orderFires: new Map(),
    deposits: new Map(),
    depositCursors: new Map(),
    positionEvents: new Map(),
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
    uses: viewOf(state.uses),
    spendings: viewOf(state.spendings),
    sealedSecrets: viewOf(state.sealedSecrets),
    createdTokens: viewOf(state.createdTokens),
    miners: viewOf(state.miners),
    boardNames: viewOf(state.boardNames),
    redemptions: viewOf(state.redemptions),
    stocks: viewOf(state.stocks),
    launches: viewOf(state.launches),
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
    orderFires: viewOf(state.orderFires),
    deposits: viewOf(state.deposits),
    depositCursors: viewOf(state.depositCursors),
    positionEvents: viewOf(state.positionEvents),
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
