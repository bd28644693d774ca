import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { type AppError, hasCode, isAppError } from '../../../core/errors/app-error.ts';
import { overtaken } from '../../../core/errors/overtaken.ts';
import { failedInstruction } from '../../../engine/transactions/use/check-simulation.ts';
import type { TradePlan } from './assemble-trade.ts';
import { ownRoute, type RouteMeans, routeOrThrow } from './choose-way.ts';
import type { FreshPools } from './fresh-pools.ts';
import type { PricedTrade } from './price-route.ts';
import type { SwapTerms } from './swap-terms.ts';
import type { TradingDeps } from './trading-deps.ts';

/** One trade of one trader, for any signer. */
export type Trading = {
  readonly terms: SwapTerms;
  /** Asked right before a route is chosen: an aggregator may take longer than pools stay fresh. */
  readonly pools: FreshPools;
  readonly means: RouteMeans;
  /** Assembles a priced route for the trader. */
  readonly plan: (priced: PricedTrade) => Promise<TradePlan>;
  /** Called when a route by the router program, which is a third party's and changes, was refused. */
  readonly onProgramRefused?: (priced: PricedTrade, why: unknown) => void;
};

/** Our own route as a plan, and the plans that are tried behind it. */
export type OwnPlan = Omit<TradePlan, 'instead'> & { readonly instead: (why: unknown) => Promise<OwnPlan> };

type FailedPool = { readonly pool: Pool; readonly why: AppError };

/** The lessons of the plans that were refused before. */
type Round = { readonly failed: ReadonlyMap<Address, FailedPool>; readonly reread: boolean };

/** Pools that one trade is routed around before it gives up: each costs a simulation. */
const MOST_FAILED = 3;
const FIRST: Round = { failed: new Map(), reread: false };

/**
 * Our own route on pools that are fresh now. Behind it come others, each tried once the one before was refused: separate instructions
 * behind the router program, the same trade on states that are read anew where the market moved, and routes without a pool whose own
 * instruction failed. `instead` throws the refusal where nothing else may help. Throws as `chooseRoute`, PRICE_MOVED below the agreed
 * minimum, and the errors of `plan`.
 */
export async function ownPlan(
  deps: Pick<TradingDeps, 'poolQuarantine'>,
  trading: Trading,
  round: Round = FIRST,
): Promise<OwnPlan> {
  const { terms, means } = trading;
  const pools = await trading.pools({ again: round.reread });
  const own = await ownRoute(deps, terms, pools, means, new Set(round.failed.keys()));
  // The known states may be older than the agreed price: they are read once more before anything is refused.
  if (hasCode(own, 'PRICE_MOVED') && !round.reread) return ownPlan(deps, trading, { ...round, reread: true });
  const plan = await trading.plan(routeOrThrow(own));
  return {
    ...plan,
    onPassed: () => {
      // A failure counts against a pool once the same trade has passed another way. So a wallet whose own accounts make every pool fail
      // harms no pool.
      for (const { pool, why } of round.failed.values()) deps.poolQuarantine.failed(pool, why);
      for (const { pool } of plan.priced.route.legs) deps.poolQuarantine.passed(pool.id);
    },
    instead: (why) => nextPlan(deps, trading, round, plan, why),
  };
}

/** The plan behind one that was refused. */
async function nextPlan(
  deps: Pick<TradingDeps, 'poolQuarantine'>,
  trading: Trading,
  round: Round,
  plan: TradePlan,
  why: unknown,
): Promise<OwnPlan> {
  if (plan.priced.route.byProgram === true && isOfItsForm(why)) {
    if (!hasCode(why, 'PRICE_MOVED')) trading.onProgramRefused?.(plan.priced, why);
    const separate = { ...trading, means: { ...trading.means, routerProgram: false } };
    return refusedOr(why, () => ownPlan(deps, separate, round));
  }
  const moved = overtaken(why);
  if (moved !== null && !round.reread) return ownPlan(deps, trading, { ...round, reread: true });
  const failed = failedPool(plan, why);
  const [first] = round.failed.values();
  const isKnown = failed !== null && round.failed.has(failed.pool.id);
  if (failed === null || isKnown || round.failed.size === MOST_FAILED) throw first?.why ?? why;
  const next = { failed: new Map([...round.failed, [failed.pool.id, failed]]), reread: true };
  return refusedOr(first?.why ?? why, async () => {
    try {
      return await ownPlan(deps, trading, next);
    } catch (error) {
      // There is another way, only below the agreed minimum: the next quote must not choose this pool again.
      if (hasCode(error, 'PRICE_MOVED')) deps.poolQuarantine.failed(failed.pool, failed.why);
      throw error;
    }
  });
}

/** The plan that is tried instead; where it is no way at all, the refusal that led there says more. */
async function refusedOr(why: unknown, work: () => Promise<OwnPlan>): Promise<OwnPlan> {
  try {
    return await work();
  } catch (error) {
    throw isNoWay(error) ? why : error;
  }
}

function isNoWay(error: unknown): boolean {
  return (
    hasCode(error, 'NO_ROUTE') ||
    hasCode(error, 'ROUTE_TOO_LARGE') ||
    hasCode(error, 'AMOUNT_ABOVE_DEPTH') ||
    hasCode(error, 'INSUFFICIENT_LIQUIDITY') ||
    hasCode(error, 'AMOUNT_DUST')
  );
}

/** Whether separate instructions may do better: not where the trader lacks the money for either form. */
function isOfItsForm(error: unknown): boolean {
  return (
    !isAppError(error) ||
    hasCode(error, 'PRICE_MOVED') ||
    hasCode(error, 'SIMULATION_FAILED') ||
    hasCode(error, 'POLICY_DENIED')
  );
}

/**
 * The pool whose own instruction failed in the simulation, by the instruction that the error names. Null where another one
 * failed or the trader's means do, and for a call that is several pools' at once.
 */
function failedPool({ poolAt }: TradePlan, why: unknown): FailedPool | null {
  if (!hasCode(why, 'SIMULATION_FAILED') && !hasCode(why, 'PRICE_MOVED')) return null;
  const instruction = failedInstruction(why);
  const pool = instruction === null ? null : poolAt(instruction);
  return pool === null ? null : { pool, why };
}
