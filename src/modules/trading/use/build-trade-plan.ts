import type { Address } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { intermediatesOfTerms, type TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { TransactionPlan } from '../../../engine/transactions/use/plan.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { planTrade } from './assemble-trade.ts';
import { loadOffers, ownRoute, passOverAggregator, routeOfAggregator } from './choose-way.ts';
import { freshPools } from './fresh-pools.ts';
import { loadIntermediateAccounts } from './intermediate-accounts.ts';
import { loadTradable } from './load-token.ts';
import { ownPlan, type Trading } from './own-plan.ts';
import { closedBySale, lookAtWallet, mintsOf, type OwnWallet, sellableOf, traderOf } from './own-wallet.ts';
import { notAbove } from './price-route.ts';
import { platformTerms } from './swap-terms.ts';
import type { TradeDeps } from './trading-deps.ts';

/** A confirmed trade of one of our wallets, as one attempt carries it out. */
export type ConfirmedTrade = Pick<OwnWallet, 'side' | 'wallet'> & {
  readonly mint: Address;
  /** All that leaves: lamports of a purchase, fee included, or units of a sale. */
  readonly amount: bigint;
  /** As confirmed. */
  readonly terms: TradeTerms;
  readonly tier: PriorityTier;
  readonly attemptId: string;
  /** Sent with the attempt; its sender takes no version 1. */
  readonly tip?: TipTerms | undefined;
  /** Whether a sale that empties the token's account may close it. */
  readonly mayClose?: boolean;
};

/**
 * One attempt of a confirmed trade on a fresh quote. It is never worse than the confirmed terms. The fee is not above the confirmed one.
 * The least output is the confirmed minimum or the fresh quote's, the higher of the two: a price that rose since is not a margin for others
 * to take. An aggregator's swap goes first where one promises more than our own route and keeps the rules, with our own behind it. Behind
 * our own through the router program come separate instructions, and behind those the routes without a pool that failed. Throws PRICE_MOVED
 * when the market no longer gives the confirmed minimum, and the errors of `findSellable` when the units of a sale have gone meanwhile.
 */
export async function buildTradePlan(deps: TradeDeps, trade: ConfirmedTrade): Promise<TransactionPlan> {
  const { side, wallet, amount, terms: confirmed } = trade;
  const token = await loadTradable(deps.chain, trade.mint);
  const intermediates = intermediatesOfTerms(confirmed);
  const pair = mintsOf(side, token.mint);
  const pools = freshPools(deps, { ...pair, intermediates });
  const platformFee: TradeDeps['platformFee'] = async (gross, of) =>
    notAbove(await deps.platformFee(gross, of), confirmed);
  const slippageBps = bps(confirmed.slippageBps);
  const [held, terms] = await Promise.all([
    lookAtWallet(deps, { side, wallet, token }),
    platformTerms(
      { platformFee },
      { ...pair, amount, slippageBps, wallet, agreedOut: confirmed.minOut, intermediates, tip: trade.tip },
    ),
    pools(),
  ]);
  const sold = side === 'sell' ? await sellableOf(deps, held, amount) : null;
  const closedLamports = trade.mayClose === true ? closedBySale(held, sold, amount) : 0n;
  const trader = traderOf(deps, held, trade.attemptId, { sold, closedLamports });
  const { offers, means } = await loadOffers(deps, terms);
  const trading: Trading = {
    terms,
    pools,
    means,
    plan: async (priced) => {
      const accounts = await loadIntermediateAccounts(deps, wallet, priced.route);
      return planTrade(deps, { ...trader, priced, intermediates: accounts }, { ...terms, tier: trade.tier });
    },
  };
  if (offers.length === 0) return ownPlan(deps, trading);
  const found = await pools();
  const { tokenIn, tokenOut } = trader;
  const parties = { user: wallet, tokenIn, tokenOut, pools: found.pools };
  const own = await ownRoute(deps, terms, found, means);
  const priced = await routeOfAggregator(deps, terms, offers, own, parties);
  if (priced === null) return ownPlan(deps, trading);
  const instead = (why: unknown): Promise<TransactionPlan> => {
    passOverAggregator(deps, priced, why);
    return ownPlan(deps, trading);
  };
  // The signing policy knows no aggregator's tables.
  return { ...(await trading.plan(priced)), lookupTables: [], instead };
}
