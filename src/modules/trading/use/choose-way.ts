import { type Address, minBigint, TOKEN_ACCOUNT_BYTES } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { AppError, hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { ErrorCode } from '../../../core/errors/codes.ts';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import type { FoundPools } from '../../market/use/load-pools.ts';
import { tooGoodLegs } from '../rules/bait.ts';
import { chooseRoute } from '../rules/choose-route.ts';
import { hopMarginBps } from '../rules/hop-margin.ts';
import type { Route } from '../rules/route.ts';
import type { SwapOrder } from '../rules/swap-order.ts';
import type { AggregatorTrade, Offer } from './aggregator-quotes.ts';
import { assertAllAsked } from './load-route-pools.ts';
import { type PricedTrade, priceRoute } from './price-route.ts';
import { orderOf, type SwapTerms } from './swap-terms.ts';
import type { TradingDeps } from './trading-deps.ts';

/** The means of a transaction of our own. */
export type RouteMeans = Pick<SwapOrder, 'lookupTables' | 'routerProgram' | 'tokenAccountRent' | 'version1'>;

/** Pools that this trade has failed over already. */
export type Without = ReadonlySet<Address>;

type ChooseDeps = Pick<
  TradingDeps,
  'chain' | 'aggregatorQuotes' | 'poolQuarantine' | 'poolRehearsal' | 'lookupTables' | 'routerProgram'
>;

/** The answers beside the pools: the aggregators' offers, best first, and the means of our own transaction. */
export async function loadOffers(
  deps: Pick<ChooseDeps, 'chain' | 'aggregatorQuotes' | 'lookupTables' | 'routerProgram'>,
  terms: SwapTerms,
): Promise<{ readonly offers: readonly Offer[]; readonly means: RouteMeans }> {
  const [offers, means] = await Promise.all([
    deps.aggregatorQuotes?.offers(orderOf(terms)),
    loadMeans(deps, terms),
  ]);
  return { offers: offers ?? [], means };
}

/** The forms that a transaction of these terms may have now, and the rent of an account that it opens. */
export async function loadMeans(
  { chain, lookupTables, routerProgram }: Pick<ChooseDeps, 'chain' | 'lookupTables' | 'routerProgram'>,
  { version1: wanted }: Pick<SwapTerms, 'version1'>,
): Promise<RouteMeans> {
  const [tables, version1, tokenAccountRent] = await Promise.all([
    lookupTables?.usable(),
    wanted !== undefined && chain.takesVersion1(),
    chain.rentExemption(TOKEN_ACCOUNT_BYTES),
  ]);
  return {
    lookupTables: tables ?? NO_TABLES,
    version1,
    routerProgram: routerProgram === true,
    tokenAccountRent,
  };
}

const NO_TABLES: readonly LookupTable[] = [];
const NOBODY: Without = new Set();

/**
 * Our own route, priced, or the AppError that says why there is none: an aggregator may still know one. Pools in quarantine
 * are taken only where nothing else trades. That there is no route is said only where every venue could be asked.
 */
export async function ownRoute(
  deps: Pick<ChooseDeps, 'poolQuarantine'>,
  terms: SwapTerms,
  found: FoundPools,
  means: RouteMeans = {},
  without: Without = NOBODY,
): Promise<PricedTrade | AppError> {
  if (means.version1 !== true || terms.version1 !== 'needed')
    return routeWithin(deps, terms, found, means, without);
  // A wallet or an explorer that reads version 0 alone should read as many of our transactions as it can.
  const small = await routeWithin(deps, terms, found, { ...means, version1: false }, without);
  if (small instanceof AppError)
    return hasCode(small, 'ROUTE_TOO_LARGE') ? routeWithin(deps, terms, found, means, without) : small;
  return { ...small, version1: true };
}

/** As `ownRoute`, in each form that the means allow. */
export async function routeWithin(
  { poolQuarantine }: Pick<ChooseDeps, 'poolQuarantine'>,
  terms: SwapTerms,
  { pools, unasked, searching }: FoundPools,
  means: RouteMeans,
  without: Without = NOBODY,
): Promise<PricedTrade | AppError> {
  const usable = pools.filter(({ id }) => !without.has(id));
  const healthy = usable.filter(({ id }) => !poolQuarantine.holds(id));
  const order = {
    ...orderOf(terms),
    hopMarginBps: hopMarginBps(terms.slippageBps),
    ...(terms.around === undefined ? {} : { around: terms.around }),
    ...(terms.locks === undefined ? {} : { locks: terms.locks }),
    ...means,
  };
  const first = await refusedOr(async () => priceRoute(chooseRoute(healthy, order), terms, means));
  if (!isNothing(first)) return first;
  if (healthy.length < usable.length) {
    return refusedOr(async () => priceRoute(chooseRoute(usable, order), terms, means));
  }
  return (await refusedOr(async () => assertAllAsked({ unasked, searching }))) ?? first;
}

/** Other pools may bring more where these give one of these errors. */
const NOTHING: ReadonlySet<ErrorCode> = new Set([
  'NO_ROUTE',
  'ROUTE_TOO_LARGE',
  'AMOUNT_ABOVE_DEPTH',
  'INSUFFICIENT_LIQUIDITY',
]);

function isNothing(answer: unknown): boolean {
  return isAppError(answer) && NOTHING.has(answer.code);
}

async function refusedOr<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

/** Rounds of rehearsals before a quote is shown; in later ones no pool that looks too good is taken. */
const MOST_REHEARSED = 3;

/**
 * `ownRoute` without lures: a pool that is far better than the next one is rehearsed before its quote is shown. One that breaks it is left out
 * and avoided for a while. Without rehearsals it is `ownRoute`.
 */
async function rehearsedRoute(
  deps: ChooseDeps,
  terms: SwapTerms,
  found: FoundPools,
  means: RouteMeans,
): Promise<PricedTrade | AppError> {
  const { poolRehearsal, poolQuarantine } = deps;
  const without = new Set<Address>();
  for (let round = 0; ; round += 1) {
    const own = await ownRoute(deps, terms, found, means, without);
    if (poolRehearsal === undefined || own instanceof AppError) return own;
    const left = found.pools.filter(({ id }) => !without.has(id));
    const outOf = (amountIn: bigint, pool: Address | null): bigint | null =>
      routeOrNull(
        left.filter(({ id }) => id !== pool),
        { ...orderOf(terms), hopMarginBps: hopMarginBps(terms.slippageBps), ...means, amountIn },
      )?.amountOut ?? null;
    const lures = tooGoodLegs(own.route, left, outOf);
    const answers = await Promise.all(
      (round < MOST_REHEARSED ? lures : []).map((leg) => poolRehearsal(leg, left)),
    );
    const broken = round < MOST_REHEARSED ? lures.filter((_, index) => answers[index] === 'breaks') : lures;
    if (broken.length === 0) return own;
    for (const { pool } of broken) {
      without.add(pool.id);
      if (round < MOST_REHEARSED) poolQuarantine.failed(pool, 'its rehearsal brought less than its quote');
    }
  }
}

/** The better of our own route and the best offer, to be shown; equal outputs go to our own. Throws the error of `ownRoute`. */
export async function bestShown(
  deps: ChooseDeps,
  terms: SwapTerms,
  found: FoundPools,
  { offers, means }: { readonly offers: readonly Offer[]; readonly means: RouteMeans },
): Promise<PricedTrade> {
  const own = await rehearsedRoute(deps, terms, found, means);
  const [offer] = above(deps, terms, offers, own);
  if (deps.aggregatorQuotes === undefined || offer === undefined) return routeOrThrow(own);
  const { pools } = found;
  const [first] = pools;
  const slot =
    first === undefined
      ? (await deps.chain.accounts([terms.mintOut])).slot
      : pools.reduce((oldest, pool) => minBigint(oldest, pool.slot), first.slot);
  return priceRoute(deps.aggregatorQuotes.show(offer, orderOf(terms), pools, slot), terms);
}

/** The offers that promise more than our own route, which is counted; the simulation shows how much of that they keep. */
function above(
  { aggregatorQuotes }: Pick<ChooseDeps, 'aggregatorQuotes'>,
  terms: SwapTerms,
  offers: readonly Offer[],
  own: PricedTrade | AppError,
): readonly Offer[] {
  aggregatorQuotes?.compared(terms, own instanceof AppError ? null : own.route.amountOut, offers);
  return offers.filter(({ quote }) => own instanceof AppError || quote.amountOut > own.route.amountOut);
}

/** The best offer that promises more than our own route and whose transaction keeps the rules, priced; null when none does. */
export async function routeOfAggregator(
  { aggregatorQuotes }: Pick<ChooseDeps, 'aggregatorQuotes'>,
  terms: SwapTerms,
  offers: readonly Offer[],
  own: PricedTrade | AppError,
  trade: AggregatorTrade,
): Promise<PricedTrade | null> {
  if (aggregatorQuotes === undefined) return null;
  for (const offer of above({ aggregatorQuotes }, terms, offers, own)) {
    const route = await aggregatorQuotes.build(offer, orderOf(terms), trade);
    if (route === null) continue;
    const priced = await refusedOr(async () => priceRoute(route, terms));
    if (!(priced instanceof AppError)) return priced;
    if (!hasCode(priced, 'PRICE_MOVED')) throw priced;
  }
  return null;
}

/** Says that an aggregator's swap, taken over already, failed on the way to the asker. */
export function passOverAggregator(
  { aggregatorQuotes }: Pick<ChooseDeps, 'aggregatorQuotes'>,
  { route }: PricedTrade,
  error: unknown,
): null {
  aggregatorQuotes?.passedOver(route.legs[0]?.pool.venue ?? '', 'simulate', route, error);
  return null;
}

export function routeOrThrow(own: PricedTrade | AppError): PricedTrade {
  if (own instanceof AppError) throw own;
  return own;
}

/** The best route, or null where there is none. */
export function routeOrNull(pools: readonly Pool[], order: SwapOrder): Route | null {
  try {
    return chooseRoute(pools, order);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
