import { bpsFloor } from '../../core/amounts/bps.ts';
import { maxBigint, minBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { tokenSafety, withExit } from '../../core/tokens/safety.ts';
import { networkFeeUpTo, planTrade, type TradePlan } from './assemble-trade.ts';
import { bestShown, loadOffers } from './choose-way.ts';
import type { Sellable } from './find-sellable.ts';
import { type FreshPools, freshPools } from './fresh-pools.ts';
import { loadIntermediateAccounts, rentNeeded } from './intermediate-accounts.ts';
import { loadToken } from './load-token.ts';
import { closedBySale, lookAtWallet, mintsOf, type OwnWallet, sellableOf, traderOf } from './own-wallet.ts';
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

/** Stands for an attempt's id while there is none: only the number of signatures is read from what it assembles. */
const NO_ATTEMPT = 'quote';

/**
 * The confirm screen's numbers for a buy or a sale, from chain state read now. Changes nothing anywhere. A buy throws
 * PRICE_IMPACT_TOO_HIGH above 50 %; a sale is never refused for safety or impact. INSUFFICIENT_LAMPORTS when the wallet cannot
 * pay amount, network fee, rent of new accounts and, for a moment, of the wrapped-SOL account: with `amount` 0 it says that a
 * sale, too, needs a little SOL. Having those, the wallet keeps more than the rent-exempt minimum, so the chain never refuses
 * it for what is left.
 */
export async function quoteTrade(deps: TradeDeps, request: TradeRequest): Promise<TradeQuote> {
  const { side, wallet } = request;
  const token = await loadToken(deps.chain, request.mint);
  const pools = freshPools(deps, mintsOf(side, token.mint));
  const [own, epoch, exit] = await Promise.all([
    lookAtWallet(deps, { side, wallet, token }),
    deps.chain.epoch(),
    side === 'buy' ? deps.exitCheck?.(token.mint, wallet) : undefined,
    pools(),
  ]);
  const asked = { request, own, pools };
  const weighed =
    request.side === 'buy' ? await weighBuy(deps, asked, request) : await weighSale(deps, asked, request);
  const { plan, networkFee } = weighed;
  const { priced, terms, intermediates, newAccountRentLamports } = plan;
  const spent = side === 'buy' ? terms.amountIn : 0n;
  const fees = networkFee + own.outputRentLamports + rentNeeded(intermediates) + own.wrappedRentLamports;
  assertHas(own.lamports, spent, fees);
  const quotedAt = deps.clock.now();
  return {
    side,
    wallet,
    token,
    tier: request.tier,
    amountIn: terms.amountIn,
    terms,
    route: routeFacts(priced.route, intermediates),
    networkFeeUpToLamports: networkFee,
    newAccountRentLamports,
    closedLamports: plan.closedLamports,
    leavesWalletUpToLamports: spent + networkFee + newAccountRentLamports,
    walletLamports: own.lamports,
    safety: withExit(tokenSafety(token, { epoch, wellKnown: deps.wellKnown }), exit),
    warnings: tradeWarnings(terms),
    unasked: (await pools()).unasked,
    slot: minBigint(priced.route.slot, own.slot),
    quotedAt,
    expiresAt: quotedAt + QUOTE_TTL_MS,
  };
}

type Asked = { readonly request: TradeRequest; readonly own: OwnWallet; readonly pools: FreshPools };

type Weighed = { readonly plan: TradePlan; readonly networkFee: bigint };

async function weighBuy(deps: TradeDeps, asked: Asked, { amount }: BuyRequest): Promise<Weighed> {
  const weighed =
    amount === 'max' ? await weighMost(deps, asked) : await weigh(deps, asked, amount.lamports, null);
  const { priceImpactBps: impactBps } = weighed.plan.terms;
  if (impactBps > IMPACT_MAX_BUY_BPS) {
    throw new AppError('PRICE_IMPACT_TOO_HIGH', { impactBps, maxBps: IMPACT_MAX_BUY_BPS });
  }
  return weighed;
}

/** The network fee depends on the route and the route on the amount: the second pass knows the first one's fee. */
async function weighMost(deps: TradeDeps, asked: Asked): Promise<Weighed> {
  const { own, request } = asked;
  const spare = (networkFee: bigint, rentLamports = 0n): bigint => {
    const rents = own.outputRentLamports + own.wrappedRentLamports + rentLamports;
    const kept = rents + SOL_RESERVE_LAMPORTS + networkFee;
    assertHas(own.lamports, 1n, kept);
    return own.lamports - kept;
  };
  const first = await weigh(deps, asked, spare(networkFeeUpTo(own.wallet, [], request.tier)), null);
  return weigh(deps, asked, spare(first.networkFee, rentNeeded(first.plan.intermediates)), null);
}

async function weighSale(deps: TradeDeps, asked: Asked, { amount }: SellRequest): Promise<Weighed> {
  const sold = await sellableOf(deps, asked.own, 'units' in amount ? amount.units : 1n);
  const units = 'units' in amount ? amount.units : maxBigint(1n, bpsFloor(sold.units, amount.shareBps));
  return weigh(deps, asked, units, sold);
}

/** One amount, priced and assembled as it would be carried out. */
async function weigh(
  deps: TradeDeps,
  { request, own, pools }: Asked,
  amount: bigint,
  sold: Sellable | null,
): Promise<Weighed> {
  const { side, wallet, slippageBps, tier } = request;
  const terms = await platformTerms(deps, { ...mintsOf(side, own.token.mint), amount, slippageBps, wallet });
  const offers = await loadOffers(deps, terms);
  const priced = await bestShown(deps, terms, await pools(), offers);
  const intermediates = await loadIntermediateAccounts(deps, wallet, priced.route);
  const closedLamports = closedBySale(own, sold, amount);
  const trader = traderOf(deps, own, NO_ATTEMPT, { sold, closedLamports });
  const plan = planTrade(deps, { ...trader, priced, intermediates }, { ...terms, tier });
  return { plan, networkFee: networkFeeUpTo(wallet, plan.instructions, tier) };
}

function assertHas(available: bigint, amount: bigint, fees: bigint): void {
  const needed = amount + fees;
  if (available < needed) throw new AppError('INSUFFICIENT_LAMPORTS', { needed, available, amount, fees });
}
