import type { Address } from '../../core/address/address.ts';
import { bps } from '../../core/amounts/bps.ts';
import { AppError, hasCode } from '../../core/errors/app-error.ts';
import { middlesOfTerms, type TradeTerms } from '../../core/intents/params.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import type { PlanBuilder, TransactionPlan } from '../transactions/plan.ts';
import { planTrade, type TradePlan, type Trader } from './assemble-trade.ts';
import {
  dropRival,
  loadOffers,
  ownRoute,
  type RouteMeans,
  rivalRoute,
  routeOrThrow,
  type Without,
} from './choose-way.ts';
import { type FreshPools, freshPools } from './fresh-pools.ts';
import { loadToken } from './load-token.ts';
import { loadMiddleAccounts } from './middle-accounts.ts';
import { lookAtWallet, mintsOf, type OwnWallet, sellableOf, traderOf } from './own-wallet.ts';
import { notAbove, type PricedTrade } from './price-route.ts';
import { failedPool, MOST_FAILED } from './route-around.ts';
import { platformTerms, type SwapTerms } from './swap-terms.ts';
import type { TradeDeps } from './trading-deps.ts';

/** A confirmed trade of one of our wallets, as one attempt carries it out. */
export type ConfirmedTrade = Pick<OwnWallet, 'side' | 'wallet'> & {
  readonly mint: Address;
  /** All that leaves: lamports of a purchase, fee included, or units of a sale. */
  readonly amount: bigint;
  readonly confirmed: TradeTerms;
  readonly tier: PriorityTier;
  readonly attemptId: string;
};

export function createBuyPlanBuilder(deps: TradeDeps): PlanBuilder<'buy'> {
  return ({ params }, { address: wallet }, attemptId) => {
    const { mint, lamportsIn, terms, tier } = params;
    return buildTradePlan(deps, {
      side: 'buy',
      wallet,
      mint,
      amount: lamportsIn,
      confirmed: terms,
      tier,
      attemptId,
    });
  };
}

export function createSellPlanBuilder(deps: TradeDeps): PlanBuilder<'sell'> {
  return ({ params }, { address: wallet }, attemptId) => {
    const { mint, amountIn, terms, tier } = params;
    return buildTradePlan(deps, {
      side: 'sell',
      wallet,
      mint,
      amount: amountIn,
      confirmed: terms,
      tier,
      attemptId,
    });
  };
}

/**
 * One attempt of a confirmed trade on a fresh quote. Never worse than what was confirmed: the fee is not above the confirmed
 * one, and the least output is the confirmed minimum or the fresh quote's, whichever is higher (a price that rose since is
 * not a margin for somebody else to take). An aggregator's swap where one promises more than our own route and keeps the rules,
 * with our own behind it; behind our own through the router program separate instructions, and behind those the routes without
 * a pool that failed. Throws PRICE_MOVED when the market no longer gives the confirmed minimum, and what `findSellable` throws
 * when the units of a sale have gone meanwhile.
 */
export async function buildTradePlan(deps: TradeDeps, trade: ConfirmedTrade): Promise<TransactionPlan> {
  const { side, wallet, amount, confirmed } = trade;
  const token = await loadToken(deps.chain, trade.mint);
  const middles = middlesOfTerms(confirmed);
  const pair = mintsOf(side, token.mint);
  const pools = freshPools(deps, { ...pair, middles });
  const platformFee: TradeDeps['platformFee'] = async (gross, of) =>
    notAbove(await deps.platformFee(gross, of), confirmed);
  const slippageBps = bps(confirmed.slippageBps);
  const [own, terms] = await Promise.all([
    lookAtWallet(deps, { side, wallet, token }),
    platformTerms(
      { platformFee },
      { ...pair, amount, slippageBps, wallet, agreedOut: confirmed.minOut, middles },
    ),
    pools(),
  ]);
  const sold = side === 'sell' ? await sellableOf(deps, own, amount) : null;
  const trader = traderOf(deps, own, trade.attemptId, sold);
  const attempt: Attempt = { terms, trader, pools, tier: trade.tier };
  const { offers, means } = await loadOffers(deps, terms);
  const found = await pools();
  const { tokenIn, tokenOut } = trader;
  const first: Round = { means, without: new Set(), reread: false };
  const priced = await rivalRoute(deps, terms, offers, await ownRoute(deps, terms, found, means), {
    user: wallet,
    tokenIn,
    tokenOut,
    pools: found.pools,
  });
  if (priced === null) return ourPlan(deps, attempt, first);
  const instead = (why: unknown): Promise<TransactionPlan> => {
    dropRival(deps, priced, why);
    return ourPlan(deps, attempt, first);
  };
  // The signing policy knows no aggregator's tables.
  return { ...(await planOn(deps, attempt, priced)), lookupTables: [], instead };
}

type Attempt = {
  readonly terms: SwapTerms;
  readonly trader: Trader;
  /** Asked once the aggregators have answered: they may take longer than pools stay fresh. */
  readonly pools: FreshPools;
  readonly tier: PriorityTier;
};

type Round = { readonly means: RouteMeans; readonly without: Without; readonly reread: boolean };

/** Our own route as a plan, with what is tried behind it. */
async function ourPlan(deps: TradeDeps, attempt: Attempt, round: Round): Promise<TransactionPlan> {
  const own = await ownRoute(
    deps,
    attempt.terms,
    await attempt.pools({ again: round.reread }),
    round.means,
    round.without,
  );
  // What is known may be older than the price that was confirmed: it is read once more before anything is refused.
  if (hasCode(own, 'PRICE_MOVED') && !round.reread) return ourPlan(deps, attempt, { ...round, reread: true });
  const plan = await planOn(deps, attempt, routeOrThrow(own));
  return {
    ...plan,
    onPassed: () => {
      for (const { pool } of plan.priced.route.legs) deps.poolQuarantine.passed(pool.id);
    },
    instead: (why) => nextPlan(deps, attempt, round, plan, why),
  };
}

/** What is tried after a refusal; throws it where nothing else may help. */
async function nextPlan(
  deps: TradeDeps,
  attempt: Attempt,
  round: Round,
  plan: TradePlan,
  why: unknown,
): Promise<TransactionPlan> {
  if (plan.priced.route.byProgram === true) {
    return ourPlan(deps, attempt, { ...round, means: { ...round.means, routerProgram: false } });
  }
  if (hasCode(why, 'PRICE_MOVED') && !round.reread) {
    return ourPlan(deps, attempt, { ...round, reread: true });
  }
  const failed = failedPool(plan, why);
  if (failed === null || round.without.size === MOST_FAILED) throw why;
  const without = new Set([...round.without, failed.pool.id]);
  const other = await ownRoute(deps, attempt.terms, await attempt.pools(), round.means, without);
  if (other instanceof AppError && other.code !== 'PRICE_MOVED') throw why;
  // Held against the pool even where the other way no longer keeps the minimum: the next quote must not choose it again.
  deps.poolQuarantine.failed(failed.pool, why);
  return ourPlan(deps, attempt, { ...round, without, reread: true });
}

async function planOn(
  deps: TradeDeps,
  { terms, trader, tier }: Attempt,
  priced: PricedTrade,
): Promise<TradePlan> {
  const middles = await loadMiddleAccounts(deps, trader.wallet, priced.route);
  return planTrade(deps, { ...trader, priced, middles }, { ...terms, tier });
}
