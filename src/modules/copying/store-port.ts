import type { Address } from '@tradepost/solana';
import type { LeaderTrade } from '../follows/rules/leader-trade.ts';
import type { Passed } from '../guard/rules/passed.ts';
import type { Copy, CopyPause } from './rules/copy.ts';
import type { CopyTrade } from './rules/copy-trade.ts';

/** The acts that write a copy: switched on or widened, by one tap made less, or by the service itself. */
export type CopyWriting = 'copy-on' | 'copy-stop' | 'service';

/** Lamports that a copy's purchases took or may still take. */
export type CopySpent = { readonly today: bigint; readonly inAll: bigint };

/** The same of one token that the copy bought. */
export type CopyMintSpent = CopySpent & { readonly copyId: string; readonly mint: Address };

/** Copies, and their decisions on the trades of their leaders. */
export interface CopyStore {
  /** False, and nothing is stored, where a copy of this leader is there that is not over. */
  insert(passed: Passed<'copy-on'>, copy: Copy): Promise<boolean>;
  find(id: string): Promise<Copy | null>;
  /** The same, locked until the transaction ends. */
  lock(id: string): Promise<Copy | null>;
  /** Those of these that no other transaction has locked, locked until this one ends. It never waits for a lock. */
  lockFree(ids: readonly string[]): Promise<readonly Copy[]>;
  /** Those that are not over, oldest first. */
  listByUser(userId: string): Promise<readonly Copy[]>;
  /** Writes it as its next version. False, and nothing is written, where it is not as it was read. */
  save(passed: Passed<CopyWriting>, copy: Copy): Promise<boolean>;
  /** Pauses every one of a person, or of everybody, that is on. Returns how many. */
  pauseAll(
    passed: Passed<'panic' | 'pin-set' | 'pin-change' | 'service'>,
    userId: string | null,
    reason: CopyPause,
  ): Promise<number>;
  /** Those that are not over, from this id on: for the check of all. */
  page(after: string, limit: number): Promise<readonly Copy[]>;
  /** Whether any is not over. */
  isAny(): Promise<boolean>;

  /**
   * Trades of leaders since their copies were switched on that no row decides on, in the chain's order; of one transaction sales first. A
   * purchase that is sold again within its second comes before its sale.
   */
  undecided(limit: number): Promise<readonly { readonly copyId: string; readonly trade: LeaderTrade }[]>;
  /** False, and nothing is stored, where the trade was decided on already. */
  decide(row: CopyTrade): Promise<boolean>;
  /** Stores decisions in one statement. A trade that was decided on already stays as it is, and so does one of an unknown copy. */
  decideAll(rows: readonly CopyTrade[]): Promise<void>;
  /** The same row with another state; its place, token and leader stay. */
  saveTrade(row: CopyTrade): Promise<void>;
  /** The decision that an intent was made for; null for an intent of no copy. */
  byIntent(intentId: string): Promise<CopyTrade | null>;
  findTrade(key: Pick<CopyTrade, 'copyId' | 'signature' | 'leg'>): Promise<CopyTrade | null>;
  /** Whether a transaction is the purchase of any copy of this desk. */
  isPurchase(signature: string): Promise<boolean>;
  /** Those of these transactions that are. */
  purchasesAmong(signatures: readonly string[]): Promise<ReadonlySet<string>>;
  /** All trades of a copy, or those in one token, that are no skips; oldest first. */
  trades(copyId: string, mint: Address | null): Promise<readonly CopyTrade[]>;
  /** The last decisions of a copy, newest first. */
  latest(copyId: string, limit: number): Promise<readonly CopyTrade[]>;
  /** Sales that are owed and due, oldest first. */
  owed(dueAtMost: number, limit: number): Promise<readonly CopyTrade[]>;
  /** Sums of purchases since a moment, and of all. */
  spent(copyId: string, since: number): Promise<CopySpent>;
  /** The sums of `spent` by token, of many copies; tokens without a purchase are left out. */
  spentByMint(copyIds: readonly string[], since: number): Promise<readonly CopyMintSpent[]>;
  /** Lamports that all copies of a leader put into a token: purchases less the part that was sold again. */
  crowd(leader: Address, mint: Address): Promise<bigint>;
  /**
   * Slots from a leader's block to that of its copy's purchase, of the newest purchases of all copies that landed, newest first. Those whose
   * leader's trade is not on the tape are left out.
   */
  slotsBehind(limit: number): Promise<readonly number[]>;
  /** Transactions of a copy that failed on the chain since a moment, and the lamports that they burnt. */
  failures(copyId: string, since: number): Promise<{ readonly count: number; readonly burnt: bigint }>;
}
