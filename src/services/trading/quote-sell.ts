import { WSOL_MINT } from '../../core/address/programs.ts';
import { bpsFloor } from '../../core/amounts/bps.ts';
import { maxBigint, minBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../core/tokens/account-size.ts';
import { tokenSafety } from '../../core/tokens/safety.ts';
import { assembleSell, networkFeeUpTo } from './assemble-trade.ts';
import { findSellable } from './find-sellable.ts';
import { freshPools } from './fresh-pools.ts';
import { loadToken } from './load-token.ts';
import { loadMiddleAccounts, rentKept, rentNeeded } from './middle-accounts.ts';
import { sellOn } from './price-trade.ts';
import { shownTrade } from './rival-trade.ts';
import type { TradeDeps } from './trade-deps.ts';
import { QUOTE_TTL_MS, routeFacts, type SellRequest, type TradeQuote, tradeWarnings } from './trade-quote.ts';

const NO_INTENT = 'quote';

/**
 * What selling would bring now, net of the platform fee. Effect-free; never refused for safety or impact. The network
 * fee and, for a moment, the wrapped-SOL account's rent must be in the wallet beforehand: INSUFFICIENT_LAMPORTS with
 * `amount` 0 says that a sale, too, needs a little SOL.
 */
export async function quoteSell(deps: TradeDeps, request: SellRequest): Promise<TradeQuote> {
  const { wallet, slippageBps, tier } = request;
  const token = await loadToken(deps.chain, request.mint);
  const associated = deps.programs.associatedTokenAddress(wallet, token.mint, token.tokenProgram);
  const pools = freshPools(deps, { mintIn: token.mint, mintOut: WSOL_MINT });
  const [state, wrappedRentLamports, epoch] = await Promise.all([
    deps.chain.accounts([wallet, associated]),
    deps.chain.rentExemption(TOKEN_ACCOUNT_BYTES),
    deps.chain.epoch(),
    pools(),
  ]);
  const [walletState, associatedState] = state.accounts;
  const walletLamports = walletState?.lamports ?? 0n;
  const sellable = await findSellable(deps, {
    wallet,
    token,
    associated,
    associatedState: associatedState ?? null,
    wanted: 'units' in request.amount ? request.amount.units : 1n,
  });
  const amountIn =
    'units' in request.amount
      ? request.amount.units
      : maxBigint(1n, bpsFloor(sellable.units, request.amount.shareBps));
  const { route, terms } = await shownTrade(deps, {
    order: { mintIn: token.mint, mintOut: WSOL_MINT, amountIn, slippageBps },
    pools,
    price: (taken) =>
      sellOn(taken, { amountIn, slippageBps, fee: (gross) => deps.platformFee(gross, wallet) }),
  });
  const middles = await loadMiddleAccounts(deps, wallet, route);
  const instructions = assembleSell(deps.programs, {
    wallet,
    token,
    account: sellable.account,
    held: sellable.units,
    route,
    middles,
    minOut: terms.minOut + terms.platformFeeLamports,
    feeLamports: terms.platformFeeLamports,
    treasury: deps.treasury,
    seed: NO_INTENT,
    wrappedRentLamports,
  });
  const networkFee = networkFeeUpTo(wallet, instructions, tier);
  const needed = networkFee + wrappedRentLamports + rentNeeded(middles);
  if (walletLamports < needed) {
    throw new AppError('INSUFFICIENT_LAMPORTS', {
      needed,
      available: walletLamports,
      amount: 0n,
      fees: needed,
    });
  }
  const quotedAt = deps.clock.now();
  return {
    side: 'sell',
    wallet,
    token,
    tier,
    amountIn,
    terms,
    route: routeFacts(route, middles),
    networkFeeUpToLamports: networkFee,
    newAccountRentLamports: rentKept(middles),
    leavesWalletUpToLamports: networkFee + rentKept(middles),
    walletLamports,
    safety: tokenSafety(token, { epoch, wellKnown: deps.wellKnown }),
    warnings: tradeWarnings(terms),
    slot: minBigint(route.slot, state.slot),
    quotedAt,
    expiresAt: quotedAt + QUOTE_TTL_MS,
  };
}
