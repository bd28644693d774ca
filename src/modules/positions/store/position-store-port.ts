import type { Address } from '@tradepost/solana';
import type { Position, PositionEvent } from '../rules/position.ts';

/** An event with the facts of its transaction for an export. Lamports; only one event of a transaction carries the fees. */
export type RecordedEvent = PositionEvent & {
  /** The intent that it comes from; null where only the chain reports it. */
  readonly intentId: string | null;
  /** Base fee plus priority fee. */
  readonly networkFeeLamports: bigint;
  readonly platformFeeLamports: bigint;
  /** Locked in accounts that were opened, less the rent that came back. */
  readonly rentLamports: bigint;
};

export type StoredPosition = Position & {
  /** Events are recorded that are not folded in yet. */
  readonly stale: boolean;
  /** The person's choice; null leaves it to the events. */
  readonly hiddenByPerson: boolean | null;
  /** Units that the chain holds more, or less, without an explanation. */
  readonly odd: OddUnits | null;
  /** Its worth at the last 00:00 UTC for which that is known. */
  readonly midnight: MidnightWorth | null;
};

/** Units that were held at 00:00 UTC of `day`, and the proceeds of a sale of them then, in lamports. */
export type MidnightWorth = { readonly day: number; readonly units: bigint; readonly lamports: bigint };

/** How far the transactions of a token account are known; see `PositionStore.scan`. */
export type PositionScan = {
  readonly account: Address;
  readonly walletId: string;
  /** This one and everything before it is known; null = nothing yet. */
  readonly done: string | null;
  /** A look that had more to read than it may at once: its newest transaction, and the last one that it read. */
  readonly under: { readonly newest: string; readonly before: string } | null;
};

/** A difference to the chain that no transaction explains. */
export type OddUnits = { readonly units: bigint; readonly since: number };

/** A wallet's net value at 00:00 UTC of a day, in lamports: the proceeds of a sale of everything, and its SOL. */
export type WalletDay = { readonly walletId: string; readonly day: number; readonly netValue: bigint };

/**
 * Units and cost of wallets. Events are the record; positions are folded from them and can be made anew. Pending events are kept beside the
 * record until their transaction is final.
 */
export interface PositionStore {
  /**
   * Inserts events that are not known (wallet, mint, signature, kind), and marks the positions that they change as stale. Returns those
   * that were new. One statement: part of the commit that makes a trade final. Trades and events from the chain are recorded by
   * `recordEvents`, which also takes back the adjustments that covered them.
   */
  record(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]>;
  /**
   * Keeps the events of a confirmed attempt until `dropPending`; a repeat adds nothing. Part of the commit that makes the attempt
   * CONFIRMED. Each event names its intent and is not final.
   */
  addPending(attemptId: string, events: readonly RecordedEvent[]): Promise<void>;
  /** Removes the events of an attempt. Part of each commit that ends the attempt, final or not. */
  dropPending(attemptId: string): Promise<void>;
  /** The events of confirmed attempts in these wallets, in no order; all mints, or those named. */
  pending(walletIds: readonly string[], mints?: readonly Address[]): Promise<readonly RecordedEvent[]>;
  /** The adjustments among the events of these wallets in these mints. */
  adjustments(walletIds: readonly string[], mints: readonly Address[]): Promise<readonly RecordedEvent[]>;
  /** Events of these wallets, in no order; all mints, or those named. */
  events(walletIds: readonly string[], mints?: readonly Address[]): Promise<readonly RecordedEvent[]>;
  /** Of these signatures, those that already are events of the wallet in that mint. */
  knownSignatures(
    walletId: string,
    mint: Address,
    signatures: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Mints of which the wallet at this address holds units by its events, folded or not, or by confirmed attempts; in no order. */
  bookedMints(wallet: Address): Promise<readonly Address[]>;
  /** In the order of (slot, signature), mint and kind; `after` is the last one of the page before. */
  page(
    walletIds: readonly string[],
    page: { readonly after: RecordedEvent | null; readonly limit: number },
  ): Promise<readonly RecordedEvent[]>;
  /** As they were last folded, largest cost first. */
  list(walletIds: readonly string[]): Promise<readonly StoredPosition[]>;
  /**
   * Inside a transaction: the mints of stale positions of these wallets. Until its end no other transaction changes the positions of these
   * mints in any of the wallets, also those that are not stale. All of them are folded together.
   */
  lockStale(walletIds: readonly string[]): Promise<readonly Address[]>;
  /** Writes the sums of events. Not stale afterwards; the person's choices stay. */
  save(positions: readonly Position[]): Promise<void>;
  /** Whether a person wants to see the position, also one of which no event is recorded yet. */
  setHidden(walletId: string, mint: Address, hidden: boolean): Promise<void>;
  /** Where the last look at an account ended; null before the first. */
  scan(account: Address): Promise<PositionScan | null>;
  saveScan(scan: PositionScan): Promise<void>;
  /** Keeps, or with null forgets, that the chain holds other units than the events say. */
  saveOdd(walletId: string, mint: Address, odd: OddUnits | null): Promise<void>;
  /** Inside a transaction: that difference. No other transaction changes its row until the end. */
  lockOdd(walletId: string, mint: Address): Promise<OddUnits | null>;
  /** The intent whose attempt has this signature, and whether it is still open; null for a signature that is not ours. */
  intentOf(signature: string): Promise<{ readonly intentId: string; readonly open: boolean } | null>;
  /** Null for a wallet that was never compared with the chain. */
  checkedAt(walletId: string): Promise<number | null>;
  /** Says that it was compared at `at`; `asked` when a person wanted it. */
  markChecked(walletId: string, at: number, asked: boolean): Promise<void>;
  /** Wallets that a person asked for since `askedSince` and that were last compared before `checkedBefore`, oldest first. */
  toCheck(when: {
    readonly askedSince: number;
    readonly checkedBefore: number;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Undeleted wallets that hold units and have no row of that day, by id from after `after` on. */
  withoutDay(
    day: number,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]>;
  /** Keeps the worth of a wallet's positions at 00:00 UTC. A worth of that day that is known stays as it was. */
  saveMidnight(walletId: string, worths: ReadonlyMap<Address, MidnightWorth>): Promise<void>;
  /** Inserts; a day that is known stays as it was. */
  saveDays(days: readonly WalletDay[]): Promise<void>;
  /** From `from` (00:00 UTC in epoch milliseconds) on, oldest first. */
  days(walletIds: readonly string[], from: number): Promise<readonly WalletDay[]>;
}
