import { type Address, MAX_U64, WSOL_MINT } from '@tradepost/solana';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { assertNotPaused } from '../../../engine/switches/use/assert-not-paused.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Grants } from '../../guard/rules/grants.ts';
import { spotOutOf } from '../../guard/rules/judge-trade.ts';
import type { Passed } from '../../guard/rules/passed.ts';
import { assertMayAct, passGate } from '../../guard/use/pass-gate.ts';
import { foldPositions } from '../../positions/use/fold-positions.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { isEventType } from '../rules/event-trigger.ts';
import { isStop, judgeJoin, positionGroup, standingStops } from '../rules/join-position.ts';
import { reduceOrders } from '../rules/machine.ts';
import { isPosition, type Order, type OrderGroup } from '../rules/order.ts';
import {
  judgeLegs,
  judgePlacement,
  PLACEMENT,
  type PlacementRefusal,
  type PlacementWarning,
  placementWarnings,
} from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { rateIn, type SolUsd } from '../rules/trigger.ts';
import { type Entry, entryOf, judgeBracket, judgeSales, legOf, legsDraft, parentKeyOf } from './bracket.ts';
import { carryOutLocked, DESK } from './carry-out.ts';
import { type DraftGroup, newGroup, type OrderDraft, toleranceOf } from './draft.ts';
import { type ExecutablePrice, executablePrice } from './executable-price.ts';
import { type JudgedOrder, judgeOrders, type PinUse } from './judge-orders.ts';
import { type OrderDeps, solUsdNow } from './order-deps.ts';

/** A draft beside the market of now. `now` null = nothing trades it. */
export type DraftView = {
  readonly token: Token;
  readonly solUsd: SolUsd | null;
  readonly looks: readonly DraftLook[];
  /** Of the sales that wait for it; none where none do. */
  readonly legs: readonly DraftLook[];
  readonly refusal: PlacementRefusal | null;
};

export type DraftLook = {
  /** With the state that its event is measured from, where it waits for one. */
  readonly draft: OrderDraft;
  /** The units it would give when it fires. */
  readonly units: bigint;
  readonly now: ExecutablePrice | null;
  /** A unit's first output, before its own impact: now, or by the price of the awaited purchase. Null without a market. */
  readonly spot: Rate | null;
  readonly warnings: readonly PlacementWarning[];
};

/**
 * A draft's present meaning and the first reason against it, for its screen. Changes nothing. Throws SAME_TOKEN, TOKEN_NOT_FOUND,
 * WALLET_NOT_FOUND, CHAIN_UNREACHABLE, VENUES_UNREACHABLE.
 */
export async function viewDraft(
  deps: OrderDeps,
  draft: DraftGroup,
  /** Of its own orders, those that are counted as open already. */
  counted = 0,
): Promise<DraftView> {
  const wallet = await ownWallet(deps.db.wallets, draft);
  const token = await loadToken(deps.trade.chain, draft.mint);
  const [solUsd, open] = await Promise.all([
    solUsdNow(deps),
    deps.db.orders.countOpen(draft.userId, draft.mint),
  ]);
  const { legs } = draft;
  const asked = { draft, wallet, token, solUsd, open, entry: null };
  const looked = await Promise.all(
    draft.drafts.map((one, index) => look(deps, { ...asked, one, index: index - counted })),
  );
  const entry = legs === undefined ? null : entryOf(draft, solUsd, deps.clock.now());
  const ofLegs =
    legs === undefined || entry === null
      ? []
      : await lookAtLegs(deps, {
          ...asked,
          entry,
          draft: { ...draft, ...legs },
          before: draft.drafts.length,
        });
  const isAlone = draft.kind === 'SINGLE' && draft.drafts.length === 1;
  const refusal =
    (isAlone ? judgeBracket(draft) : judgeLegs(draft.drafts.map(legOf))) ??
    firstRefusal([...looked, ...ofLegs]);
  return { token, solUsd, looks: looked, legs: ofLegs, refusal };
}

/** Legs are judged from where they begin: by the price of the entry, not by that of now. */
function lookAtLegs(
  deps: OrderDeps,
  {
    before,
    ...asked
  }: Omit<Asked, 'one' | 'index' | 'entry'> & { readonly entry: Entry; readonly before: number },
): Promise<readonly Looked[]> {
  return Promise.all(
    asked.draft.drafts.map((one, index) => look(deps, { ...asked, one, index: index + before })),
  );
}

/**
 * The sales that are to wait for a purchase of now, beside the market. Changes nothing. `refusal`: the first reason against them.
 */
export async function viewLegs(
  deps: OrderDeps,
  draft: DraftGroup,
  entry: Entry,
  counted = 0,
): Promise<DraftView> {
  const wallet = await ownWallet(deps.db.wallets, draft);
  const token = await loadToken(deps.trade.chain, draft.mint);
  const [solUsd, open] = await Promise.all([
    solUsdNow(deps),
    deps.db.orders.countOpen(draft.userId, draft.mint),
  ]);
  const looks = await lookAtLegs(deps, { draft, wallet, token, solUsd, open, entry, before: -counted });
  return { token, solUsd, legs: [], looks, refusal: judgeSales(draft.drafts) ?? firstRefusal(looks) };
}

function firstRefusal(looks: readonly Looked[]): PlacementRefusal | null {
  return looks.find(({ refusal }) => refusal !== null)?.refusal ?? null;
}

type Asked = {
  readonly draft: DraftGroup;
  readonly one: OrderDraft;
  readonly index: number;
  readonly wallet: Wallet;
  readonly token: Token;
  readonly solUsd: SolUsd | null;
  readonly open: { readonly onToken: number; readonly ofPerson: number };
  /** Of a leg: the purchase it waits for. */
  readonly entry: Entry | null;
};

type Looked = DraftLook & { readonly refusal: PlacementRefusal | null };

async function look(deps: OrderDeps, asked: Asked): Promise<Looked> {
  const { draft, index, wallet, token, solUsd, open, entry } = asked;
  const { one, refusal: noEvent } = await withEvent(deps, draft.mint, asked.one);
  const { side, type, unit } = one;
  const units = unitsOf(entry === null ? draft : { units: entry.units }, one);
  const placedAt = deps.clock.now();
  const fits = units > 0n && units <= MAX_U64;
  const now = fits
    ? await executablePrice(deps.trade, { side, mint: draft.mint, amount: units, wallet: wallet.address })
    : null;
  const begins = entry?.price ?? now?.rate ?? null;
  const rate = now === null || begins === null ? null : rateIn(unit, side, begins, solUsd, placedAt);
  const request = {
    side,
    type,
    isMintSol: draft.mint === WSOL_MINT,
    decimals: side === 'buy' ? token.decimals : 9,
    toleranceBps: toleranceOf(one),
    amount: units,
    worthLamports: side === 'buy' ? units : (now?.got ?? 0n),
    supply: token.supply,
    trigger: one.trigger,
    floor: typeof one.floor === 'string' ? null : one.floor,
    now: now === null || rate === null ? null : { ...now, rate, depth: sideOfDepth(now, side, units) },
    trailingBps: one.trailing?.bps ?? null,
    schedule: one.schedule,
    placedAt,
    expiresAt: draft.expiresAt,
    open: { onToken: open.onToken + index, ofPerson: open.ofPerson + index },
  };
  const noMarket: PlacementRefusal | null =
    fits && (now === null || rate === null) ? { kind: 'no-market' } : null;
  const refusal =
    judgePlacement(noMarket === null ? request : { ...request, worthLamports: MAX_U64 }) ??
    noMarket ??
    noEvent;
  const spot = entry === null ? spotOf(now, units) : entry.price;
  return { draft: one, units, now, spot, warnings: placementWarnings(request), refusal };
}

/** An order that waits for an event, with the state that this is measured from; or why it cannot wait for it. */
async function withEvent(
  { events }: Pick<OrderDeps, 'events'>,
  mint: Address,
  one: OrderDraft,
): Promise<{ readonly one: OrderDraft; readonly refusal: PlacementRefusal | null }> {
  const { type, fallBps, event } = one;
  if (!isEventType(type) || event !== undefined) return { one, refusal: null };
  const begun = await events.begin({ type, mint, fallBps });
  return begun.kind === 'dev-sells' || begun.kind === 'liquidity-falls'
    ? { one: { ...one, event: begun }, refusal: null }
    : { one, refusal: begun };
}

function spotOf(now: ExecutablePrice | null, units: bigint): Rate | null {
  if (now === null) return null;
  return { got: spotOutOf({ quotedOut: now.got, priceImpactBps: now.impactBps }), given: units };
}

/** Half of both sides, in the mint that the order gives. */
function sideOfDepth(now: ExecutablePrice, side: OrderDraft['side'], units: bigint): bigint {
  const half = now.depthLamports / 2n;
  return side === 'buy' || now.got === 0n ? half : (half * units) / now.got;
}

/** The part of its group's units that an order would give. */
function unitsOf({ units }: Pick<DraftGroup, 'units'>, { amount }: OrderDraft): bigint {
  if (amount.kind === 'fixed') return amount.units;
  const all = units ?? 0n;
  return amount.kind === 'rest' ? all : (all * BigInt(amount.bps)) / 10_000n;
}

/** The placed orders: a draft as it was shown. It waits for no intent: `buyWithLegs` alone names one, its own. */
export type PlaceOrdersInput = Omit<DraftGroup, 'units' | 'parentIntentId'> & {
  readonly units: bigint | null;
  /** Of a position: stops that this one takes the place of, in the same commit. */
  readonly replaces?: readonly string[];
  /** The one-use button, used up in the same commit. */
  readonly buttonId?: string;
  /** Whether the PIN was typed for it; absent: the window of an earlier one counts. */
  readonly pin?: PinUse;
};

/** Who places: a person in the chat, unless it says another one. */
export type Placing = {
  /** The group with the signer's word for each order. Asked before the transaction: no lock is held while the signer answers. */
  readonly certify: (group: OrderGroup) => Promise<OrderGroup>;
  /** Asked under the person's lock. Throws where it may place no more. */
  readonly again?: (stores: Stores) => Promise<void>;
};

/**
 * Places a group once, however often it is sent: a repeated key returns the existing one. Nothing is locked and nothing is signed. Legs are
 * placed in the same commit, and wait. Exits of a position join the open ones, and a second stop needs `replaces`. Throws ORDER_REFUSED
 * with the reason, TRADE_PIN as a trade of that size would, BUTTON_STALE, the gate's errors for `order-place`, and the errors of
 * `viewDraft`; then nothing is stored.
 */
export async function placeOrders(
  deps: OrderDeps,
  input: PlaceOrdersInput,
  by: Placing = { certify: (group) => certified(deps, group) },
): Promise<OrderGroup> {
  const known = await deps.db.orders.findByPlaceKey(input.placeKey);
  if (known !== null) return ofSamePerson(known, input.userId);
  await assertNotPaused(deps.db.flags, ['trading']);
  await assertMayAct(deps.db, deps, { act: 'order-place', userId: input.userId });
  const draft = { ...input, parentIntentId: null };
  const units = input.units ?? (await positionUnits(deps, input));
  const view = await viewDraft(deps, { ...draft, units });
  if (view.refusal !== null) throw new AppError('ORDER_REFUSED', view.refusal);
  const depthLamports = view.looks[0]?.now?.depthLamports ?? null;
  const made = { id: () => deps.ids.ulid(), now: deps.clock.now(), depthLamports };
  const group = newGroup({ ...draft, drafts: draftsOf(view.looks) }, made);
  const legs =
    input.legs === undefined
      ? null
      : newGroup(legsDraft(input, { ...input.legs, drafts: draftsOf(view.legs) }, parentKeyOf(group)), made);
  const orders = [...group.orders, ...(legs?.orders ?? [])];
  const looks = [...view.looks, ...view.legs];
  const { userId, pin = 'window' } = input;
  const wallet = (await ownWallet(deps.db.wallets, input)).address;
  const asked = { userId, wallet, pin, solUsd: view.solUsd };
  const judge = await judgeOrders(deps, asked, judgedOf(orders, looks));
  const sealed = await by.certify(granted(group, judge.grants));
  const ofLegs =
    legs === null ? null : await by.certify(granted(legs, judge.grants.slice(group.orders.length)));
  const placed = await deps.db.transact(async (stores) => {
    const again = await stores.orders.findByPlaceKey(input.placeKey);
    if (again !== null) return ofSamePerson(again, input.userId);
    // Takes the person's lock: numbers, counts and the freeze are judged one placing after the other.
    const passed = await passGate(stores, deps, { act: 'order-place', userId: input.userId });
    if (input.buttonId !== undefined) await useButton(deps, stores, input.buttonId, input.userId);
    await ownWallet(stores.wallets, input);
    await judge.again(stores);
    await by.again?.(stores);
    const waiting = ofLegs === null ? [] : ofLegs.orders;
    const open = await stores.orders.countOpen(input.userId, input.mint);
    const tooMany = judgeCount(open, group.orders.length + waiting.length);
    if (tooMany !== null) throw new AppError('ORDER_REFUSED', tooMany);
    const inserted = await insertOrJoin(stores, passed, sealed, input);
    if (inserted === null || (ofLegs !== null && (await stores.orders.insert(passed, ofLegs)) === null))
      throw new AppError('BUTTON_STALE', {});
    return inserted;
  });
  deps.ordersChanged();
  return placed;
}

/** The drafts as they were looked at: with the states that their events are measured from. */
export function draftsOf(looks: readonly Pick<DraftLook, 'draft'>[]): readonly OrderDraft[] {
  return looks.map(({ draft }) => draft);
}

/** The wallet's units of a position: by the node, or by the books where the node is behind. Throws ORDER_REFUSED for nothing. */
async function positionUnits(
  deps: OrderDeps,
  { userId, walletId, mint }: Pick<PlaceOrdersInput, 'userId' | 'walletId' | 'mint'>,
): Promise<bigint> {
  const { address: wallet } = await ownWallet(deps.db.wallets, { userId, walletId });
  const seen = await deps.market.sellable(wallet, mint).catch((error: unknown) => {
    if (hasCode(error, 'INSUFFICIENT_TOKENS')) return { units: error.details.available, elsewhere: 0n };
    throw error;
  });
  if (seen.units + seen.elsewhere > 0n) return seen.units + seen.elsewhere;
  const { positions } = await foldPositions(deps.db, userId);
  const booked = positions.find((one) => one.walletId === walletId && one.mint === mint)?.units ?? 0n;
  if (booked <= 0n) throw new AppError('ORDER_REFUSED', { kind: 'nothing-held' });
  return booked;
}

/** A group of its own, or, for exits of a position that has an open group, a part of that one. */
async function insertOrJoin(
  stores: Pick<Stores, 'orders'>,
  passed: Passed<'order-place'>,
  group: OrderGroup,
  { drafts, replaces = [] }: Pick<PlaceOrdersInput, 'drafts' | 'replaces'>,
): Promise<OrderGroup | null> {
  if (!isPosition(group)) return stores.orders.insert(passed, group);
  const exits = await stores.orders.lockExits(group.walletId, group.mint);
  const refusal = judgeJoin(exits, drafts.map(legOf), replaces);
  if (refusal !== null) throw new AppError('ORDER_REFUSED', refusal);
  for (const stop of drafts.some(isStop) ? standingStops(exits) : []) {
    const own = await stores.orders.lock(stop.id);
    if (own === null) continue;
    const ended = reduceOrders(own, { kind: 'cancelled', orderId: stop.id, reason: 'person' });
    await carryOutLocked(stores, DESK, ended);
  }
  // Read anew: the group of a stop that was its only order is closed now.
  const into = positionGroup(await stores.orders.lockExits(group.walletId, group.mint));
  if (into === null) return stores.orders.insert(passed, group);
  const orders = group.orders.map((order) => ({ ...order, groupId: into.id }));
  return stores.orders.join(passed, into, { placeKey: group.placeKey, orders });
}

async function useButton(
  { clock }: Pick<OrderDeps, 'clock'>,
  { buttons }: Pick<Stores, 'buttons'>,
  buttonId: string,
  userId: string,
): Promise<void> {
  if ((await buttons.consume(buttonId, userId, clock.now())) === null) throw new AppError('BUTTON_STALE', {});
}

export function judgeCount(
  open: { readonly onToken: number; readonly ofPerson: number },
  more: number,
): PlacementRefusal | null {
  const { perPerson, perToken } = PLACEMENT;
  if (open.ofPerson + more > perPerson) return { kind: 'too-many-orders', max: perPerson, per: 'person' };
  return open.onToken + more > perToken ? { kind: 'too-many-orders', max: perToken, per: 'token' } : null;
}

/** Orders beside their looks, one for one. */
export function judgedOf(
  orders: readonly Order[],
  looks: readonly Pick<DraftLook, 'units' | 'spot' | 'now'>[],
): readonly JudgedOrder[] {
  return orders.map((order, index) => {
    const { units = 0n, spot = null, now = null } = looks[index] ?? {};
    return { order, units, spot, impactBps: now?.impactBps ?? 0 };
  });
}

/** The group with the grant of each of its orders, in their order. */
export function granted(group: OrderGroup, grants: readonly (Grants | null)[]): OrderGroup {
  const orders = group.orders.map((order, index) => ({
    ...order,
    terms: { ...order.terms, grants: grants[index] ?? null },
  }));
  return { ...group, orders };
}

/** The group with the signer's certificate for each order. Asked before the transaction: no lock is held while the signer answers. */
export async function certified({ vault }: Pick<OrderDeps, 'vault'>, group: OrderGroup): Promise<OrderGroup> {
  const { userId } = group;
  const certificates = await vault.certifyOrders({ userId, orders: group.orders });
  const orders = group.orders.map((order, index) => ({ ...order, certificate: certificates[index] ?? null }));
  return { ...group, orders };
}

function ofSamePerson(group: OrderGroup, userId: string): OrderGroup {
  if (group.userId !== userId) throw new AppError('ORDER_NOT_FOUND', {});
  return group;
}
