import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { LAMPORTS_PER_SOL, SOL_DECIMALS } from '../../core/amounts/lamports.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Pool, Venue } from '../../core/ports/venue.ts';
import { chooseRoute } from '../../core/swap/choose-route.ts';
import { midPrice, PRICE_SCALE } from '../../core/swap/price.ts';
import { loadPools } from './load-pools.ts';

const TTL_MS = 10_000;
const MICRO_DECIMALS = 6;

/** Millionths of a US dollar for one SOL, or null when no venue tells; see `createSolPrice`. */
export type SolPrice = () => Promise<bigint | null>;

/**
 * The price of SOL in the configured dollar token: the middle price of the pool that would take one SOL best. Kept for ten
 * seconds, unknown included, so that screens never wait on a broken source twice; never throws. For display only.
 */
export function createSolPrice(deps: {
  readonly chain: Pick<Chain, 'token'>;
  readonly venues: readonly Venue[];
  readonly clock: Clock;
  /** Mint of a token worth one US dollar; null = prices in dollars are not shown. */
  readonly usdMint: Address | null;
}): SolPrice {
  let current: { readonly until: number; readonly value: Promise<bigint | null> } | null = null;
  return () => {
    const { usdMint } = deps;
    if (usdMint === null) return Promise.resolve(null);
    const now = deps.clock.now();
    if (current === null || now >= current.until) {
      current = { until: now + TTL_MS, value: readPrice(deps, usdMint).catch(() => null) };
    }
    return current.value;
  };
}

async function readPrice(
  deps: { readonly chain: Pick<Chain, 'token'>; readonly venues: readonly Venue[] },
  usdMint: Address,
): Promise<bigint | null> {
  const [token, pools] = await Promise.all([
    deps.chain.token(usdMint),
    loadPools(deps.venues, WSOL_MINT, usdMint),
  ]);
  const pool = deepest(pools, usdMint);
  if (token === null || pool === null) return null;
  const price = midPrice(pool, WSOL_MINT, SOL_DECIMALS);
  if (price === null) return null;
  const micro = (price * 10n ** BigInt(MICRO_DECIMALS)) / (PRICE_SCALE * 10n ** BigInt(token.decimals));
  return micro > 0n ? micro : null;
}

function deepest(pools: readonly Pool[], usdMint: Address): Pool | null {
  if (pools.length === 0) return null;
  const route = chooseRoute(pools, { mintIn: WSOL_MINT, mintOut: usdMint, amountIn: LAMPORTS_PER_SOL });
  return route.legs[0]?.pool ?? null;
}
