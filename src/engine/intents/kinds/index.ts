import type { TradeDeps } from '../../../modules/trading/use/trading-deps.ts';
import type { PlanBuilders } from '../../transactions/use/plan.ts';
import type { Settlement, Settlements } from '../../transactions/use/settlement.ts';
import { createBuyPlanBuilder } from './buy/plan.ts';
import { settlement as buy } from './buy/settle.ts';
import { createCloseAccountsPlan } from './close-accounts/plan.ts';
import { type CreationPlanDeps, createTokenPlanBuilder } from './create-token/plan.ts';
import { settlement as createToken } from './create-token/settle.ts';
import type { LaunchDeps } from './launch/deps.ts';
import { createLaunchPlanBuilder } from './launch/plan.ts';
import { settlement as launch } from './launch/settle.ts';
import { createPayoutPlan } from './payout/plan.ts';
import { settlement as payout } from './payout/settle.ts';
import { createPreparationPlanBuilder } from './prepare-token/plan.ts';
import { settlement as prepareToken } from './prepare-token/settle.ts';
import { createRevocationPlanBuilder } from './revoke-authority/plan.ts';
import { settlement as revokeAuthority } from './revoke-authority/settle.ts';
import { createSellPlanBuilder } from './sell/plan.ts';
import { settlement as sell } from './sell/settle.ts';
import { createWithdrawSolPlan } from './withdraw-sol/plan.ts';
import { createWithdrawTokenPlan } from './withdraw-token/plan.ts';
import { settlement as withdrawToken } from './withdraw-token/settle.ts';

/**
 * The kinds of intents. Shared code never asks which kind it has: it asks one of four registries, each of which a process loads
 * without the others.
 *
 * | registry    | of each kind                                                        | for                      |
 * |-------------|---------------------------------------------------------------------|--------------------------|
 * | `rules.ts`  | `rules.ts`, which takes `policy.ts` and `retry.ts` in                | everything; pure         |
 * | `rows.ts`   | `row.ts`: the schema of its stored params, older versions included   | the database             |
 * | `index.ts`  | `plan.ts` and `settle.ts`                                           | the engine               |
 * | `views.ts`  | `view.ts`: its result, its receipt and their buttons                | the chat                 |
 *
 * To add a kind: a folder with these files, its `params.ts` in `params.ts`, and a line in each registry. The compiler names the missing
 * part; `docs/recipes.md` has the tests.
 */
type PlanDeps = Parameters<typeof createWithdrawSolPlan>[0] &
  Parameters<typeof createCloseAccountsPlan>[0] &
  Parameters<typeof createWithdrawTokenPlan>[0] &
  Parameters<typeof createPayoutPlan>[0] & {
    readonly trade: TradeDeps;
    readonly mint: CreationPlanDeps;
    readonly launch: LaunchDeps;
  };

/** The functions that make a transaction of each kind, over the dependencies of one process. */
export function createPlans(deps: PlanDeps): PlanBuilders {
  return {
    'withdraw-sol': createWithdrawSolPlan(deps),
    'withdraw-token': createWithdrawTokenPlan(deps),
    buy: createBuyPlanBuilder(deps.trade),
    sell: createSellPlanBuilder(deps.trade),
    payout: createPayoutPlan(deps),
    'prepare-token': createPreparationPlanBuilder(deps.mint),
    'create-token': createTokenPlanBuilder(deps.mint),
    'revoke-authority': createRevocationPlanBuilder(),
    launch: createLaunchPlanBuilder(deps.launch),
    'close-accounts': createCloseAccountsPlan(deps),
  };
}

/** Nothing is booked for a kind that moves a person's own money and carries no fee. */
const NOTHING: Settlement<never> = {};

/** The bookings at the end of each kind. */
export const SETTLEMENTS: Settlements = {
  'withdraw-sol': NOTHING,
  'withdraw-token': withdrawToken,
  buy,
  sell,
  payout,
  'prepare-token': prepareToken,
  'create-token': createToken,
  'revoke-authority': revokeAuthority,
  launch,
  'close-accounts': NOTHING,
};
