import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import type { Reading } from '../../../core/time/due.ts';
import { feesUpTo, rulesOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import {
  type CreateIntentDeps,
  type CreateIntentInput,
  createIntent,
} from '../../../engine/transactions/use/create-intent.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { isAutoBuy } from '../../auto-buy/rules.ts';
import { leastGot } from '../../orders/rules/rate.ts';
import { isKeyed } from '../../personal-keys/rules/key-use.ts';
import { CAP_WINDOW_MS, capNow } from '../rules/cap.ts';
import type { Doubt } from '../rules/doubt.ts';
import type { Guard, GuardRules } from '../rules/guard.ts';
import {
  type Counted,
  judgeTrade,
  type PinReason,
  spotOutOf,
  type TradeCase,
  type TradeSource,
  type TradeVerdict,
} from '../rules/judge-trade.ts';
import { leftWithoutPin, type SpentSums } from '../rules/spent.ts';
import { hasRipePin, isUnlocked } from '../rules/unlock.ts';
import type { SpendingUse } from '../store/guard-store-port.ts';
import { assertPriority, FLOOR_FEES, orAtFloor } from './at-floor.ts';
import type { DoubtToken } from './doubt-token.ts';
import type { UsualPrice } from './usual-price.ts';

export type SpendingDeps = {
  readonly db: Pick<Database, 'guards' | 'wallets'>;
  readonly clock: Clock;
  readonly guardRules: GuardRules;
  readonly doubtToken: DoubtToken;
  readonly usualPrice: UsualPrice;
};

type Request = Pick<CreateIntentInput, 'userId' | 'walletId' | 'params'> & {
  /** Of that wallet, where the caller has just read it; else it is looked up when it is needed. It never changes. */
  readonly address?: Address;
};

/**
 * The one gate for all spending of a chat, before it becomes an intent. Every question to the person for it belongs here and nowhere
 * else. The token is checked first, because that takes the network. Then the judge of trades decides inside the transaction that writes
 * the intent, under the person's guard lock. The amount is counted there: of any number of confirmations at once no more than the cap
 * goes through. Throws TRADE_PIN, SPENDING_LIMIT, ACCOUNT_FROZEN and the errors of `createIntent`.
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
  const source = sourceOf(input.idemKey);

  const create = (look: TokenLook | null): ReturnType<typeof createIntent> =>
    orAtFloor(params, (priced) =>
      createIntent(deps, {
        ...input,
        params: priced,
        judge: async ({ guards }, intentId) => {
          const guard = await guards.lock(userId);
          const now = deps.clock.now();
          if (look === null && !isUnlocked(guard, deps.clock)) throw new LockedMeanwhile();
          const facts = { guard, now: deps.clock, spent: await spentNow({ guards }, userId, deps.clock) };
          const verdict = allowed(judgeTrade(tradeCase(deps, { params: priced, look, source }, facts)));
          assertPriority(verdict, priced);
          await countSpending(
            { guards },
            { intentId, userId, countsAt: now, fees: feesUpTo(priced) },
            verdict.count,
          );
          return { notBefore: null };
        },
      }),
    );
  try {
    const guard = seen ?? (await deps.db.guards.find(userId));
    return await create(await lookAtToken(deps, request, { guard, source }));
  } catch (error) {
    if (!(error instanceof LockedMeanwhile)) throw error;
    const guard = await deps.db.guards.find(userId);
    return create(await lookAtToken(deps, request, { guard, source }));
  }
}

function sourceOf(idemKey: string): Extract<TradeSource, 'tap' | 'auto-buy' | 'program'> {
  if (isKeyed(idemKey)) return 'program';
  return isAutoBuy(idemKey) ? 'auto-buy' : 'tap';
}

/** Trades were unlocked when the token of a sale would have been looked at, and are not any more. */
class LockedMeanwhile extends Error {}

/** Counts a trade that passed, in the commit that writes its intent. */
export async function countSpending(
  { guards }: Pick<Stores, 'guards'>,
  use: Pick<SpendingUse, 'intentId' | 'userId' | 'countsAt' | 'fees'>,
  { s, k, d, floor }: Counted,
): Promise<void> {
  if (k > 0n || floor > 0n) await guards.addSpending({ ...use, lamports: s, all: k, doubted: d, floor });
}

/** A person's spending within the last 24 hours. */
export function spentNow(
  { guards }: Pick<Stores, 'guards'>,
  userId: string,
  at: Reading,
): Promise<SpentSums> {
  return guards.sumsSince(userId, windowStart(CAP_WINDOW_MS, at));
}

/** The verdict where a person is there to be asked. Throws TRADE_PIN, SPENDING_LIMIT. */
export function allowed(verdict: TradeVerdict): Extract<TradeVerdict, { kind: 'pass' }> {
  if (verdict.kind === 'pass') return verdict;
  if (verdict.kind === 'refuse') {
    const { needed, cap, left: available, of } = verdict;
    throw new AppError('SPENDING_LIMIT', { needed, available, cap, of });
  }
  if (verdict.kind === 'pause') throw new RangeError('spending: nobody is there to be asked');
  const { reasons, cap, left } = verdict;
  throw new AppError('TRADE_PIN', { reasons, cap, left });
}

export type WhyPin = {
  readonly reasons: readonly PinReason[];
  readonly cap: bigint;
  readonly left: bigint;
};

/** Why confirming this now would ask for the PIN, for the screen before it; `reasons` is empty when it would not. */
export async function whyPin(deps: SpendingDeps, { params, ...request }: Request): Promise<WhyPin> {
  const now = deps.clock.now();
  const since = windowStart(CAP_WINDOW_MS, deps.clock);
  const { guard, spent } = await deps.db.guards.findWithSums(request.userId, since);
  const look = await lookAtToken(deps, { ...request, params }, { guard, source: 'tap' });
  // A frozen trade itself names the freeze.
  const facts = { guard: { ...guard, frozenAt: null }, now: deps.clock, spent };
  const input = tradeCase(deps, { params, look, source: 'tap' }, facts);
  const verdict = judgeTrade(input);
  const cap = capNow(guard, now, deps.guardRules, 'spending');
  const left = leftWithoutPin(guard, spent, now, deps.guardRules);
  return { reasons: verdict.kind === 'ask' ? verdict.reasons : [], cap, left };
}

/**
 * Returns where a program of the person may trade so now; the same is asked again in the commit. Throws TRADE_PIN, SPENDING_LIMIT,
 * ACCOUNT_FROZEN.
 */
export async function assertProgramMaySpend(
  deps: SpendingDeps,
  { params, ...request }: Request,
): Promise<void> {
  const since = windowStart(CAP_WINDOW_MS, deps.clock);
  const { guard, spent } = await deps.db.guards.findWithSums(request.userId, since);
  const source = 'program';
  const look = await lookAtToken(deps, { ...request, params }, { guard, source });
  allowed(judgeTrade(tradeCase(deps, { params, look, source }, { guard, now: deps.clock, spent })));
}

/** The questions about a token before its trade: they take the network or the tape. */
export type TokenLook = {
  readonly doubts: readonly Doubt[];
  /** The output of the units at the middle price of the last hour; null where it is not known, or not asked for. */
  readonly medianOut: bigint | null;
};

const NOTHING_ASKED: TokenLook = { doubts: [], medianOut: null };

/**
 * Every purchase is asked about. A sale only where a PIN could stop it: a seller wants to be rid of a token that has no good price. Null:
 * a sale, and trades are unlocked.
 */
async function lookAtToken(
  deps: SpendingDeps,
  { walletId, params, address }: Request,
  { guard, source }: { readonly guard: Guard } & Pick<TradeCase, 'source'>,
): Promise<TokenLook | null> {
  const trade = tradeOf(params);
  if (trade === null) return NOTHING_ASKED;
  if (trade.side === 'sell' && !hasRipePin(guard, deps.clock)) return NOTHING_ASKED;
  if (trade.side === 'sell' && source !== 'program' && isUnlocked(guard, deps.clock)) return null;
  const wallet = address ?? (await deps.db.wallets.find(walletId))?.address ?? null;
  return lookAt(deps, { ...trade, units: trade.terms.amountIn, wallet });
}

/** Doubts about a token, and the usual output of its units. Throws CHAIN_UNREACHABLE. */
export async function lookAt(
  { doubtToken, usualPrice }: Pick<SpendingDeps, 'doubtToken' | 'usualPrice'>,
  trade: {
    readonly side: 'buy' | 'sell';
    readonly mint: Address;
    readonly units: bigint;
    readonly wallet: Address | null;
  },
): Promise<TokenLook> {
  const { side, mint, units, wallet } = trade;
  if (side === 'buy') return { doubts: await doubtToken(mint, wallet), medianOut: null };
  const usual = await usualPrice(mint);
  return { doubts: [], medianOut: usual === null ? null : leastGot(usual, units) };
}

type Facts = Pick<TradeCase, 'guard' | 'now' | 'spent'>;

function tradeCase(
  { guardRules: rules }: Pick<SpendingDeps, 'guardRules'>,
  {
    params,
    look,
    source,
  }: Pick<Request, 'params'> & Pick<TradeCase, 'source'> & { readonly look: TokenLook | null },
  { guard, now, spent }: Facts,
): TradeCase {
  const trade = tradeOf(params);
  const lamports = rulesOf(params.kind).spends(params);
  const common = {
    fees: feesUpTo(params),
    // The priority of a program's trade is in what it signed.
    floorFees: source === 'program' ? null : FLOOR_FEES,
    guard,
    grants: null,
    spent,
    rules,
    source,
    now,
  };
  const { doubts, medianOut } = look ?? NOTHING_ASKED;
  if (trade === null) {
    const nothing = { minOut: 0n, leastOut: 0n, spotOut: 0n };
    return { ...common, ...nothing, side: 'spend', units: lamports, doubts, medianOut };
  }
  const { minOut, amountIn } = trade.terms;
  return {
    ...common,
    side: trade.side,
    units: trade.side === 'buy' ? lamports : amountIn,
    minOut,
    leastOut: minOut,
    spotOut: spotOutOf(trade.terms),
    doubts,
    medianOut,
  };
}
