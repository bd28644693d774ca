import type { Address } from '@tradepost/solana';
import type { MarketKeys, TapeTransaction, VaultBalances } from '@tradepost/tape';

export type ReadLevel = 'confirmed' | 'finalized';

/**
 * How hard a read tries. First as always; then also by the transactions that name the vaults (a donation names no pool); then the same
 * asked of another endpoint; then every block of the range, one by one. A source may answer several of them in the same way.
 */
export const READ_EFFORTS = ['usual', 'vaults', 'elsewhere', 'blocks'] as const;
export type ReadEffort = (typeof READ_EFFORTS)[number];

export type ReadRange = {
  readonly after: bigint;
  readonly upTo: bigint;
  readonly level: ReadLevel;
  readonly effort: ReadEffort;
};

export type HeldAt = VaultBalances & { readonly slot: bigint };

export type BlockTip = { readonly slot: bigint; readonly hash: string };

/** What a notice may name: it landed without an error, unless a fork takes it back. */
export type NamedTransaction = { readonly signature: string; readonly slot: bigint };

/** Where the tape's transactions come from. A hint wakes, a read gives facts, a seal proves. Both reads throw CHAIN_UNREACHABLE. */
export interface TransactionSource {
  /** `together`: reading one market costs as much as reading all; `apart`: each costs its own calls. */
  readonly reads: 'together' | 'apart';
  /**
   * Something may have happened to a market. May wake for nothing, may miss: never the truth. Null means every market. Where the notice
   * names a transaction, a read that does not bring it was too early or is cut.
   */
  wakes(
    markets: () => ReadonlySet<Address>,
    wake: (market: Address | null, named?: NamedTransaction) => void,
  ): { stop(): Promise<void> };
  /** Newest slot that `read` answers for completely, asked of the very endpoint that will be read. */
  horizon(level: ReadLevel): Promise<bigint>;
  /**
   * The balances of these markets' vaults at the end of a final slot, in the order asked: the proof of the reads up to there. Null for a
   * source whose blocks prove that none is missing at the end.
   */
  held(markets: readonly MarketKeys[]): Promise<readonly HeldAt[] | null>;
  /** The last final block that was read, which the next one must follow; null for a source that reads no whole blocks. */
  tip(): BlockTip | null;
  /** Goes on from a block that was the tip before a restart. */
  resume(tip: BlockTip): void;
  /** The oldest slot that can still be read. */
  oldest(): Promise<bigint>;
  /**
   * Every transaction naming the market with after < slot <= upTo, failed ones too, each once, by (slot, index). Throws rather than omit
   * knowingly, but for a transaction of a version that nothing here reads. For that reason, or because a node hides it, one may be missing.
   * The balances prove it (`linkBalances`), and the market is marked as a gap.
   */
  read(market: MarketKeys, range: ReadRange): Promise<readonly TapeTransaction[]>;
}
