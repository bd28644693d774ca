import type { Address } from '../../core/address/address.ts';
import { CAP_WINDOW_MS } from '../../core/guard/cap.ts';
import type { Guard, GuardRules } from '../../core/guard/guard.ts';
import {
  type Doubt,
  FAIR_RETURN_BPS,
  judgeSpending,
  type PinReason,
  pinReasons,
} from '../../core/guard/judge-spending.ts';
import { isUnlocked } from '../../core/guard/unlock.ts';
import type { TradeTerms } from '../../core/intents/terms.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database, Stores } from '../../core/ports/stores.ts';
import { rulesOf, tradeOf } from '../../intents/rules.ts';
import {
  type CreateIntentDeps,
  type CreateIntentInput,
  createIntent,
} from '../transactions/create-intent.ts';
import type { DoubtToken } from './doubt-token.ts';

export type SpendingDeps = {
  readonly db: Pick<Database, 'guards' | 'wallets'>;
  readonly clock: Clock;
  readonly guardRules: GuardRules;
  readonly doubtToken: DoubtToken;
};

/** What an intent takes from the wallet's SOL, network fees apart, and what speaks against it. */
type Spending = {
  readonly lamports: bigint;
  /** Null: trades were unlocked, and nothing was asked about the token. */
  readonly doubts: readonly Doubt[] | null;
};

type Request = Pick<CreateIntentInput, 'userId' | 'walletId' | 'params'> & {
  /** Of that wallet, where the caller has just read it; else it is looked up when it is needed. It never changes. */
  readonly address?: Address;
};

/**
 * The one gate that whatever a chat spends passes before it becomes an intent: what may be asked of a person for it belongs
 * here and nowhere else. The token is looked at first, for that takes the network; then cap and unlocking are judged and the
 * amount is counted inside the transaction that writes the intent, under the person's guard lock, so that of any number of
 * confirmations at once no more than the cap goes through. Throws what `judgeSpending` and `createIntent` throw.
 */
export async function createSpendingIntent(
  deps: SpendingDeps & CreateIntentDeps,
  {
    address,
    guard: seen,
    ...input
  }: Omit<CreateIntentInput, 'judge'> &
    Pick<Request, 'address'> & {
      /** As the caller has just read it: a guess whether the token has to be looked at, judged again under the lock. */
      readonly guard?: Guard;
    },
): ReturnType<typeof createIntent> {
  const { params, userId, walletId } = input;
  const request: Request = { userId, walletId, params, ...(address === undefined ? {} : { address }) };

  const create = (spending: Spending): ReturnType<typeof createIntent> =>
    createIntent(deps, {
      ...input,
      judge: async (stores, intentId) => {
        await guardSpending(deps, stores, { ...spending, userId: input.userId, intentId });
        return { notBefore: null };
      },
    });
  try {
    return await create(await spendingOf(deps, request, seen ?? (await deps.db.guards.find(userId))));
  } catch (error) {
    if (!(error instanceof LockedMeanwhile)) throw error;
    return create(await doubtedSpending(deps, request, await deps.db.guards.find(userId)));
  }
}

/** Trades were unlocked when the token would have been looked at, and are not any more. */
class LockedMeanwhile extends Error {}

async function guardSpending(
  { clock, guardRules: rules }: Pick<SpendingDeps, 'clock' | 'guardRules'>,
  { guards }: Pick<Stores, 'guards'>,
  spending: Spending & { readonly userId: string; readonly intentId: string },
): Promise<void> {
  const { userId, intentId, lamports } = spending;
  const guard = await guards.lock(userId);
  const now = clock.now();
  if (spending.doubts === null && !isUnlocked(guard, now)) throw new LockedMeanwhile();
  const spent = await guards.spentSince(userId, now - CAP_WINDOW_MS);
  if (!judgeSpending({ lamports, doubts: spending.doubts ?? [], guard, spent, now, rules })) return;
  await guards.addSpending({ intentId, userId, lamports, countsAt: now });
}

/**
 * The gate for what will be spent later and without anybody there: the token is looked at now, and what comes back judges under
 * the person's guard lock. Nothing is counted yet: that is for what fires. Both throw what `judgeSpending` throws; the second one
 * throws TRADE_PIN where trades were unlocked before and are not any more.
 */
export async function assertMaySpend(
  deps: SpendingDeps,
  request: Request,
): Promise<(stores: Pick<Stores, 'guards'>) => Promise<void>> {
  const { clock, guardRules: rules } = deps;
  const spending = await spendingOf(deps, request, await deps.db.guards.find(request.userId));
  const judge = async ({ guards }: Pick<Stores, 'guards'>): Promise<void> => {
    const guard = await guards.lock(request.userId);
    const now = clock.now();
    const spent = await guards.spentSince(request.userId, now - CAP_WINDOW_MS);
    // Locked meanwhile, and nothing was asked about the token: it counts as one that nobody knows.
    const doubts = spending.doubts ?? (isUnlocked(guard, now) ? [] : (['young'] as const));
    judgeSpending({ lamports: spending.lamports, doubts, guard, spent, now, rules });
  };
  await judge({ guards: { ...deps.db.guards, lock: (userId) => deps.db.guards.find(userId) } });
  return judge;
}

export type WhyPin = {
  readonly reasons: readonly PinReason[];
  readonly cap: bigint;
  readonly left: bigint;
};

/** Why confirming this now would ask for the PIN, for the screen before it; `reasons` is empty when it would not. */
export async function whyPin(deps: SpendingDeps, request: Request): Promise<WhyPin> {
  const now = deps.clock.now();
  const { guard, spent } = await deps.db.guards.findWithSpent(request.userId, now - CAP_WINDOW_MS);
  const spending = await spendingOf(deps, request, guard);
  return pinReasons({
    ...spending,
    doubts: spending.doubts ?? [],
    guard,
    spent,
    now,
    rules: deps.guardRules,
  });
}

async function spendingOf(deps: SpendingDeps, request: Request, guard: Guard): Promise<Spending> {
  if (isUnlocked(guard, deps.clock.now()))
    return { lamports: rulesOf(request.params.kind).spends(request.params), doubts: null };
  return doubtedSpending(deps, request, guard);
}

async function doubtedSpending(deps: SpendingDeps, request: Request, guard: Guard): Promise<Spending> {
  return {
    lamports: rulesOf(request.params.kind).spends(request.params),
    doubts: await doubtsOf(deps, request, guard),
  };
}

async function doubtsOf(
  { db, doubtToken }: SpendingDeps,
  { walletId, params, address }: Request,
  guard: Guard,
): Promise<readonly Doubt[]> {
  const trade = tradeOf(params);
  if (trade === null) return [];
  const isSale = trade.side === 'sell';
  const steep: readonly Doubt[] = isSale && isSteep(trade.terms) ? ['steep'] : [];
  // Getting out is never made to wait for a first PIN. Where there is one, a thief would sell into a pool of their own.
  if (isSale && guard.pinHash === null) return steep;
  const wallet = address ?? (await db.wallets.find(walletId))?.address ?? null;
  const found = await doubtToken(trade.mint, wallet);
  // What cannot be bought back or sold at a good price is what a seller wants to be rid of.
  const kept = isSale ? found.filter((doubt) => doubt !== 'poor-exit') : found;
  return [...kept, ...steep];
}

/** Whether what was agreed lets a sale bring less than 85 % of the present price: by its size, or by the slippage allowed. */
function isSteep({ priceImpactBps, slippageBps }: TradeTerms): boolean {
  return (10_000 - priceImpactBps) * (10_000 - slippageBps) < FAIR_RETURN_BPS * 10_000;
}
