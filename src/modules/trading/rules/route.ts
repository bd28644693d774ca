import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import type { AggregatorHop } from '../../../platform/ports/aggregator.ts';

/** One swap inside a route, with the exact amounts its pool quoted. */
export type RouteLeg = {
  readonly pool: Pool;
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /**
   * For a leg into an intermediate token: its minimum, which is exactly the amount that the legs out of that token count on. Null for a leg
   * into the route's output, where the order's own minimum decides. In a route `byProgram` nothing enforces it by the leg: there later legs
   * spend all that came, and the last minimum covers all.
   */
  readonly leastOut: bigint | null;
  /** Share of the route's spending of `mintIn` that goes through this leg, in bps; the legs of one input sum to 10,000. */
  readonly shareBps: number;
};

/** Units of an intermediate token that, by the quotes, no leg spends. They stay with the trader. */
export type Remainder = { readonly mint: Address; readonly units: bigint };

/**
 * Legs in the order they are executed: all legs into a token come before the first out of it. `amountOut` is the gain of the trader's own
 * account in `mintOut` from all of them; remainders are not in it.
 */
export type Route = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly legs: readonly RouteLeg[];
  /** Tokens that the route passes through, in that order. */
  readonly intermediates: readonly Address[];
  /** One entry per intermediate token of which something is left, most routes have none. */
  readonly remainders: readonly Remainder[];
  /** The output of the best single pool of the pair for the same input; null when there is no such pool. */
  readonly singlePoolOut: bigint | null;
  /** See `routeImpactBps`. */
  readonly priceImpactBps: number;
  /** The oldest slot among the pools' states. */
  readonly slot: bigint;
  /**
   * Set when the legs are steps of one call of the public router program: shares are whole percents, each leg's amounts are
   * those that follow from them, and there is one minimum, for the whole output.
   */
  readonly byProgram?: true;
  /** Set when an aggregator's router made the route: then its one leg is the whole of it. */
  readonly aggregator?: RouteAggregator;
};

export type RouteAggregator = {
  readonly label: string;
  readonly hops: readonly AggregatorHop[];
  /** Tables its swap needs to fit a packet. */
  readonly lookupTables: readonly LookupTable[];
};
