import { WSOL_MINT } from '../../core/address/programs.ts';
import { bps } from '../../core/amounts/bps.ts';
import { maxBigint } from '../../core/amounts/rounding.ts';
import { middlesOfTerms } from '../../core/intents/params.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../core/tokens/account-size.ts';
import type { PlanBuilder } from '../transactions/plan.ts';
import { assembleSell } from './assemble-trade.ts';
import { coSignRoute } from './co-sign.ts';
import { findSellable } from './find-sellable.ts';
import { freshPools } from './fresh-pools.ts';
import { loadToken } from './load-token.ts';
import { loadMiddleAccounts, rentKept, untouched } from './middle-accounts.ts';
import { notAbove, sellOn } from './price-trade.ts';
import { tradePlan } from './rival-trade.ts';
import type { TradeDeps } from './trade-deps.ts';

/**
 * One attempt of a confirmed sale on a fresh quote, under the same rule as a buy: never worse than what was confirmed,
 * fee included. Throws PRICE_MOVED when the market no longer gives the confirmed minimum, and what `findSellable` throws
 * when the units have gone meanwhile.
 */
export function createSellPlanBuilder(deps: TradeDeps): PlanBuilder<'sell'> {
  return async (intent, wallet, attemptId) => {
    const { mint, amountIn, terms: confirmed, tier } = intent.params;
    const token = await loadToken(deps.chain, mint);
    const associated = deps.programs.associatedTokenAddress(wallet.address, mint, token.tokenProgram);
    const pools = freshPools(deps, {
      mintIn: mint,
      mintOut: WSOL_MINT,
      middles: middlesOfTerms(confirmed),
    });
    const [state, wrappedRentLamports] = await Promise.all([
      deps.chain.accounts([associated]),
      deps.chain.rentExemption(TOKEN_ACCOUNT_BYTES),
      pools(),
    ]);
    const { account, units } = await findSellable(deps, {
      wallet: wallet.address,
      token,
      associated,
      associatedState: state.accounts[0] ?? null,
      wanted: amountIn,
    });
    const slippageBps = bps(confirmed.slippageBps);
    return tradePlan(deps, {
      order: { mintIn: mint, mintOut: WSOL_MINT, amountIn, slippageBps },
      pools,
      wallet: wallet.address,
      token,
      leastOut: confirmed.minOut,
      price: (route) =>
        sellOn(route, {
          amountIn,
          slippageBps,
          fee: async (gross) => notAbove(await deps.platformFee(gross, wallet.address), confirmed),
        }),
      plan: async ({ route, terms }) => {
        const middles = await loadMiddleAccounts(deps, wallet.address, route);
        const minOut = maxBigint(confirmed.minOut, terms.minOut);
        const feeLamports = terms.platformFeeLamports;
        return {
          instructions: assembleSell(deps.programs, {
            wallet: wallet.address,
            token,
            account,
            held: units,
            route,
            middles,
            minOut: minOut + feeLamports,
            feeLamports,
            treasury: deps.treasury,
            seed: attemptId,
            wrappedRentLamports,
          }),
          tier,
          units: null,
          terms: { ...terms, minOut },
          expect: {
            maxLamportsOut: rentKept(middles),
            minLamportsIn: minOut - rentKept(middles),
            tokens: [{ account, mint, minDelta: -amountIn }, ...untouched(middles)],
          },
          coSign: coSignRoute(deps.venues, route),
        };
      },
    });
  };
}
