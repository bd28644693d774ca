import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { PoolState, Venue } from '../../../platform/ports/venue.ts';
import { midPrice, PRICE_SCALE } from '../../trading/rules/price.ts';
import type { Market } from '../rules/market.ts';
import type { MarketLook, MarketStore } from '../store/market-store-port.ts';

export type LookAtMarketsDeps = {
  readonly venues: readonly Venue[];
  readonly markets: Pick<MarketStore, 'saveLooks'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
};

/**
 * Saves the current depth and mid price of these markets' pools. A pool that is gone or does not trade is saved without a price. A venue
 * that does not answer is left out of this round. Returns the ids of the markets that were read.
 */
export async function lookAtMarkets(
  { markets, ...deps }: LookAtMarketsDeps,
  wanted: readonly Market[],
): Promise<readonly number[]> {
  const looks = await readLooks(deps, wanted);
  await markets.saveLooks(looks);
  return looks.map(({ marketId }) => marketId);
}

/** As `lookAtMarkets`, and writes nothing down. */
export async function readLooks(
  {
    venues,
    clock,
    log,
  }: Omit<LookAtMarketsDeps, 'markets' | 'log'> & { readonly log?: LookAtMarketsDeps['log'] },
  wanted: readonly Market[],
): Promise<readonly MarketLook[]> {
  const looks: MarketLook[] = [];
  for (const venue of venues) {
    const own = wanted.filter((market) => market.venue === venue.name);
    if (own.length === 0 || venue.markets === undefined) continue;
    try {
      const pools = own.map(({ address, baseMint, quoteMint }) => ({
        id: address,
        mints: [baseMint, quoteMint] as const,
      }));
      const states = await venue.markets.states(pools);
      const at = clock.now();
      looks.push(...own.map((market, index) => lookOf(market, states[index] ?? null, at)));
    } catch (err) {
      log?.warn({ venue: venue.name, err }, 'the pools of a venue could not be looked at');
    }
  }
  return looks;
}

function lookOf(market: Market, state: PoolState | null, at: number): MarketLook {
  const { id: marketId, quoteMint } = market;
  if (state === null) return { marketId, quote: 0n, mid: null, at };
  const quote = state.reserves[state.pool.mints[0] === quoteMint ? 0 : 1];
  return { marketId, quote, mid: middleOf(market, state), at };
}

/** Null where the venue's own code fails on the state: it does not trade for us either. */
function middleOf({ baseMint, baseDecimals, quoteDecimals }: Market, { pool }: PoolState): number | null {
  try {
    const price = midPrice(pool, baseMint, baseDecimals);
    return price === null ? null : Number(price) / Number(PRICE_SCALE) / 10 ** quoteDecimals;
  } catch {
    return null;
  }
}
