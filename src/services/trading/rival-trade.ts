import type { Address } from '../../core/address/address.ts';
import { TOKEN_PROGRAM, WSOL_MINT } from '../../core/address/programs.ts';
import type { Bps } from '../../core/amounts/bps.ts';
import { MAX_U64 } from '../../core/amounts/lamports.ts';
import { minBigint } from '../../core/amounts/rounding.ts';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { LookupTable } from '../../core/lookup-tables/lookup-table.ts';
import type { AggregatorOrder } from '../../core/ports/aggregator.ts';
import type { Pool } from '../../core/ports/venue.ts';
import { chooseRoute } from '../../core/swap/choose-route.ts';
import { hopMarginBps } from '../../core/swap/hop-margin.ts';
import type { Route } from '../../core/swap/route.ts';
import type { SwapOrder } from '../../core/swap/swap-order.ts';
import type { Token } from '../../core/tokens/token.ts';
import { ACCOUNTS_WITHOUT_TABLES, type Offer } from '../aggregators/rivals.ts';
import type { TransactionPlan } from '../transactions/plan.ts';
import type { FreshPools } from './fresh-pools.ts';
import type { RouteMeans } from './price-swap.ts';
import type { PricedTrade } from './price-trade.ts';
import type { TradeDeps } from './trade-deps.ts';

type Contest = {
  readonly order: SwapOrder & { readonly slippageBps: Bps };
  /** Asked once the aggregators have answered: they may take longer than pools stay fresh. */
  readonly pools: FreshPools;
  /** A route with the numbers that a person confirms. */
  readonly price: (route: Route) => PricedTrade | Promise<PricedTrade>;
};

/** Wrapped SOL as a token. */
const WRAPPED = { mint: WSOL_MINT, tokenProgram: TOKEN_PROGRAM, decimals: 9 } as const;

/** The better of our own route and the aggregators' best offer, to be shown; equal ones go to ours. Throws as `chooseRoute`. */
export async function shownTrade(
  deps: Pick<TradeDeps, 'rivals' | 'lookupTables' | 'routerProgram'>,
  { order, pools, price }: Contest,
): Promise<PricedTrade> {
  const [offers, lookupTables] = await Promise.all([offersFor(deps, order), deps.lookupTables?.usable()]);
  const fresh = await pools();
  const own = ownRoute(fresh, order, meansOf(deps, lookupTables));
  const [offer] = above(offers, own);
  if (deps.rivals === undefined || offer === undefined) return price(routeOrThrow(own));
  // Without pools of ours, what the caller read itself is the oldest state.
  const slot = fresh.reduce((oldest, pool) => minBigint(oldest, pool.slot), MAX_U64);
  return price(deps.rivals.show(offer, forBot(order), fresh, slot));
}

/**
 * The plan of one attempt: an aggregator's swap where one promises more than our own route and keeps the rules, with our own
 * behind it in case its simulation says otherwise; else our own. Behind our own through the router program stand separate
 * instructions. Throws PRICE_MOVED when none gives `leastOut`.
 */
export async function tradePlan(
  deps: Pick<TradeDeps, 'rivals' | 'lookupTables' | 'routerProgram'>,
  contest: Contest & {
    readonly wallet: Address;
    readonly token: Token;
    readonly leastOut: bigint;
    readonly plan: (priced: PricedTrade) => Promise<TransactionPlan>;
  },
): Promise<TransactionPlan> {
  const { order, pools, price, leastOut } = contest;
  const [offers, lookupTables] = await Promise.all([offersFor(deps, order), deps.lookupTables?.usable()]);
  const fresh = await pools();
  const means = meansOf(deps, lookupTables);
  const ours = async (by: RouteMeans): Promise<TransactionPlan> => {
    const priced = await price(routeOrThrow(ownRoute(await pools(), order, by)));
    const { quotedOut } = priced.terms;
    if (quotedOut < leastOut) throw new AppError('PRICE_MOVED', { minOut: leastOut, got: quotedOut });
    const plan = await contest.plan(priced);
    return {
      ...plan,
      ...(lookupTables === undefined ? {} : { lookupTables }),
      ...(priced.route.byProgram === true ? { instead: () => ours({ ...means, routerProgram: false }) } : {}),
    };
  };
  for (const offer of above(offers, ownRoute(fresh, order, means))) {
    const route = await deps.rivals?.build(offer, forBot(order), tradeOf(contest, fresh));
    if (route === undefined || route === null) continue;
    const priced = await price(route);
    if (priced.terms.quotedOut < leastOut) continue;
    const instead = (why: unknown): Promise<TransactionPlan> => {
      deps.rivals?.passedOver(offer.aggregator.name, 'simulate', why);
      return ours(means);
    };
    return { ...(await contest.plan(priced)), instead };
  }
  return ours(means);
}

function tradeOf({ wallet, token, order }: Parameters<typeof tradePlan>[1], pools: readonly Pool[]) {
  return order.mintIn === WSOL_MINT
    ? { user: wallet, tokenIn: WRAPPED, tokenOut: token, pools }
    : { user: wallet, tokenIn: token, tokenOut: WRAPPED, pools };
}

async function offersFor(
  { rivals }: Pick<TradeDeps, 'rivals'>,
  order: Contest['order'],
): Promise<readonly Offer[]> {
  return rivals === undefined ? [] : rivals.offers(forBot(order));
}

function above(offers: readonly Offer[], own: Route | AppError): readonly Offer[] {
  return offers.filter(({ quote }) => own instanceof AppError || quote.amountOut > own.amountOut);
}

/** The signing policy knows the operator's own lookup tables and no aggregator's, so its swap has to fit without. */
function forBot(order: Contest['order']): AggregatorOrder {
  return { ...order, maxAccounts: ACCOUNTS_WITHOUT_TABLES };
}

function meansOf(
  { routerProgram }: Pick<TradeDeps, 'routerProgram'>,
  lookupTables: readonly LookupTable[] = [],
): RouteMeans {
  return { lookupTables, routerProgram: routerProgram === true };
}

function ownRoute(pools: readonly Pool[], order: Contest['order'], means: RouteMeans): Route | AppError {
  try {
    return chooseRoute(pools, { ...order, hopMarginBps: hopMarginBps(order.slippageBps), ...means });
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

function routeOrThrow(route: Route | AppError): Route {
  if (route instanceof AppError) throw route;
  return route;
}
