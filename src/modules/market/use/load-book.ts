import type { Address } from '@tradepost/solana';
import type { OrderBook, Pool } from '@tradepost/venues';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import { ladder } from '../rules/ladder.ts';
import type { Market } from '../rules/market.ts';

/** A market's book at one slot. */
export type LoadedBook = OrderBook & {
  /** Made of a pool's curve: no orders are behind it. */
  readonly synthetic: boolean;
  readonly slot: bigint;
  /** Epoch milliseconds at which it was read. */
  readonly asOf: number;
};

export type BookDeps = { readonly venues: readonly Venue[]; readonly clock: Clock };

/** How long one look at the chain is valid. */
const MAX_AGE_MS = 1_000;
/** Markets whose pool is kept. */
const MAX_POOLS = 1_000;

/** Books of markets, each pool read from the chain at most once a second. Null where the pool does not trade now. */
export function createBooks({ venues, clock }: BookDeps) {
  const known = new Map<
    Address,
    { readonly at: Mark; readonly asOf: number; readonly pool: Promise<Pool | null> }
  >();
  const poolOf = ({ address, venue: name, baseMint, quoteMint }: Market) => {
    const held = known.get(address);
    if (held !== undefined && elapsedSince(held.at, clock) < MAX_AGE_MS) return held;
    const venue = venues.find((one) => one.name === name);
    const pool = (venue?.pools(baseMint, quoteMint) ?? Promise.resolve([])).then(
      (pools) => pools.find(({ id }) => id === address) ?? null,
    );
    pool.catch(() => known.delete(address));
    known.delete(address);
    const read = { at: markOf(clock), asOf: clock.now(), pool };
    known.set(address, read);
    const [oldest] = known.keys();
    if (known.size > MAX_POOLS && oldest !== undefined) known.delete(oldest);
    return read;
  };
  return async (market: Market, depth: number): Promise<LoadedBook | null> => {
    const { asOf, pool: loading } = poolOf(market);
    const pool = await loading;
    if (pool === null) return null;
    const orders = pool.orders?.();
    const side = (levels: OrderBook['bids']) => levels.slice(0, depth);
    const book =
      orders === undefined
        ? ladder(pool, { base: market.baseMint, quote: market.quoteMint }, depth)
        : { bids: side(orders.bids), asks: side(orders.asks) };
    return { ...book, synthetic: orders === undefined, slot: pool.slot, asOf };
  };
}
