import { minBigint } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { tokenSafety, withExit } from '../../tokens/rules/safety.ts';
import { networkFeeUpTo, planTrade, type TradePlan } from './assemble-trade.ts';
import { bestShown, loadOffers } from './choose-way.ts';
import type { Sellable } from './find-sellable.ts';
import { type FreshPools, freshPools } from './fresh-pools.ts';
import { loadIntermediateAccounts, rentNeeded } from './intermediate-accounts.ts';
import { loadTradable, orHook } from './load-token.ts';
import {
  closedBySale,
  lookAtWallet,
  mintsOf,
  type OwnWallet,
  sellableOf,
  shareOf,
  traderOf,
} from './own-wallet.ts';
import { platformTerms } from './swap-terms.ts';
import {
  type BuyRequest,
  IMPACT_MAX_BUY_BPS,
  QUOTE_TTL_MS,
  routeFacts,
  type SellRequest,
  SOL_RESERVE_LAMPORTS,
  type TradeQuote,
  type TradeRequest,
  tradeWarnings,
} from './trade-quote.ts';
import type { TradeDeps } from './trading-deps.ts';

/** Replaces an attempt's id while there is none: only the number of signatures is read from the result. */
const NO_ATTEMPT = 'quote';

/**
 * The confirm screen's numbers for a buy or a sale, from chain state read now. Changes nothing anywhere. A buy that can be paid throws
 * PRICE_IMPACT_TOO_HIGH above 50 %; a sale is never refused for safety or impact. INSUFFICIENT_LAMPORTS when the wallet cannot pay amount,
 * network fee, rent of new accounts and, for a moment, of the wrapped-SOL account. With `amount` 0 it says that a sale, too, needs a little
 * SOL; for a purchase it names the most that can be spent. Having those, the wallet keeps more than the rent-exempt minimum, so the chain
 * never refuses it for its remaining balance.
 */
export async function quoteTrade(deps: TradeDeps, request: TradeRequest): Promise<TradeQuote> {
  const { side, wallet } = request;
  const token = await loadTradable(deps.chain, request.mint);
  const pools = freshPools(deps, mintsOf(side, token.mint));
  const [own, epoch, exit] = await Promise.all([
    lookAtWallet(deps, { side, wallet, token }),
    deps.chain.epoch(),
    side === 'buy' ? deps.exitCheck?.(token.mint, wallet) : undefined,
    pools(),
  ]);
  const asked = { request, own, pools };
  const weighed = await weighTrade(deps, asked);
  const { plan, networkFee } = weighed;
  const { priced, terms, intermediates, newAccountRentLamports } = plan;
  const spent = side === 'buy' ? terms.amountIn : 0n;
  const fees = feesOf(asked, weighed);
  if (own.lamports < spent + fees) {
    const most = side === 'buy' ? await mostOf(deps, asked) : null;
    throw short(own.lamports, spent, fees, most?.plan.terms.amountIn ?? 0n);
  }
  if (side === 'buy') assertFairImpact(plan);
  const quotedAt = deps.clock.now();
  return {
    side,
    wallet,
    token,
    tier: request.tier,
    amountIn: terms.amountIn,
    elsewhereUnits: weighed.elsewhere ?? 0n,
    terms,
    route: routeFacts(priced.route, intermediates),
    networkFeeUpToLamports: networkFee,
    newAccountRentLamports,
    closedLamports: plan.closedLamports,
    ...(request.tip === undefined ? {} : { tip: request.tip }),
    leavesWalletUpToLamports: spent + networkFee + newAccountRentLamports + tipUpTo(request),
    walletLamports: own.lamports,
    safety: withExit(tokenSafety(token, { epoch, wellKnown: deps.wellKnown }), exit),
    warnings: tradeWarnings(terms),
    unasked: (await pools()).unasked,
    slot: minBigint(priced.route.slot, own.slot),
    quotedAt,
    expiresAt: quotedAt + QUOTE_TTL_MS,
  };
}

const tipUpTo = ({ tip }: TradeRequest): bigint => tip?.atMost ?? 0n;

type Asked = { readonly request: TradeRequest; readonly own: OwnWallet; readonly pools: FreshPools };

type Weighed = { readonly plan: TradePlan; readonly networkFee: bigint; readonly elsewhere?: bigint };

async function weighTrade(deps: TradeDeps, asked: Asked): Promise<Weighed> {
  const { request, own } = asked;
  try {
    return request.side === 'buy'
      ? await weighBuy(deps, asked, request)
      : await weighSale(deps, asked, request);
  } catch (error) {
    throw orHook(error, own.token);
  }
}

/** An amount above the wallet's balance is refused as such, before its price impact, where the wallet can pay for some amount. */
async function weighBuy(deps: TradeDeps, asked: Asked, { amount }: BuyRequest): Promise<Weighed> {
  if (amount === 'max') return weighMost(deps, asked);
  const { lamports } = asked.own;
  const most = lamports < amount.lamports ? await mostOf(deps, asked) : null;
  if (most !== null) throw short(lamports, amount.lamports, feesOf(asked, most), most.plan.terms.amountIn);
  return weigh(deps, asked, amount.lamports, null);
}

/** Throws PRICE_IMPACT_TOO_HIGH. */
function assertFairImpact({ terms: { priceImpactBps: impactBps } }: TradePlan): void {
  if (impactBps > IMPACT_MAX_BUY_BPS)
    throw new AppError('PRICE_IMPACT_TOO_HIGH', { impactBps, maxBps: IMPACT_MAX_BUY_BPS });
}

/** The network fee depends on the route and the route on the amount: the second pass knows the first one's fee. */
async function weighMost(deps: TradeDeps, asked: Asked): Promise<Weighed> {
  const { own, request } = asked;
  const spare = (networkFee: bigint, rentLamports = 0n): bigint => {
    const rents = own.outputRentLamports + own.wrappedRentLamports + rentLamports;
    const kept = rents + SOL_RESERVE_LAMPORTS + networkFee + tipUpTo(request);
    if (own.lamports < 1n + kept) throw short(own.lamports, 1n, kept, 0n);
    return own.lamports - kept;
  };
  const first = await weigh(deps, asked, spare(networkFeeUpTo(own.wallet, [], request.tier)), null);
  return weigh(deps, asked, spare(first.networkFee, rentNeeded(first.plan.intermediates)), null);
}

/** The present `max`; null where it would be refused as well. */
async function mostOf(deps: TradeDeps, asked: Asked): Promise<Weighed | null> {
  try {
    const weighed = await weighMost(deps, asked);
    return weighed.plan.terms.priceImpactBps > IMPACT_MAX_BUY_BPS ? null : weighed;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The most that leaves the wallet beside the amount; wrapped SOL comes back. */
function feesOf({ own, request }: Asked, { plan, networkFee }: Weighed): bigint {
  return (
    networkFee +
    tipUpTo(request) +
    own.outputRentLamports +
    rentNeeded(plan.intermediates) +
    own.wrappedRentLamports
  );
}

async function weighSale(deps: TradeDeps, asked: Asked, { amount }: SellRequest): Promise<Weighed> {
  if ('units' in amount)
    return weigh(deps, asked, amount.units, await sellableOf(deps, asked.own, amount.units));
  const { sold, units, elsewhere } = await shareOf(deps, asked.own, amount.shareBps);
  return { ...(await weigh(deps, asked, units, sold)), elsewhere };
}

/** One amount, priced and assembled as it would be carried out. */
async function weigh(
  deps: TradeDeps,
  { request, own, pools }: Asked,
  amount: bigint,
  sold: Sellable | null,
): Promise<Weighed> {
  const { side, wallet, slippageBps, tier, tip } = request;
  const pair = mintsOf(side, own.token.mint);
  const terms = await platformTerms(deps, { ...pair, amount, slippageBps, wallet, tip });
  const offers = await loadOffers(deps, terms);
  const priced = await bestShown(deps, terms, await pools(), offers);
  const intermediates = await loadIntermediateAccounts(deps, wallet, priced.route);
  const closedLamports = closedBySale(own, sold, amount);
  const trader = traderOf(deps, own, NO_ATTEMPT, { sold, closedLamports });
  const plan = planTrade(deps, { ...trader, priced, intermediates }, { ...terms, tier });
  return { plan, networkFee: networkFeeUpTo(wallet, plan.instructions, tier) };
}

function short(available: bigint, amount: bigint, fees: bigint, most: bigint): AppError {
  const known = most > 0n ? { most } : {};
  return new AppError('INSUFFICIENT_LAMPORTS', { needed: amount + fees, available, amount, fees, ...known });
}
