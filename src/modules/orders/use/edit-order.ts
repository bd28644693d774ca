import { AppError } from '../../../core/errors/app-error.ts';
import { assertMayAct, passGate } from '../../guard/use/pass-gate.ts';
import { LIQUIDITY_STEPS_BPS } from '../../settings/rules/exit-set.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { defaultFloor } from '../rules/fire-terms.ts';
import { nextAgreement, reduceOrders } from '../rules/machine.ts';
import type { Order, OrderGroup } from '../rules/order.ts';
import { parentOrderOf } from '../rules/order-child.ts';
import { judgeLegs, PLACEMENT, type PlacementRefusal } from '../rules/placement.ts';
import { compareRates, type Rate } from '../rules/rate.ts';
import { type HoldChoice, holdMsOf } from '../rules/trigger.ts';
import { entryOf, legOf, legsDraft, legsOf } from './bracket.ts';
import { carryOutLocked } from './carry-out.ts';
import { type DraftGroup, newOrder, type OrderDraft } from './draft.ts';
import { heldUnits } from './held-units.ts';
import { judgeOrders, type OrderJudge, type PinUse } from './judge-orders.ts';
import { type OrderDeps, solUsdNow } from './order-deps.ts';
import { type DraftView, judgedOf, viewDraft, viewLegs } from './place-orders.ts';

/** The fields of an order that a person may change while it waits. An absent field stays. */
export type OrderChange = Partial<
  Pick<
    OrderDraft,
    | 'unit'
    | 'trigger'
    | 'request'
    | 'amount'
    | 'toleranceBps'
    | 'floor'
    | 'hold'
    | 'partial'
    | 'sellsOnExpiry'
  >
> & {
  readonly expiresAt?: number;
  /** Of a trailing stop; where it starts stays. */
  readonly trailBps?: number;
  /** Of a fall of liquidity; the liquidity that it is measured from stays. */
  readonly fallBps?: number;
  readonly supply?: bigint | null;
  /** Of purchases or sales in rounds; rates in SOL. */
  readonly band?: { readonly least: Rate | null; readonly most: Rate | null };
};

export type EditOrderInput = {
  readonly userId: string;
  readonly orderId: string;
  /** Of the order as the person saw it. */
  readonly version: number;
  readonly change: OrderChange;
  /** Whether the PIN was typed for it; absent: the window of an earlier one counts. */
  readonly pin?: PinUse;
};

/** `hasLegs`: sales wait for its purchase, so it comes whole. */
export type EditedView = DraftView & { readonly hasLegs: boolean };

type Edited = {
  readonly group: OrderGroup;
  readonly order: Order;
  readonly draft: DraftGroup;
  readonly view: EditedView;
};

/** The order with the change, beside the market, and the first reason against it. Changes nothing. Throws as `editOrder`. */
export async function viewEdit(deps: OrderDeps, input: EditOrderInput): Promise<EditedView> {
  return (await editedOf(deps, input)).view;
}

/**
 * Replaces the old terms by the changed ones at once, judged as a placing is. Windows and highs start anew. Throws ORDER_REFUSED with the
 * reason, TRADE_PIN, ORDER_NOT_FOUND, ORDER_NOT_CHANGEABLE for an order that is over or on its way, BUTTON_STALE where the order differs
 * from the one seen. Throws the gate's errors for `order-edit`. After an error nothing has changed.
 */
export async function editOrder(
  deps: OrderDeps,
  input: EditOrderInput,
): Promise<{ readonly group: OrderGroup; readonly order: Order }> {
  const { draft, view, order: seen, group: before } = await editedOf(deps, input);
  const { userId, orderId, version } = input;
  if (view.refusal !== null) throw new AppError('ORDER_REFUSED', view.refusal);
  await assertMayAct(deps.db, deps, { act: 'order-edit', userId });
  const judge = await judgeEdit(deps, { draft, view, seen, pin: input.pin ?? 'window' });
  const { terms, ...given } = termsOf(deps, { draft, seen, group: before });
  const [grants = null] = judge.grants;
  const agreedAt = nextAgreement(seen, deps.clock.now());
  const agreed = { ...terms, terms: { ...terms.terms, grants, agreedAt } };
  // Before the transaction: no lock is held while the signer answers.
  const orders = [{ ...seen, ...agreed }];
  const [certificate = null] = await deps.vault.certifyOrders({ userId, orders });
  const group = await deps.db.transact(async (stores) => {
    const passed = await passGate(stores, deps, { act: 'order-edit', userId });
    await judge.again(stores);
    const found = await stores.orders.lock(orderId);
    const order = ofPerson(found, input);
    if (found === null || order.version !== version) throw new AppError('BUTTON_STALE', {});
    // Its amount was the group's while it was alone in it.
    if (given.units !== undefined && found.orders.length > 1) throw new AppError('BUTTON_STALE', {});
    const edited = reduceOrders(found, {
      kind: 'edited',
      orderId,
      at: deps.clock.now(),
      terms: { ...agreed, certificate },
      ...given,
    });
    if (edited.writes.length === 0) throw notChangeable(seen);
    await carryOutLocked(stores, passed, edited);
    return edited.group;
  });
  deps.ordersChanged();
  return { group, order: ofPerson(group, input) };
}

/** The order as it will be, judged anew: its earlier grants count no more. */
async function judgeEdit(
  deps: OrderDeps,
  {
    draft,
    view,
    seen,
    pin,
  }: {
    readonly draft: DraftGroup;
    readonly view: DraftView;
    readonly seen: Order;
    readonly pin: PinUse;
  },
): Promise<OrderJudge> {
  const [one] = draft.drafts;
  if (one === undefined) throw new AppError('ORDER_NOT_FOUND', {});
  const { depthLamports } = seen.terms;
  const made = { id: () => seen.id, now: deps.clock.now(), groupId: seen.groupId, depthLamports };
  const wallet = (await ownWallet(deps.db.wallets, draft)).address;
  const asked = { userId: draft.userId, wallet, pin, solUsd: view.solUsd };
  return judgeOrders(deps, asked, judgedOf([newOrder(draft, one, made)], view.looks));
}

/** The order with its change as a draft, judged with the legs beside it. */
async function editedOf(deps: OrderDeps, input: EditOrderInput): Promise<Edited> {
  const group = await deps.db.orders.find(input.orderId);
  const order = ofPerson(group, input);
  if (group === null) throw new AppError('ORDER_NOT_FOUND', {});
  if (order.version !== input.version) throw new AppError('BUTTON_STALE', {});
  if (order.status !== 'OPEN' && order.status !== 'PAUSED' && order.status !== 'WAITING')
    throw notChangeable(order);
  const legs = await waitingFor(deps, order);
  // Legs wait for one fill: those of an entry that came in parts would not see the later ones.
  const one = { ...changed(order, input.change), ...(legs === null ? {} : { partial: false }) };
  const draft = groupDraft(group, order, one, input.change);
  const view = await viewed(deps, group, order, draft);
  const refusal =
    refuseFall(input.change) ??
    refuseAmount(group, order, input.change) ??
    refuseLegs(group, order, one) ??
    refuseMarket(view, input.change) ??
    (legs === null ? null : await refuseWaiting(deps, draft, legs, input.change));
  return { group, order, draft, view: { ...view, refusal, hasLegs: legs !== null } };
}

/** The sales that wait for an order's purchase; null where there are none. */
async function waitingFor({ db }: Pick<OrderDeps, 'db'>, { id, side }: Order): Promise<OrderGroup | null> {
  const legs = side === 'buy' ? await legsOf(db.orders, id) : null;
  return legs?.orders.some(({ status }) => status === 'WAITING') === true ? legs : null;
}

/** A waiting sale begins at the entry's price, and moves with that: a stop above it would sell the purchase at once. */
async function refuseWaiting(
  deps: OrderDeps,
  entry: DraftGroup,
  { orders, parentIntentId }: OrderGroup,
  { trigger }: OrderChange,
) {
  const [first, ...others] = orders.filter(({ status }) => status === 'WAITING');
  if (first === undefined || trigger === undefined) return null;
  const drafts = [first, ...others].map(draftOf);
  const legs = { drafts, expiresAt: first.expiresAt };
  const begins = entryOf(entry, await solUsdNow(deps), deps.clock.now());
  const draft = legsDraft(entry, legs, parentIntentId ?? '');
  return (await viewLegs(deps, draft, begins, drafts.length)).refusal;
}

/** The order as it is, beside the present market. Throws the errors of `viewDraft`. */
export function viewOrder(deps: OrderDeps, group: OrderGroup, order: Order): Promise<DraftView> {
  return viewed(deps, group, order, groupDraft(group, order, draftOf(order), {}));
}

/** A leg that waits is seen from the entry's price. One that waits for a purchase on its way changes when that is confirmed. */
async function viewed(
  deps: OrderDeps,
  group: OrderGroup,
  order: Order,
  draft: DraftGroup,
): Promise<DraftView> {
  if (order.status !== 'WAITING')
    return viewDraft(
      deps,
      { ...draft, units: draft.units ?? (await heldUnits(deps, group, order)) ?? 0n },
      1,
    );
  const parentId = parentOrderOf(group.parentIntentId);
  const parent = parentId === null ? null : await deps.db.orders.find(parentId);
  const entry = parent?.orders.find(({ id }) => id === parentId);
  if (entry === undefined) throw notChangeable(order);
  return viewLegs(deps, draft, entryOf({ drafts: [entry] }, await solUsdNow(deps), deps.clock.now()), 1);
}

function ofPerson(group: OrderGroup | null, { userId, orderId }: EditOrderInput): Order {
  const order = group?.orders.find(({ id }) => id === orderId);
  if (order === undefined || order.userId !== userId) throw new AppError('ORDER_NOT_FOUND', {});
  return order;
}

function notChangeable({ number, status }: Order): AppError {
  return new AppError('ORDER_NOT_CHANGEABLE', { number, status });
}

function refuseFall({ fallBps }: OrderChange): PlacementRefusal | null {
  const isKnown = fallBps === undefined || LIQUIDITY_STEPS_BPS.some((step) => step === fallBps);
  return isKnown ? null : { kind: 'liquidity-step' };
}

/** Units of a group with other orders are theirs as well; and units that are bought already cannot be taken back. */
function refuseAmount(group: OrderGroup, order: Order, { amount }: OrderChange): PlacementRefusal | null {
  if (amount === undefined) return null;
  const isLeg = order.amount.kind !== 'fixed';
  if (isLeg) return amount.kind === 'fixed' ? { kind: 'amount-invalid' } : null;
  const isFine = group.orders.length === 1 && amount.kind === 'fixed' && amount.units > order.filled;
  return isFine ? refuseRounds(order, amount.units) : { kind: 'amount-invalid' };
}

/** Units given by past rounds count in the total: the remaining rounds share the rest, each worth a transaction. */
function refuseRounds({ side, terms, progress, filled }: Order, units: bigint): PlacementRefusal | null {
  if (side === 'sell' || terms.schedule === null) return null;
  const { minimumLamports } = PLACEMENT;
  const left = BigInt(terms.schedule.rounds - (progress.schedule?.done ?? 0));
  return units - filled < minimumLamports * left ? { kind: 'round-too-small', minimumLamports } : null;
}

/** A stop below its floor is true already: its person may lower the floor, and then it sells. */
function refuseMarket({ refusal }: DraftView, { trigger, unit, amount }: OrderChange) {
  const isAsItWas = trigger === undefined && unit === undefined && amount === undefined;
  return isAsItWas && refusal?.kind === 'already-true' ? null : refusal;
}

function refuseLegs(group: OrderGroup, order: Order, one: OrderDraft) {
  if (group.orders.length === 1) return null;
  return judgeLegs(group.orders.map((leg) => legOf(leg.id === order.id ? one : draftOf(leg))));
}

function changed(
  order: Order,
  { expiresAt: _expiresAt, supply: _supply, band, trailBps, fallBps, ...change }: OrderChange,
): OrderDraft {
  const before = draftOf(order);
  const schedule =
    before.schedule !== null && band !== undefined ? { ...before.schedule, band } : before.schedule;
  const { trailing, event } = before;
  return {
    ...before,
    ...change,
    schedule,
    floor: change.floor ?? floorBeside(before, change.unit),
    trailing: trailing === null || trailBps === undefined ? trailing : { ...trailing, bps: trailBps },
    ...(event?.kind === 'liquidity-falls' && fallBps !== undefined ? { event: { ...event, fallBps } } : {}),
  };
}

/** A floor that was said in another unit than the new trigger's means nothing beside it. */
function floorBeside({ floor, unit }: OrderDraft, newUnit: OrderDraft['unit'] = unit): OrderDraft['floor'] {
  return typeof floor === 'string' || newUnit === unit ? floor : 'default';
}

/** An order as the draft that it was. A floor that was the usual one is so again: it follows a trigger that moves. */
function draftOf(order: Order): OrderDraft {
  const { side, type, amount, unit, trigger, partial, terms } = order;
  return {
    side,
    type,
    amount,
    unit,
    trigger,
    request: terms.request,
    toleranceBps: terms.toleranceBps,
    floor: floorAsSaid(order),
    trailing: terms.trailing,
    hold: holdOf(order),
    partial,
    schedule: terms.schedule,
    sellsOnExpiry: terms.sellsOnExpiry,
    ...(terms.event === undefined ? {} : { event: terms.event }),
  };
}

function floorAsSaid({ trigger, terms }: Order): OrderDraft['floor'] {
  const { floor } = terms;
  // Without a trigger it trails, and its floor follows its high.
  if (floor === null) return trigger === null ? 'default' : 'any';
  if (floor.got === 0n) return 'any';
  return trigger !== null && compareRates(floor, defaultFloor(trigger)) === 0 ? 'default' : floor;
}

function holdOf({ holdMs }: Order): HoldChoice {
  const choices: readonly HoldChoice[] = ['fast', 'normal', 'careful'];
  return choices.find((choice) => holdMsOf('FALL', choice) === holdMs) ?? 'normal';
}

function groupDraft(group: OrderGroup, order: Order, one: OrderDraft, change: OrderChange): DraftGroup {
  const { userId, walletId, mint, placeKey, parentIntentId } = group;
  const { slippageBps, tier, accepted, supply } = order.terms;
  return {
    userId,
    walletId,
    mint,
    placeKey,
    kind: 'SINGLE',
    units: one.amount.kind === 'fixed' ? one.amount.units : group.units,
    drafts: [one],
    expiresAt: change.expiresAt ?? order.expiresAt,
    slippageBps,
    tier,
    accepted,
    supply: change.supply === undefined ? supply : change.supply,
    parentIntentId,
  };
}

/** The fields that a change reaches, as a new order would have them. */
function termsOf(
  { clock }: Pick<OrderDeps, 'clock'>,
  { draft, seen, group }: { readonly draft: DraftGroup; readonly seen: Order; readonly group: OrderGroup },
) {
  const [one] = draft.drafts;
  if (one === undefined) throw new AppError('ORDER_NOT_FOUND', {});
  const { depthLamports } = seen.terms;
  const made = { id: () => seen.id, now: clock.now(), groupId: seen.groupId, depthLamports };
  const { amount, unit, trigger, holdMs, partial, expiresAt, terms } = newOrder(draft, one, made);
  const schedule =
    terms.schedule === null || seen.terms.schedule === null
      ? null
      : { ...terms.schedule, startAt: seen.terms.schedule.startAt };
  const units = amount.kind === 'fixed' && group.orders.length === 1 ? { units: amount.units } : {};
  return {
    terms: { amount, unit, trigger, holdMs, partial, expiresAt, terms: { ...terms, schedule } },
    ...units,
  };
}
