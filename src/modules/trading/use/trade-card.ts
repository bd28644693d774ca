import { type Address, LAMPORTS_PER_SOL, MAX_U64, maxBigint, minBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import type { SolPrice } from '../../market/use/sol-price.ts';
import { type Exit, type TokenSafety, tokenSafety, withExit } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { midPrice, PRICE_SCALE, type Price, picoUsdPerToken, price as scaledPrice } from '../rules/price.ts';
import type { SwapOrder } from '../rules/swap-order.ts';
import { routeOrNull } from './choose-way.ts';
import { loadFreshPools } from './fresh-pools.ts';
import { loadToken } from './load-token.ts';
import type { TradeDeps } from './trading-deps.ts';

/** The facts on the trade card. Null is "not known" and is shown as n/a, never as zero. */
export type TradeCard = {
  readonly token: Token;
  readonly account: Address;
  readonly walletLamports: bigint;
  /** Units in all of the wallet's accounts of the token. */
  readonly holdingUnits: bigint;
  /** Lamports per whole token (see `Price`), where no pool is against SOL by way of the token it is against; null without a way. */
  readonly price: Price | null;
  /** US dollars × 10^12 per whole token. */
  readonly picoUsd: bigint | null;
  /** Millionths of a US dollar per SOL. */
  readonly microUsdPerSol: bigint | null;
  /** Lamports that could be taken out of all pools at most, doubled: both sides at the present price. */
  readonly liquidityLamports: bigint;
  readonly safety: TokenSafety;
  /**
   * The proceeds of a small purchase sold at once, every fee included but the network's: `simulated` on the chain's state, else by the
   * quotes alone. Null without a route, and where the rehearsal was refused (see `safety`).
   */
  readonly testSale: TestSale | null;
  /** Venues that could not be asked for their pools. */
  readonly unasked: readonly string[];
  readonly slot: bigint;
};

export type TestSale = {
  readonly spentLamports: bigint;
  readonly returnedBps: number;
  readonly simulated: boolean;
};

/** Small against any pool worth trading, large against rounding. */
const TEST_SALE_LAMPORTS = LAMPORTS_PER_SOL / 10n;

/** The card of one token for one wallet, from chain state read now. Effect-free. TOKEN_NOT_FOUND for an address that is no mint. */
export async function tradeCard(
  deps: TradeDeps & { readonly solPrice: SolPrice },
  input: { readonly wallet: Address; readonly mint: Address },
): Promise<TradeCard> {
  const token = await loadToken(deps.chain, input.mint);
  const account = deps.programs.associatedTokenAddress(input.wallet, token.mint, token.tokenProgram);
  const { pools, unasked, others } = await loadFreshPools(
    deps,
    { mintIn: WSOL_MINT, mintOut: token.mint },
    Promise.all([
      deps.chain.accounts([input.wallet]),
      deps.chain.holding(input.wallet, token.mint),
      deps.chain.epoch(),
      deps.solPrice(),
      deps.exitCheck?.(token.mint, input.wallet),
      deps.lookupTables?.usable(),
    ]),
  );
  const [state, held, epoch, microUsdPerSol, exit, lookupTables] = others;
  const [walletState] = state.accounts;
  const price = bestPrice(pools, token);
  return {
    token,
    account,
    walletLamports: walletState?.lamports ?? 0n,
    holdingUnits: held.amount,
    price,
    picoUsd: price === null || microUsdPerSol === null ? null : picoUsdPerToken(price, microUsdPerSol),
    microUsdPerSol,
    liquidityLamports: liquidity(pools, token.mint),
    safety: withExit(tokenSafety(token, { epoch, wellKnown: deps.wellKnown }), exit),
    testSale: await testSale(deps, input.wallet, { pools, mint: token.mint, exit, lookupTables }),
    unasked,
    slot: pools.reduce((slot, pool) => minBigint(slot, pool.slot), state.slot),
  };
}

/** The mid price of the pool that holds most SOL: a nearly empty one may say anything. */
export function bestPrice(pools: readonly Pool[], token: Token): Price | null {
  const best = deepest(pools, token.mint);
  if (best === null) return null;
  const other = best.pool.mints[0] === token.mint ? best.pool.mints[1] : best.pool.mints[0];
  const price = midPrice(best.pool, token.mint, token.decimals);
  if (price === null || other === WSOL_MINT) return price;
  const bridge = deepest(
    pools.filter((pool) => pool.mints.includes(WSOL_MINT)),
    other,
  );
  // One smallest unit of the other token in lamports: its decimals cancel out.
  const unit = bridge === null ? null : midPrice(bridge.pool, other, 0);
  return unit === null ? null : scaledPrice((price * unit) / PRICE_SCALE);
}

/** The most that could be taken out of all pools of the token, in lamports, doubled: both sides at the present price. */
export function liquidity(pools: readonly Pool[], mint: Address): bigint {
  return 2n * pools.reduce((sum, pool) => sum + lamportsIn(pools, pool, mint), 0n);
}

function deepest(
  pools: readonly Pool[],
  mint: Address,
): { readonly pool: Pool; readonly depth: bigint } | null {
  let best: { readonly pool: Pool; readonly depth: bigint } | null = null;
  for (const pool of pools) {
    const depth = lamportsIn(pools, pool, mint);
    if (depth > (best?.depth ?? -1n) && (depth > 0n || sells(pool, mint))) best = { pool, depth };
  }
  return best;
}

/** Whether it gives the token away for a little: a curve without a first purchase has a price, and no SOL in it. */
function sells(pool: Pool, mint: Address): boolean {
  if (!pool.mints.includes(mint)) return false;
  const other = pool.mints[0] === mint ? pool.mints[1] : pool.mints[0];
  return pool.quote(other, TEST_SALE_LAMPORTS) > 0n;
}

/**
 * The other side of a pool of `mint` in lamports: the amount that selling without end would take out of it. Where that is not SOL, the
 * payment for it at once by its pool that gives most SOL. 0 for a pool that does not hold `mint`.
 */
function lamportsIn(pools: readonly Pool[], pool: Pool, mint: Address): bigint {
  if (!pool.mints.includes(mint)) return 0n;
  const taken = pool.quote(mint, MAX_U64);
  const other = pool.mints[0] === mint ? pool.mints[1] : pool.mints[0];
  if (other === WSOL_MINT) return taken;
  return pools
    .filter(({ mints }) => mints.includes(other) && mints.includes(WSOL_MINT))
    .reduce((most, bridge) => maxBigint(most, bridge.quote(other, taken)), 0n);
}

/**
 * "Can I get out?": the result of the rehearsal, with the platform fee on both sides as on a real trade. Where it could not be tried, the
 * best purchase for 0.1 SOL and the best sale of its units by the quotes. Both are on the present states, so a size that moves the price
 * counts twice, never too rosy. A token that no pool buys shows as 0. One whose curves are all new has no result: they hold no SOL yet, and
 * the purchase itself would pay the sale.
 */
async function testSale(
  deps: Pick<TradeDeps, 'platformFee'>,
  wallet: Address,
  {
    pools,
    mint,
    exit,
    lookupTables = [],
  }: {
    readonly pools: readonly Pool[];
    readonly mint: Address;
    readonly exit: Exit | undefined;
    readonly lookupTables: readonly LookupTable[] | undefined;
  },
): Promise<TestSale | null> {
  if (exit?.kind === 'cannot-buy' || exit?.kind === 'cannot-sell') return null;
  const feeOf = async (lamports: bigint): Promise<bigint> =>
    (await deps.platformFee(lamports, wallet)).lamports;
  if (exit?.kind === 'sold') {
    const { spentLamports: swapped, returnedLamports: gross } = exit;
    const [feeIn, feeOut] = await Promise.all([feeOf(swapped), feeOf(gross)]);
    const spentLamports = swapped + feeIn;
    const returned = gross - feeOut;
    return {
      spentLamports,
      returnedBps: Number(minBigint(10_000n, (returned * 10_000n) / spentLamports)),
      simulated: true,
    };
  }
  const amountIn = TEST_SALE_LAMPORTS - (await feeOf(TEST_SALE_LAMPORTS));
  const bought = outOf(pools, { mintIn: WSOL_MINT, mintOut: mint, amountIn, lookupTables });
  const markets = pools.filter(({ mints }) => mints.includes(mint));
  if (bought === 0n || markets.every((pool) => isNewCurve(pool, mint))) return null;
  const gross = outOf(pools, { mintIn: mint, mintOut: WSOL_MINT, amountIn: bought, lookupTables });
  const returned = gross - (await feeOf(gross));
  const returnedBps = Number(minBigint(10_000n, (returned * 10_000n) / TEST_SALE_LAMPORTS));
  return { spentLamports: TEST_SALE_LAMPORTS, returnedBps, simulated: false };
}

function isNewCurve({ mints, shape }: Pool, mint: Address): boolean {
  return shape?.kind === 'launch-curve' && shape.realReserves[mints[0] === mint ? 1 : 0] === 0n;
}

/** The output of the best route, 0 when none brings anything. */
function outOf(pools: readonly Pool[], order: SwapOrder): bigint {
  return routeOrNull(pools, order)?.amountOut ?? 0n;
}
