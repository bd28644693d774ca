import { MAX_U64, minBigint } from '@tradepost/solana';
import { hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { ErrorCode } from '../../../core/errors/codes.ts';
import { hasAged, windowStart } from '../../../core/time/age.ts';
import type { BuyParams } from '../../../engine/intents/kinds/buy/params.ts';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { feesUpTo } from '../../../engine/intents/kinds/rules.ts';
import type { SellParams } from '../../../engine/intents/kinds/sell/params.ts';
import { createIntent } from '../../../engine/transactions/use/create-intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { CAP_WINDOW_MS } from '../../guard/rules/cap.ts';
import { judgeTrade, spotOutOf, type TradeSource } from '../../guard/rules/judge-trade.ts';
import { passFire } from '../../guard/rules/pass-free.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import { assertPriority, FLOOR_FEES, orAtFloor } from '../../guard/use/at-floor.ts';
import { countSpending, lookAt, spentNow, type TokenLook } from '../../guard/use/guard-spending.ts';
import type { TokenSafety } from '../../tokens/rules/safety.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { firesFor } from '../rules/agreed-out.ts';
import { fireKey, reduceOrders } from '../rules/machine.ts';
import {
  type CancelReason,
  type Order,
  type OrderGroup,
  type PauseReason,
  unitsToGive,
} from '../rules/order.ts';
import { PLACEMENT } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { nextRound, roundAmount, SCHEDULE_START } from '../rules/schedule.ts';
import { carryOut } from './carry-out.ts';
import { isBooked, SURELY_SHOWN_MS } from './closed-positions.ts';
import { isExiting, isFollowingStop } from './end-orders.ts';
import type { FireQuote, HeldForSale } from './fire-market.ts';
import { fireTerms } from './fire-terms-now.ts';
import { endWith, type HeldBackCode, holdBack, pauseWith } from './hold-back.ts';
import { type FireDeps, solUsdNow } from './order-deps.ts';
import { tellOrder } from './tell-order.ts';

export type FireOutcome =
  | { readonly kind: 'fired'; readonly intentId: string }
  /** It stays open. `code`: why; its order says so where a person can do something about it. */
  | { readonly kind: 'held-back'; readonly code: HeldBackCode }
  | { readonly kind: 'paused'; readonly reason: PauseReason }
  /** Nothing was to be done: it is over, on its way, or another process's turn. */
  | { readonly kind: 'gone' };

/** The evaluator's view: a hint, judged again here. */
export type FireRequest = {
  readonly orderId: string;
  /** Of the order whose price was held; absent where a time was due. Another one was edited meanwhile: its price was not held. */
  readonly version?: number;
  readonly slot: bigint;
  /** The high that a trailing stop fell from. */
  readonly high?: Rate | null;
};

/**
 * Fires an order once. Price, funds, safety and holdings are read now. Then ONE commit takes the person's and the group's locks, and judges
 * switches, freeze and caps. It writes the fire, the order and the intent, whose step this process starts at once. Zombies, double wake-ups
 * and old memories find no OPEN row of the version they read.
 */
export async function fireOrder(deps: FireDeps, request: FireRequest): Promise<FireOutcome> {
  const group = await deps.db.orders.find(request.orderId);
  const order = group?.orders.find(({ id }) => id === request.orderId);
  if (group === null || order?.status !== 'OPEN') return { kind: 'gone' };
  if (order.version !== (request.version ?? order.version)) return { kind: 'gone' };
  if (order.notBeforeSlot !== null && request.slot < order.notBeforeSlot) return { kind: 'gone' };
  try {
    return await fire(deps, request, group, order);
  } catch (error) {
    if (error instanceof Held) return holdBack(deps, order, request.slot, error.why);
    if (error instanceof Ended) return endWith(deps, order, error.reason);
    if (error instanceof Paused) return pauseWith(deps, order, error.reason, error.doubts);
    if (!isAppError(error)) throw error;
    // Another process has its turn.
    if (hasCode(error, 'ORDER_NOT_CHANGEABLE')) return { kind: 'gone' };
    if (hasCode(error, 'ROW_FORGED') && error.details.table === 'orders')
      return pauseWith(deps, order, 'unsealed');
    return holdBack(deps, order, request.slot, HELD_BACK[error.code] ?? 'unreachable');
  }
}

class Held extends Error {
  readonly why: HeldBackCode;
  constructor(why: HeldBackCode) {
    super(why);
    this.why = why;
  }
}

class Paused extends Error {
  readonly reason: PauseReason;
  /** Codes of the warnings, of `safety`. */
  readonly doubts: readonly string[] | undefined;
  constructor(reason: PauseReason, doubts?: readonly string[]) {
    super(reason);
    this.reason = reason;
    this.doubts = doubts;
  }
}

class Ended extends Error {
  readonly reason: CancelReason;
  constructor(reason: CancelReason) {
    super(reason);
    this.reason = reason;
  }
}

class LostRaceError extends Error {}

const HELD_BACK: Partial<Record<ErrorCode, HeldBackCode>> = {
  INSUFFICIENT_LAMPORTS: 'funds',
  INSUFFICIENT_TOKENS: 'funds',
  NO_ROUTE: 'no-route',
  ROUTE_TOO_LARGE: 'no-route',
  AMOUNT_ABOVE_DEPTH: 'no-route',
  INSUFFICIENT_LIQUIDITY: 'no-route',
  AMOUNT_DUST: 'no-route',
  PRICE_IMPACT_TOO_HIGH: 'impact',
  TOKEN_NOT_TRANSFERABLE: 'not-transferable',
  TOKEN_NOT_FOUND: 'not-transferable',
  PAUSED: 'stopped',
  SIGNING_PAUSED: 'stopped',
  ACCOUNT_FROZEN: 'stopped',
};

async function fire(
  deps: FireDeps,
  request: FireRequest,
  group: OrderGroup,
  order: Order,
): Promise<FireOutcome> {
  const now = deps.clock.now();
  const exits = isExiting(order, now) || isFollowingStop(order);
  // The writer of its expiry may be a look behind. An order that sells at its end does so at any price.
  if (order.expiresAt <= now && !exits) return { kind: 'gone' };
  if (!exits && !isItsTime(order, now)) return { kind: 'gone' };
  const wallet = await deps.db.wallets.find(group.walletId);
  if (wallet === null || wallet.deletedAt !== null) throw new Held('not-transferable');
  const { held, wanted, most } = await givesNow(deps, group, wallet, order);
  if (most === 0n) return { kind: 'gone' };
  const { market } = deps;
  await judgeSupply(deps, order);
  // At its end it sells, with the event or without it.
  const event = exits || order.terms.event === undefined ? null : await deps.events.measure(order);
  if (event?.isThere === false) throw new Held('price-back');
  const first = await market.quote(order, wallet.address, most);
  if (order.side === 'sell' && first.terms.quotedOut < PLACEMENT.minimumLamports && isAll(order))
    throw new Ended('dust');
  const solUsd = await solUsdNow(deps);
  const parts = order.partial ? await market.parts(order, first) : () => null;
  const terms = fireTerms(order, {
    units: most,
    quoted: first.terms.quotedOut,
    quote: (units) => (units === most ? first.terms.quotedOut : parts(units)),
    solUsd,
    now: deps.clock.now(),
    high: request.high ?? null,
    exits,
  });
  if (terms.kind === 'price-back') throw new Held('price-back');
  if (terms.kind === 'below-floor') throw new Held(order.side === 'sell' ? 'floor' : 'too-dear');
  if (terms.kind === 'blind') throw new Held('blind');
  const last = terms.units === most ? first : await market.quote(order, wallet.address, terms.units);
  if (last.terms.quotedOut < terms.minOut) throw new Held('price-back');
  if (order.side === 'buy') await judgeToken(deps, order, wallet, terms.units, last.safety);
  const { units } = terms;
  const look = await lookForFire(deps, order, { units, wallet: wallet.address });
  const minOut = firesFor(order, last.terms, terms.minOut);
  const isShort = isWorthAFire(wanted - most, last.terms);
  const eventSeen = event?.seen;
  return commitFire(deps, request, { group, order, quote: last, minOut, held, isShort, look, eventSeen });
}

/**
 * Every purchase is asked about. A sale only where it was placed before its least was judged: it fires as agreed then, however far
 * the price has fallen.
 */
async function lookForFire(
  deps: FireDeps,
  { side, mint, terms }: Order,
  of: { readonly units: bigint; readonly wallet: Wallet['address'] },
): Promise<TokenLook> {
  if (side === 'sell' && terms.grants !== undefined) return { doubts: [], medianOut: null };
  return lookAt(deps, { side, mint, ...of });
}

/** Units: all that are held, those of them that the order gives now, and those of these that one account has. */
async function givesNow(deps: FireDeps, group: OrderGroup, wallet: Wallet, order: Order) {
  const found = order.side === 'buy' ? ALL_OF_IT : await heldBy(deps, group, wallet, order);
  const held = found.units + found.elsewhere;
  const wanted = roundUnits(group, order, unitsToGive(group, order, held));
  return { held, wanted, most: minBigint(wanted, found.units) };
}

const ALL_OF_IT: HeldForSale = { units: MAX_U64, elsewhere: 0n };

/** Whether units of another account are sold by a fire of their own: dust, which anybody may send, keeps no order open. */
function isWorthAFire(elsewhere: bigint, { quotedOut, amountIn }: FireQuote['terms']): boolean {
  return elsewhere > 0n && (elsewhere * quotedOut) / amountIn >= PLACEMENT.minimumLamports;
}

/** More than a twentieth. */
const SUPPLY_SHARE = 20n;

/** The caller may still hold the order as it was before its last round: the row says when the next one is due. */
function isItsTime({ terms, amount, progress }: Order, now: number): boolean {
  if (terms.schedule === null) return true;
  const total = amount.kind === 'fixed' ? amount.units : 0n;
  return nextRound({ ...terms.schedule, total }, progress.schedule ?? SCHEDULE_START, now).kind === 'due';
}

/** The units that a sale can take, and those in other accounts. Throws `Ended` for a position that is gone. */
async function heldBy(deps: FireDeps, group: OrderGroup, wallet: Wallet, order: Order): Promise<HeldForSale> {
  try {
    return await deps.market.sellable(wallet.address, order.mint);
  } catch (error) {
    const isGone = hasCode(error, 'INSUFFICIENT_TOKENS') && error.details.available === 0n;
    const isOld = hasAged(group.createdAt, SURELY_SHOWN_MS, deps.clock);
    if (!isGone || !isOld || group.units !== null || (await isBooked(deps, order))) throw error;
    throw new Ended('position-closed');
  }
}

/** A round gives its part; everything else all that it may. */
function roundUnits(group: OrderGroup, order: Order, most: bigint): bigint {
  const { schedule } = order.terms;
  if (schedule === null) return most;
  const total = order.amount.kind === 'fixed' ? order.amount.units : (group.units ?? 0n);
  const part = roundAmount({ ...schedule, total }, order.progress.schedule?.done ?? 0, order.filled);
  return part < most ? part : most;
}

/** A dip that is a rug is not a dip: a warning that was not accepted, or half of the depth gone, pauses a buy. */
async function judgeToken(
  deps: FireDeps,
  order: Order,
  wallet: Wallet,
  units: bigint,
  safety: TokenSafety,
): Promise<void> {
  const doubts = safety.warnings
    .filter(({ code, severity }) => severity !== 'NOTE' && !order.terms.accepted.includes(code))
    .map(({ code }) => code);
  if (doubts.length > 0) throw new Paused('safety', doubts);
  const { depthLamports } = order.terms;
  if (depthLamports === null) return;
  const now = await deps.market.depth(order, wallet.address, units);
  if (now !== null && now * 2n < depthLamports) throw new Paused('liquidity');
}

/** A cap is a price only while the supply is unchanged. */
async function judgeSupply({ market }: Pick<FireDeps, 'market'>, { terms, mint }: Order): Promise<void> {
  if (terms.supply === null) return;
  const present = await market.supply(mint);
  const change = present > terms.supply ? present - terms.supply : terms.supply - present;
  if (change * SUPPLY_SHARE > terms.supply) throw new Paused('supply');
}

/** No more of it can come: the rest is not worth a transaction, and will not be. */
function isAll({ terms, type }: Order): boolean {
  return terms.schedule === null && (type === 'LIMIT' || type === 'TAKE_PROFIT');
}

type Firing = {
  readonly group: OrderGroup;
  readonly order: Order;
  readonly quote: FireQuote;
  readonly minOut: bigint;
  readonly held: bigint;
  readonly isShort: boolean;
  readonly look: TokenLook;
  readonly eventSeen: bigint | undefined;
};

async function commitFire(deps: FireDeps, request: FireRequest, firing: Firing): Promise<FireOutcome> {
  const { order, quote: priced, minOut } = firing;
  const n = order.fires + 1;
  const terms = { ...priced.terms, minOut, slippageBps: order.terms.slippageBps };
  const common = { mint: order.mint, terms, tier: order.terms.tier, order: { id: order.id, n } };
  const params: BuyParams | SellParams =
    order.side === 'buy'
      ? { kind: 'buy', lamportsIn: terms.amountIn, ...common }
      : { kind: 'sell', amountIn: terms.amountIn, ...common };
  const { userId, walletId } = order;
  try {
    const { intent, created } = await orAtFloor(params, async (priced) => {
      const asked = { id: deps.ids.ulid(), userId, walletId, idemKey: fireKey(order.id, n), params: priced };
      // Before the transaction: no lock is held while the signer answers.
      const confirmation = await deps.vault.confirmFire(asked);
      return createIntent(deps, {
        ...asked,
        confirmed: { id: asked.id, confirmation },
        judge: async (stores, intentId) => {
          const passed = await judgeFire(deps, stores, { ...firing, params: priced, intentId });
          const group = await stores.orders.lock(order.id);
          const fresh = group?.orders.find(({ id }) => id === order.id);
          if (group === null || fresh?.version !== order.version) throw new LostRaceError();
          const transition = reduceOrders(group, {
            kind: 'fired',
            orderId: order.id,
            intentId,
            units: terms.amountIn,
            slot: request.slot,
            held: firing.held,
            isShort: firing.isShort,
            quoted: terms.quotedOut,
            ...(firing.eventSeen === undefined ? {} : { eventSeen: firing.eventSeen }),
            at: deps.clock.now(),
          });
          if (transition.effects.length === 0 || !(await carryOut(stores, passed, transition)))
            throw new LostRaceError();
          return { notBefore: null };
        },
        beside: (stores, intentId) =>
          tellOrder(deps, stores, order, { event: 'fired', code: null, n, intentId }),
      });
    });
    return created ? { kind: 'fired', intentId: intent.id } : { kind: 'gone' };
  } catch (error) {
    if (error instanceof LostRaceError) return { kind: 'gone' };
    throw error;
  }
}

/** Switches first, then the person, then the group: as every other commit takes these locks. Throws `Paused` for the judge's refusals. */
async function judgeFire(
  deps: FireDeps,
  stores: Stores,
  {
    group,
    order,
    quote,
    minOut,
    look,
    params,
    intentId,
  }: Firing & { readonly params: IntentParams; readonly intentId: string },
): Promise<Passed<'order-fire'>> {
  const on = await stores.flags.hold();
  const stopped = (['signing-paused', 'trading-paused', 'orders-paused', 'quarantined'] as const).some(
    (flag) => on.has(flag),
  );
  if (stopped) throw new Held('stopped');
  const { userId, side, terms } = order;
  const guard = await stores.guards.lock(userId);
  const now = deps.clock.now();
  const verdict = judgeTrade({
    side,
    units: quote.terms.amountIn,
    minOut,
    // Its least was agreed and judged at placing.
    leastOut: terms.grants === undefined ? minOut : null,
    spotOut: spotOutOf(quote.terms),
    ...look,
    fees: feesUpTo(params),
    floorFees: FLOOR_FEES,
    guard,
    grants: terms.grants ?? null,
    spent: await spentNow(stores, userId, deps.clock),
    rules: deps.guardRules,
    source: sourceOf(group, order),
    now: deps.clock,
  });
  if (verdict.kind === 'pause') throw new Paused(verdict.reason, verdict.doubts);
  if (verdict.kind !== 'pass') throw new RangeError('orders: nobody is there to be asked');
  assertPriority(verdict, params);
  if (side === 'buy') {
    const orders = await stores.orders.spentSince(userId, windowStart(CAP_WINDOW_MS, deps.clock));
    if (orders + quote.terms.amountIn > deps.autoSpendCapLamports) throw new Paused('cap');
  }
  await countSpending(stores, { intentId, userId, countsAt: now, fees: feesUpTo(params) }, verdict.count);
  return passFire(verdict, userId);
}

function sourceOf({ parentIntentId }: OrderGroup, { terms }: Order): TradeSource {
  if (terms.schedule !== null) return 'round';
  return parentIntentId === null ? 'fire' : 'leg';
}
