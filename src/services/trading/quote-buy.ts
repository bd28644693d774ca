import { WSOL_MINT } from '../../core/address/programs.ts';
import { minBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { associatedAccountBytes, TOKEN_ACCOUNT_BYTES } from '../../core/tokens/account-size.ts';
import { tokenSafety, withExit } from '../../core/tokens/safety.ts';
import { unitsHeld } from '../../core/tokens/token-account.ts';
import { assembleBuy, networkFeeUpTo } from './assemble-trade.ts';
import { freshPools } from './fresh-pools.ts';
import { loadToken } from './load-token.ts';
import { loadMiddleAccounts, type MiddleAccount, rentKept, rentNeeded } from './middle-accounts.ts';
import { buyOn, type PricedTrade } from './price-trade.ts';
import { shownTrade } from './rival-trade.ts';
import type { TradeDeps } from './trade-deps.ts';
import {
  type BuyRequest,
  IMPACT_MAX_BUY_BPS,
  QUOTE_TTL_MS,
  routeFacts,
  SOL_RESERVE_LAMPORTS,
  type TradeQuote,
  tradeWarnings,
} from './trade-quote.ts';

type Priced = PricedTrade & {
  readonly networkFee: bigint;
  readonly middles: readonly MiddleAccount[];
};

/** Stands for an intent's id while there is none: only the number of signatures is read from what it assembles. */
const NO_INTENT = 'quote';

/**
 * What buying would cost and bring now. Effect-free. Throws PRICE_IMPACT_TOO_HIGH above 50 %, INSUFFICIENT_LAMPORTS when
 * the wallet cannot pay amount, network fee, rent of a new account and, for a moment, of the wrapped-SOL account. Having
 * those, the wallet keeps more than the rent-exempt minimum, so the chain never refuses it for what is left.
 */
export async function quoteBuy(deps: TradeDeps, request: BuyRequest): Promise<TradeQuote> {
  const token = await loadToken(deps.chain, request.mint);
  const account = deps.programs.associatedTokenAddress(request.wallet, token.mint, token.tokenProgram);
  const pools = freshPools(deps, { mintIn: WSOL_MINT, mintOut: token.mint });
  const [state, accountRent, wrappedRentLamports, epoch, exit] = await Promise.all([
    deps.chain.accounts([request.wallet, account]),
    deps.chain.rentExemption(associatedAccountBytes(token)),
    deps.chain.rentExemption(TOKEN_ACCOUNT_BYTES),
    deps.chain.epoch(),
    deps.exitCheck?.(request.mint, request.wallet),
    pools(),
  ]);
  const [walletState, accountState] = state.accounts;
  const walletLamports = walletState?.lamports ?? 0n;
  const outputRentLamports = (accountState ?? null) === null ? accountRent : 0n;

  const price = async (lamportsIn: bigint): Promise<Priced> => {
    const { slippageBps, wallet, mint, tier } = request;
    const fee = await deps.platformFee(lamportsIn, wallet);
    const feeLamports = fee.lamports;
    const priced = await shownTrade(deps, {
      order: { mintIn: WSOL_MINT, mintOut: mint, amountIn: lamportsIn - feeLamports, slippageBps },
      pools,
      price: (route) => buyOn(route, { lamportsIn, fee, slippageBps }),
    });
    const middles = await loadMiddleAccounts(deps, wallet, priced.route);
    const instructions = assembleBuy(deps.programs, {
      wallet,
      token,
      account,
      held: unitsHeld(accountState ?? null),
      route: priced.route,
      middles,
      minOut: priced.terms.minOut,
      feeLamports,
      treasury: deps.treasury,
      seed: NO_INTENT,
      wrappedRentLamports,
    });
    return { ...priced, middles, networkFee: networkFeeUpTo(wallet, instructions, tier) };
  };

  let priced: Awaited<ReturnType<typeof price>>;
  if (request.amount === 'max') {
    // The network fee depends on the route and the route on the amount: the second pass knows the first one's fee.
    const spare = (networkFee: bigint, middles: readonly MiddleAccount[] = []): bigint => {
      const rents = outputRentLamports + wrappedRentLamports + rentNeeded(middles);
      const kept = rents + SOL_RESERVE_LAMPORTS + networkFee;
      if (walletLamports > kept) return walletLamports - kept;
      throw new AppError('INSUFFICIENT_LAMPORTS', {
        needed: kept + 1n,
        available: walletLamports,
        amount: 1n,
        fees: kept,
      });
    };
    const first = await price(spare(networkFeeUpTo(request.wallet, [], request.tier)));
    priced = await price(spare(first.networkFee, first.middles));
  } else {
    priced = await price(request.amount.lamports);
  }

  const { terms, route, networkFee, middles } = priced;
  const newAccountRentLamports = outputRentLamports + rentKept(middles);
  if (terms.priceImpactBps > IMPACT_MAX_BUY_BPS) {
    throw new AppError('PRICE_IMPACT_TOO_HIGH', {
      impactBps: terms.priceImpactBps,
      maxBps: IMPACT_MAX_BUY_BPS,
    });
  }
  const fees = networkFee + outputRentLamports + rentNeeded(middles) + wrappedRentLamports;
  const needed = terms.amountIn + fees;
  if (walletLamports < needed) {
    throw new AppError('INSUFFICIENT_LAMPORTS', {
      needed,
      available: walletLamports,
      amount: terms.amountIn,
      fees,
    });
  }
  const quotedAt = deps.clock.now();
  return {
    side: 'buy',
    wallet: request.wallet,
    token,
    tier: request.tier,
    amountIn: terms.amountIn,
    terms,
    route: routeFacts(route, middles),
    networkFeeUpToLamports: networkFee,
    newAccountRentLamports,
    leavesWalletUpToLamports: terms.amountIn + networkFee + newAccountRentLamports,
    walletLamports,
    safety: withExit(tokenSafety(token, { epoch, wellKnown: deps.wellKnown }), exit),
    warnings: tradeWarnings(terms),
    slot: minBigint(route.slot, state.slot),
    quotedAt,
    expiresAt: quotedAt + QUOTE_TTL_MS,
  };
}
