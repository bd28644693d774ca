import type { Address } from '@tradepost/solana';
import type { NewMarket } from '../../modules/market/rules/market.ts';
import type { VaultBalances } from './tape-store.ts';

/** The keys for finding a market's transactions and reading trades out of them. */
export type MarketKeys = Pick<
  NewMarket,
  'address' | 'programId' | 'kind' | 'baseVault' | 'quoteVault' | 'baseMint' | 'quoteMint'
>;

/** An instruction that ran, the inner ones among them. */
export type TapeInstruction = {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  /** 1 for an instruction of the message, one more for each call below it. */
  readonly height: number;
};

/** A transaction as its block gives it, resolved: its reader needs no further question. */
export type TapeTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  /** Its place in the block. Given by a node, never guessed. */
  readonly index: number;
  /** Unix seconds of the block. */
  readonly at: number;
  readonly failed: boolean;
  /** The first pays the fee. */
  readonly signers: readonly Address[];
  readonly feeLamports: bigint;
  /** In the order in which they ran. */
  readonly instructions: readonly TapeInstruction[];
  /** Lamports of every account of the message, tables included. */
  readonly lamports: readonly {
    readonly account: Address;
    readonly before: bigint;
    readonly after: bigint;
  }[];
  /** Of every token account of the message; 0 on the side on which there was none. */
  readonly tokens: readonly TokenChange[];
  /** May be cut by the node at 10 KB; the last line then says so. */
  readonly logs: readonly string[];
};

export type TokenChange = {
  readonly account: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly before: bigint;
  readonly after: bigint;
};

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
   * The balances prove it (`modules/market/rules/link-balances.ts`), and the market is marked as a gap.
   */
  read(market: MarketKeys, range: ReadRange): Promise<readonly TapeTransaction[]>;
}
