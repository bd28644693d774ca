import type { Address } from '../address/address.ts';
import type { LookupTable } from '../lookup-tables/lookup-table.ts';
import type { AggregatorHop } from '../ports/aggregator.ts';
import type { Pool } from '../ports/venue.ts';

/** One swap inside a route, with the exact amounts its pool quoted. */
type RouteLeg = {
  readonly pool: Pool;
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Share of the route's input that enters through this leg, in bps; the legs of one input sum to 10,000. */
  readonly shareBps: number;
};

/** Legs in the order they are executed. `amountOut` is what the trader's own account gains from all of them. */
export type Route = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly legs: readonly RouteLeg[];
  /** See `priceImpactBps`. */
  readonly priceImpactBps: number;
  /** The oldest slot among the pools' states. */
  readonly slot: bigint;
  /** Set when an aggregator's router made the route: then its one leg is the whole of it. */
  readonly aggregator?: RouteAggregator;
};

export type RouteAggregator = {
  readonly label: string;
  readonly hops: readonly AggregatorHop[];
  /** Tables its swap needs to fit a packet. */
  readonly lookupTables: readonly LookupTable[];
};
