import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { LAMPORTS_PER_SOL, MAX_U64 } from '../../core/amounts/lamports.ts';
import { maxBigint, minBigint } from '../../core/amounts/rounding.ts';
import type { Pool } from '../../core/ports/venue.ts';
import { chooseRoute } from '../../core/swap/choose-route.ts';
import { midPrice, type Price, picoUsdPerToken } from '../../core/swap/price.ts';
import { type TokenSafety, tokenSafety } from '../../core/tokens/safety.ts';
import type { Token } from '../../core/tokens/token.ts';
import { readTokenAccount } from '../../core/tokens/token-account.ts';
import type { SolPrice } from '../market/sol-price.ts';
import { loadPools } from './load-pools.ts';
import { loadToken } from './load-token.ts';
import type { TradeDeps } from './trade-deps.ts';

/** What the trade card shows. Null is "not known" and is shown as n/a, never as zero. */
export type TradeCard = {
  readonly token: Token;
  readonly account: Address;
  readonly walletLamports: bigint;
  /** Units in the wallet's associated account of the token. */
  readonly holdingUnits: bigint;
  /** Lamports per whole token (see `Price`); null without a pool. */
  readonly price: Price | null;
  /** US dollars × 10^12 per whole token. */
  readonly picoUsd: bigint | null;
  /** Millionths of a US dollar per SOL. */
  readonly microUsdPerSol: bigint | null;
  /** Lamports that could be taken out of all pools at most, doubled: both sides at the present price. */
  readonly liquidityLamports: bigint;
  readonly safety: TokenSafety;
  /** What a small purchase would bring back when sold at once, every fee included but the network's; null without a route. */
  readonly testSale: { readonly spentLamports: bigint; readonly returnedBps: number } | null;
  readonly slot: bigint;
};

/** Small against any pool worth trading, large against rounding. */
const TEST_SALE_LAMPORTS = LAMPORTS_PER_SOL / 10n;

/** The card of one token for one wallet, from chain state read now. Effect-free. TOKEN_NOT_FOUND for what is no mint. */
export async function tradeCard(
  deps: TradeDeps & { readonly solPrice: SolPrice },
  input: { readonly wallet: Address; readonly mint: Address },
): Promise<TradeCard> {
  const token = await loadToken(deps.chain, input.mint);
  const account = deps.programs.associatedTokenAddress(input.wallet, token.mint, token.tokenProgram);
  const [pools, state, epoch, microUsdPerSol] = await Promise.all([
    loadPools(deps.venues, WSOL_MINT, token.mint),
    deps.chain.accounts([input.wallet, account]),
    deps.chain.epoch(),
    deps.solPrice(),
  ]);
  const [walletState, accountState] = state.accounts;
  const held = accountState === null || accountState === undefined ? null : readTokenAccount(accountState);
  const price = bestPrice(pools, token);
  return {
    token,
    account,
    walletLamports: walletState?.lamports ?? 0n,
    holdingUnits: held?.owner === input.wallet ? held.amount : 0n,
    price,
    picoUsd: price === null || microUsdPerSol === null ? null : picoUsdPerToken(price, microUsdPerSol),
    microUsdPerSol,
    liquidityLamports: 2n * pools.reduce((sum, pool) => sum + pool.quote(token.mint, MAX_U64), 0n),
    safety: tokenSafety(token, { epoch, wellKnown: deps.wellKnown }),
    testSale: await testSale(deps, input.wallet, pools, token.mint),
    slot: pools.reduce((slot, pool) => minBigint(slot, pool.slot), state.slot),
  };
}

/** The middle price of the pool that holds most SOL: a nearly empty one may say anything. */
function bestPrice(pools: readonly Pool[], token: Token): Price | null {
  const depth = (pool: Pool) => pool.quote(token.mint, MAX_U64);
  const deepest = pools.reduce<Pool | null>(
    (best, pool) => (best === null || depth(pool) > depth(best) ? pool : best),
    null,
  );
  return deepest === null ? null : midPrice(deepest, token.mint, token.decimals);
}

/**
 * "Can I get out?": the best purchase for 0.1 SOL, then the best sale of what it brought, with the platform fee on both
 * as on a real trade. Both on the present states, so a size that moves the price counts twice: never too rosy. A token
 * that cannot be sold shows as 0.
 */
async function testSale(
  deps: Pick<TradeDeps, 'platformFee'>,
  wallet: Address,
  pools: readonly Pool[],
  mint: Address,
): Promise<TradeCard['testSale']> {
  const amountIn = TEST_SALE_LAMPORTS - (await deps.platformFee(TEST_SALE_LAMPORTS, wallet)).lamports;
  if (!pools.some((pool) => pool.quote(WSOL_MINT, amountIn) > 0n)) return null;
  const bought = chooseRoute(pools, { mintIn: WSOL_MINT, mintOut: mint, amountIn });
  const gross = pools.reduce((most, pool) => maxBigint(most, pool.quote(mint, bought.amountOut)), 0n);
  const returned = gross - (await deps.platformFee(gross, wallet)).lamports;
  const returnedBps = Number(minBigint(10_000n, (returned * 10_000n) / TEST_SALE_LAMPORTS));
  return { spentLamports: TEST_SALE_LAMPORTS, returnedBps };
}
