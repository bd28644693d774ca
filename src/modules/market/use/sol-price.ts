import { type Address, SOL_DECIMALS, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { ageAt } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import { midPrice, PRICE_SCALE } from '../../trading/rules/price.ts';
import { type PoolLook, type UsdPrices, usdPrices } from '../rules/usd-price.ts';
import { loadPools } from './load-pools.ts';
import type { LoadUsdPrices } from './load-usd-prices.ts';

const TTL_MS = 10_000;
const MICRO = 1_000_000;
/** Doublings of the amount offered to a pool, to find its largest payment. */
const MAX_DOUBLINGS = 62n;

/** Millionths of a US dollar for one SOL, or null when no venue gives it; see `createSolPrice`. */
export type SolPrice = () => Promise<bigint | null>;

export type SolPriceDeps = {
  readonly chain: Pick<Chain, 'token'>;
  readonly venues: readonly Venue[];
  readonly clock: Clock;
  /** Mint of a token worth one US dollar; null = prices in dollars are not shown. */
  readonly usdMint: Address | null;
  /** The dollars of the market data. Absent where none are kept: SOL is priced from its pools as they are now. */
  readonly usdPrices?: LoadUsdPrices;
  /** The price rests on no older look. Absent: as old as a screen may show it. */
  readonly atMostMs?: number;
};

/**
 * The price of SOL, by the rule for every dollar price (`modules/market/rules/usd-price.ts`). It comes from the markets that are kept.
 * Where they do not give it now, the same rule runs over the pools against the configured dollar, as they are read for it. Kept for ten
 * seconds, unknown included, so that screens never wait on a broken source twice; never throws. Where an age is named, half of it may pass
 * before it is requested and half while it is kept.
 */
export function createSolPrice(deps: SolPriceDeps): SolPrice {
  const ttlMs = deps.atMostMs === undefined ? TTL_MS : deps.atMostMs / 2;
  let current: { readonly until: number; readonly value: Promise<bigint | null> } | null = null;
  return () => {
    const { usdMint } = deps;
    if (usdMint === null || usdMint === WSOL_MINT) return Promise.resolve(null);
    const now = deps.clock.now();
    if (current === null || now >= current.until) {
      current = { until: now + ttlMs, value: readPrice(deps, usdMint).catch(() => null) };
    }
    return current.value;
  };
}

async function readPrice(deps: SolPriceDeps, usdMint: Address): Promise<bigint | null> {
  const kept = await deps.usdPrices?.().catch(() => null);
  const known = kept?.get(WSOL_MINT);
  const mostMs = (deps.atMostMs ?? Number.POSITIVE_INFINITY) / 2;
  const isFresh = known !== undefined && !known.stale && ageAt(known.at, deps.clock.now()) <= mostMs;
  const price = isFresh ? known : (await pricesNow(deps, usdMint)).get(WSOL_MINT);
  const micro = price === undefined ? 0n : BigInt(Math.floor(price.usd * MICRO));
  return micro > 0n ? micro : null;
}

async function pricesNow({ chain, venues, clock }: SolPriceDeps, usdMint: Address): Promise<UsdPrices> {
  const [token, pools] = await Promise.all([chain.token(usdMint), loadPools(venues, WSOL_MINT, usdMint)]);
  const now = clock.now();
  const base = { mint: WSOL_MINT, decimals: SOL_DECIMALS };
  const looks = token === null ? [] : pools.map((pool) => lookOfPool(pool, base, token.decimals, now));
  return usdPrices(looks, { dollars: [usdMint], sol: WSOL_MINT, now });
}

/** A pool of `base` as it is now, in whole tokens; the other mint has `quoteDecimals`. */
export function lookOfPool(
  pool: Pool,
  base: { readonly mint: Address; readonly decimals: number },
  quoteDecimals: number,
  at: number,
): PoolLook {
  const price = midPrice(pool, base.mint, base.decimals);
  return {
    address: pool.id,
    baseMint: base.mint,
    quoteMint: pool.mints[0] === base.mint ? pool.mints[1] : pool.mints[0],
    mid: price === null ? null : Number(price) / Number(PRICE_SCALE) / 10 ** quoteDecimals,
    quoteDepth: Number(mostPaid(pool, base.mint)) / 10 ** quoteDecimals,
    at,
  };
}

/** The largest payment of the pool for any amount offered: a book may refuse an amount that is more than it can take. */
function mostPaid(pool: Pool, mintIn: Address): bigint {
  let most = 0n;
  for (let doubling = 0n; doubling <= MAX_DOUBLINGS; doubling += 1n) {
    const paid = pool.quote(mintIn, 1n << doubling);
    if (paid > most) most = paid;
  }
  return most;
}
