import type { Address } from '@tradepost/solana';

/** Bounds of reading a followed wallet's past. */
export const HISTORY = {
  spanMs: 7 * 86_400_000,
  /** Signatures that are listed, and transactions that are read, at most. */
  signatures: 1_000,
  reads: 300,
} as const;

/**
 * How a reading ended. `whole`: all of the span. `signatures`, `reads`: a bound was met first. `pruned`: the node keeps no older
 * transactions.
 */
export type HistoryEnd = 'whole' | 'signatures' | 'reads' | 'pruned';

/** How far the trades of a followed wallet from before its first follow were read. */
export type LeaderHistory = {
  readonly leader: Address;
  /** Epoch milliseconds: from here on the tape tells; older ones are read. */
  readonly until: number;
  /** The oldest signature that was read; null before the first one. */
  readonly beforeSignature: string | null;
  /** Trades from here up to `until` are known, epoch milliseconds. */
  readonly reached: number;
  readonly signatures: number;
  readonly reads: number;
  /** Null while it goes on. */
  readonly ended: HistoryEnd | null;
};
