import { maxBigint } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { feesOf } from '../../../engine/intents/kinds/kind.ts';
import { rulesOf } from '../../../engine/intents/kinds/rules.ts';
import { isSameValue } from '../../../engine/intents/rules/confirmation.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { capNow } from '../../guard/rules/cap.ts';
import { DOUBTS, type Doubt } from '../../guard/rules/doubt.ts';
import type { Grants } from '../../guard/rules/grants.ts';
import type { Guard } from '../../guard/rules/guard.ts';
import { judgeTrade, type PinReason, type TradeVerdict } from '../../guard/rules/judge-trade.ts';
import { leftWithoutPin } from '../../guard/rules/spent.ts';
import { hasRipePin, isUnlocked, UNLOCK_MS } from '../../guard/rules/unlock.ts';
import { allowed, lookAt, spentNow, type TokenLook } from '../../guard/use/guard-spending.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { type AgreedOut, agreedOut } from '../rules/agreed-out.ts';
import type { Order } from '../rules/order.ts';
import type { Rate } from '../rules/rate.ts';
import { EXIT_TRIES_MS } from '../rules/sealed-fire.ts';
import type { SolUsd } from '../rules/trigger.ts';
import type { OrderDeps } from './order-deps.ts';

/** An order as it would be written, beside the market of now. */
export type JudgedOrder = {
  readonly order: Pick<Order, 'side' | 'type' | 'unit' | 'trigger' | 'terms' | 'mint' | 'expiresAt'>;
  /** What it would give when it fires. */
  readonly units: bigint;
  /** What a unit brings where it begins, before its own impact; null where nothing trades it. */
  readonly spot: Rate | null;
  readonly impactBps: number;
};

/**
 * `typed`: the PIN was typed for this very thing, and then its grant lasts as long as the order. `window`: what an earlier PIN still
 * unlocks counts, and the grant ends with it. `must-type`: what needs the PIN needs it typed.
 */
export type PinUse = 'typed' | 'window' | 'must-type';

export type OrderJudge = {
  /** What each order is granted as things are, for the signer to certify; null where it needs nothing. */
  readonly grants: readonly (Grants | null)[];
  /** Asked again under the person's locks. Throws BUTTON_STALE where the answer is not that of before, and what `judgeOrders` throws. */
  readonly again: (stores: Pick<Stores, 'guards'>) => Promise<void>;
};

/** A PIN that was right so lately was typed for what comes now. */
const TYPED_MS = 2 * 60_000;

/**
 * The gate for what will happen later and without anybody there: tokens are looked at now, and each order is judged by its worst fire,
 * here and again under the person's guard lock. Nothing is counted yet: that is for what fires. Both throw TRADE_PIN, SPENDING_LIMIT
 * and ACCOUNT_FROZEN.
 */
export async function judgeOrders(
  deps: OrderDeps,
  {
    userId,
    wallet,
    pin,
    solUsd,
  }: {
    readonly userId: string;
    readonly wallet: Wallet['address'];
    readonly pin: PinUse;
    readonly solUsd: SolUsd | null;
  },
  orders: readonly JudgedOrder[],
): Promise<OrderJudge> {
  const seen = await deps.db.guards.find(userId);
  const cases = await Promise.all(
    orders.map(async (one) => ({ one, look: await lookFor(deps, one, wallet, seen) })),
  );
  const judge = async (stores: Pick<Stores, 'guards'>): Promise<readonly (Grants | null)[]> => {
    const guard = await stores.guards.lock(userId);
    const now = deps.clock.now();
    const spent = await spentNow(stores, userId, deps.clock);
    return cases.map(({ one, look }) => {
      const verdict = allowed(verdictOf(deps, { one, look, solUsd }, { guard, now, spent }));
      return grantsOf(deps, { one, verdict, pin }, { guard, now, spent });
    });
  };
  const grants = await judge({ guards: { ...deps.db.guards, lock: (id) => deps.db.guards.find(id) } });
  return {
    grants,
    again: async (stores) => {
      if (!isSameValue(await judge(stores), grants)) throw new AppError('BUTTON_STALE', {});
    },
  };
}

/** Getting out asks nothing where no PIN could stop it. */
async function lookFor(
  deps: OrderDeps,
  { order: { side, mint }, units }: JudgedOrder,
  wallet: Wallet['address'],
  guard: Guard,
): Promise<TokenLook> {
  if (side === 'sell' && !hasRipePin(guard, deps.clock)) return { doubts: [], medianOut: null };
  return lookAt(deps, { side, mint, units, wallet });
}

type Facts = {
  readonly guard: Guard;
  readonly now: number;
  readonly spent: Awaited<ReturnType<typeof spentNow>>;
};

function verdictOf(
  { guardRules, clock }: Pick<OrderDeps, 'guardRules' | 'clock'>,
  {
    one,
    look,
    solUsd,
  }: { readonly one: JudgedOrder; readonly look: TokenLook; readonly solUsd: SolUsd | null },
  { guard, now, spent }: Facts,
): TradeVerdict {
  const { order, units } = one;
  const { side } = order;
  const spot = one.spot ?? { got: 0n, given: 1n };
  const out: AgreedOut =
    side === 'buy'
      ? { minOut: 0n, leastOut: 0n, spotOut: 0n }
      : agreedOut(order, { units, spot, impactBps: one.impactBps, solUsd, now });
  // It happens later: the usual price is that of now, or of the last hour where that was higher.
  const spotNow = (units * spot.got) / spot.given;
  const medianOut = side === 'buy' ? null : maxBigint(look.medianOut ?? 0n, spotNow);
  return judgeTrade({
    side,
    units,
    ...out,
    medianOut,
    doubts: look.doubts,
    // Of a sale they are judged when it fires: no limit of spending stops one that is fair.
    fees: side === 'buy' ? feesOf(rulesOf('buy'), order.terms.tier) : 0n,
    floorFees: null,
    guard,
    grants: null,
    spent,
    rules: guardRules,
    source: 'placing',
    now: clock,
  });
}

function grantsOf(
  deps: Pick<OrderDeps, 'guardRules'>,
  {
    one: { order },
    verdict: { covered },
    pin,
  }: {
    readonly one: JudgedOrder;
    readonly verdict: Extract<TradeVerdict, { kind: 'pass' }>;
    readonly pin: PinUse;
  },
  { guard, now, spent }: Facts,
): Grants | null {
  const { unlockedUntil } = guard;
  const isTyped = pin === 'typed' && unlockedUntil !== null && now <= unlockedUntil - UNLOCK_MS + TYPED_MS;
  if (pin !== 'window' && !isTyped && covered.length > 0) {
    const cap = capNow(guard, now, deps.guardRules, 'spending');
    const left = leftWithoutPin(guard, spent, now, deps.guardRules);
    throw new AppError('TRADE_PIN', { reasons: covered, cap, left });
  }
  // Doubts about the sold token are asked here and never again: its fires are fair or were granted not to be.
  const needed = covered.filter((reason) => order.side === 'buy' || !isDoubt(reason));
  if (needed.length === 0 || unlockedUntil === null || !isUnlocked(guard, now)) return null;
  const { expiresAt, terms } = order;
  return {
    steep: needed.includes('steep') || needed.includes('fallen'),
    doubts: needed.filter(isDoubt),
    lockEpoch: guard.lockEpoch,
    until: isTyped ? expiresAt + (terms.sellsOnExpiry ? EXIT_TRIES_MS : 0) : unlockedUntil,
  };
}

function isDoubt(reason: PinReason): reason is Doubt {
  return DOUBTS.some((doubt) => doubt === reason);
}
