import { WSOL_MINT } from '../../core/address/programs.ts';
import { bps } from '../../core/amounts/bps.ts';
import { maxBigint } from '../../core/amounts/rounding.ts';
import { middlesOfTerms } from '../../core/intents/params.ts';
import { associatedAccountBytes, TOKEN_ACCOUNT_BYTES } from '../../core/tokens/account-size.ts';
import { unitsHeld } from '../../core/tokens/token-account.ts';
import type { PlanBuilder } from '../transactions/plan.ts';
import { assembleBuy } from './assemble-trade.ts';
import { coSignRoute } from './co-sign.ts';
import { freshPools } from './fresh-pools.ts';
import { loadToken } from './load-token.ts';
import { loadMiddleAccounts, rentKept, untouched } from './middle-accounts.ts';
import { buyOn, notAbove } from './price-trade.ts';
import { tradePlan } from './rival-trade.ts';
import type { TradeDeps } from './trade-deps.ts';

/**
 * One attempt of a confirmed buy on a fresh quote. Never worse than what was confirmed: the fee is not above the confirmed
 * one, and the least output is the confirmed minimum or the fresh quote's, whichever is higher (a price that rose since is
 * not a margin for somebody else to take). Throws PRICE_MOVED when the market no longer gives the confirmed minimum.
 */
export function createBuyPlanBuilder(deps: TradeDeps): PlanBuilder<'buy'> {
  return async (intent, wallet, attemptId) => {
    const { mint, lamportsIn, terms: confirmed, tier } = intent.params;
    const token = await loadToken(deps.chain, mint);
    const account = deps.programs.associatedTokenAddress(wallet.address, mint, token.tokenProgram);
    const pools = freshPools(deps, {
      mintIn: WSOL_MINT,
      mintOut: mint,
      middles: middlesOfTerms(confirmed),
    });
    const [state, accountRent, wrappedRentLamports, feeNow] = await Promise.all([
      deps.chain.accounts([account]),
      deps.chain.rentExemption(associatedAccountBytes(token)),
      deps.chain.rentExemption(TOKEN_ACCOUNT_BYTES),
      deps.platformFee(lamportsIn, wallet.address),
      pools(),
    ]);
    const fee = notAbove(feeNow, confirmed);
    const feeLamports = fee.lamports;
    const order = { mintIn: WSOL_MINT, mintOut: mint, amountIn: lamportsIn - feeLamports };
    const slippageBps = bps(confirmed.slippageBps);
    const newAccountRent = (state.accounts[0] ?? null) === null ? accountRent : 0n;
    return tradePlan(deps, {
      order: { ...order, slippageBps },
      pools,
      wallet: wallet.address,
      token,
      leastOut: confirmed.minOut,
      price: (route) => buyOn(route, { lamportsIn, fee, slippageBps }),
      plan: async ({ route, terms }) => {
        const middles = await loadMiddleAccounts(deps, wallet.address, route);
        const minOut = maxBigint(confirmed.minOut, terms.minOut);
        return {
          instructions: assembleBuy(deps.programs, {
            wallet: wallet.address,
            token,
            account,
            held: unitsHeld(state.accounts[0] ?? null),
            route,
            middles,
            minOut,
            feeLamports,
            treasury: deps.treasury,
            seed: attemptId,
            wrappedRentLamports,
          }),
          tier,
          units: null,
          terms: { ...terms, minOut },
          expect: {
            maxLamportsOut: lamportsIn + newAccountRent + rentKept(middles),
            minLamportsIn: null,
            tokens: [{ account, mint, minDelta: minOut }, ...untouched(middles)],
          },
          coSign: coSignRoute(deps.venues, route),
        };
      },
    });
  };
}
