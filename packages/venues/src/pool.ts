import type { Gain, PoolShape } from '@tradepost/router';
import type { Address, Instruction, TokenExtensions } from '@tradepost/solana';
import type { OrderBook } from './order-book.ts';

/** How a market keeps its assets: token accounts, a curve that keeps lamports in itself, or an order book. */
export type MarketKind = 'tokens' | 'lamports' | 'book';

export type PoolVaults = {
  readonly kind: MarketKind;
  /** In the order of the pool's mints. Where the kind is `lamports`, the account that keeps them in itself. */
  readonly vaults: readonly [Address, Address];
};

/** A pool's state at one slot with its exact arithmetic. Immutable. */
export interface Pool {
  readonly id: Address;
  readonly venue: string;
  /** Its name in the route line. */
  readonly label: string;
  readonly mints: readonly [Address, Address];
  readonly slot: bigint;
  /**
   * Epoch milliseconds at which this was surely the newest state known, where it was not read but followed. Absent for one that was read
   * for the caller.
   */
  readonly asOf?: number;
  /**
   * Units of the other mint that reach the trader's account for exactly `amountIn` units leaving it: every venue fee and
   * Token-2022 transfer fee included, rounded as the venue rounds. 0 when nothing would come out. Never above reserves.
   */
  quote(mintIn: Address, amountIn: bigint): bigint;
  /** Units out per unit in at zero size, fees included, as a ratio: for price impact and display only. */
  spot(mintIn: Address): { readonly numerator: bigint; readonly denominator: bigint };
  /**
   * The router's search data beside `quote`, which alone decides amounts: the curve, and the rest of input and output after fees per
   * direction. Absent where there is no such curve; then the pool is used alone, never in a split.
   */
  readonly shape?: PoolShape;
  readonly gains?: readonly [Gain, Gain];
  /**
   * True when a swap that succeeds brings exactly the quote, no more and no less (the desk's maker pays a fixed amount). Absent for
   * programs: they pay by their state when the transaction runs, and at least the minimum.
   */
  readonly exactOut?: true;
  /** Live orders per price, the best first, where the venue is a book. Absent for pools, which have a curve instead. */
  readonly orders?: () => OrderBook;
  /** Instructions that swap exactly `amountIn` and enforce at least `minOut` (or an exact output at least that large). */
  swap(order: PoolSwap): readonly Instruction[];
}

export type PoolSwap = {
  readonly owner: Address;
  readonly mintIn: Address;
  readonly amountIn: bigint;
  /** The pool's own quote for `amountIn`. */
  readonly amountOut: bigint;
  readonly minOut: bigint;
  readonly source: Address;
  readonly destination: Address;
  /**
   * Units that the destination surely holds when this swap begins: its balance on the chain, and the minimums of earlier swaps of the
   * transaction. A venue whose instruction knows no minimum checks afterwards that `minOut` came on top, and throws a RangeError without
   * this number.
   */
  readonly destinationHolds?: bigint;
  /**
   * Units that the source surely holds then; absent where it holds nothing but units that this transaction put there. A venue whose
   * instruction does not say how much it takes checks afterwards that no more than `amountIn` is gone.
   */
  readonly sourceHolds?: bigint;
  /**
   * Rent of a token account of now, for a venue that opens one on the way and closes it again: it must be in the wallet for that moment.
   * Such a venue throws a RangeError without it.
   */
  readonly tokenAccountRent?: bigint;
};

/** Mint facts that a venue needs to price exactly. */
export type MintFacts = {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly extensions: TokenExtensions;
};
