import { ageAt } from '../../../core/time/age.ts';
import { hasLegs, orderOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Attempt, Intent, IntentOutcome, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { isFrozen } from '../../guard/rules/freeze.ts';
import { backOffSlots, isBudgetSpent, mayTell } from '../rules/budget.ts';
import { reduceOrders } from '../rules/machine.ts';
import type { LiveFire, Order, OrderGroup, OrderProgress } from '../rules/order.ts';
import { parentOrderKey } from '../rules/order-child.ts';
import { PLACEMENT } from '../rules/placement.ts';
import { afterRound } from '../rules/schedule.ts';
import { carryOutLocked, DESK } from './carry-out.ts';
import { tellOrder } from './tell-order.ts';

type SettleDeps = { readonly clock: Clock; readonly ids: Ids };
/** After a child without effect its order waits for slots, which are as long as the chain makes them. */
type VoidDeps = SettleDeps & { readonly chain: Pick<Chain, 'slotMs'> };
type Settling = { readonly group: OrderGroup; readonly order: Order; readonly fire: LiveFire };

/**
 * Books a child's result, in the commit that makes it SUCCEEDED. Amounts are the receipt's; without one, the agreed amounts count. An order
 * of parts stays open while the rest is worth a transaction.
 */
export async function settleOrder(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  { terms }: Pick<Attempt, 'terms'>,
  receipt: LandedReceipt | null,
): Promise<void> {
  const found = await settlingOf(stores, intent);
  if (found === null) return;
  const { group, order, fire } = found;
  const { given, got } = movedBy(intent, fire, terms?.minOut ?? 0n, receipt);
  const isShort = order.progress.short === fire.n;
  const progress = progressAfter(order, isShort);
  const sums = { filled: order.filled + given, received: order.received + got };
  const isWhole = !isShort && isDone(group, { ...order, ...sums, progress });
  const at = deps.clock.now();
  const settled = reduceOrders(group, {
    kind: 'settled',
    intentId: intent.id,
    given,
    got,
    isWhole,
    at,
    progress,
  });
  await carryOutLocked(stores, DESK, settled);
  // All of it is sold: the other orders have nothing left to sell.
  const isPosition = group.units === null && order.amount.kind === 'rest' && isWhole;
  if (isPosition || isLeftWorthless(settled.group, order, { given, got }))
    await cancelOthers(stores, settled.group, order.id);
}

/** The last round of a schedule whose units lie in two accounts is done with the last of them. */
function progressAfter({ progress, terms }: Order, isShort: boolean): OrderProgress {
  const { schedule } = progress;
  const { follows: _before, ...rest } = progress;
  const isLast = schedule !== null && schedule.done + 1 >= (terms.schedule?.rounds ?? 0);
  return {
    ...rest,
    ...(isShort ? { follows: true } : {}),
    refusals: 0,
    note: null,
    schedule: schedule === null || (isShort && isLast) ? schedule : afterRound(schedule),
  };
}

/** Whether shares that were rounded down, or sum up to a little less than the whole, have left a rest that is worth no transaction. */
function isLeftWorthless(
  { units, sold, liveFires }: OrderGroup,
  { side }: Order,
  { given, got }: { readonly given: bigint; readonly got: bigint },
): boolean {
  if (side === 'buy' || units === null || liveFires.length > 0 || given <= 0n) return false;
  return ((units - sold) * got) / given < PLACEMENT.minimumLamports;
}

async function cancelOthers(
  stores: Pick<Stores, 'orders'>,
  settled: OrderGroup,
  sold: string,
): Promise<void> {
  let group = settled;
  for (const { id } of settled.orders) {
    if (id === sold) continue;
    const cut = reduceOrders(group, { kind: 'cancelled', orderId: id, reason: 'oco' });
    if (cut.writes.length > 0) await carryOutLocked(stores, DESK, cut);
    ({ group } = cut);
  }
}

/** In the commit that ends a child without effect. Its order is open again, and waits a little longer each time. */
export async function voidOrder(
  deps: VoidDeps,
  stores: Stores,
  intent: Intent,
  end: { readonly landedError: boolean; readonly receipt: LandedReceipt | null },
): Promise<void> {
  const found = await settlingOf(stores, intent);
  if (found === null) return;
  const { group, order, fire } = found;
  const now = deps.clock.now();
  const reason = reasonOf(intent.status, intent.outcome);
  const burntLamports = end.landedError ? (end.receipt?.feeLamports ?? 0n) : 0n;
  const failures = end.landedError
    ? [...order.progress.failures, { at: now, feeLamports: burntLamports }].slice(-20)
    : order.progress.failures;
  const refusals = end.landedError ? 0 : order.progress.refusals + 1;
  const isSpent = end.landedError && isBudgetSpent(failures, now);
  const progress: OrderProgress = { ...order.progress, failures, refusals, note: { code: reason, at: now } };
  const [row] = await stores.orders.fires(order.id, 1);
  const elapsed = BigInt(Math.ceil(ageAt(row?.firedAt ?? now, now) / deps.chain.slotMs()));
  const voided = reduceOrders(group, {
    kind: 'voided',
    intentId: intent.id,
    burntLamports,
    notBeforeSlot: row === undefined ? null : row.slot + elapsed + BigInt(backOffSlots(refusals)),
    pause: isSpent ? 'budget' : null,
    reason,
    at: now,
    progress: { ...progress, told: { ...progress.told, voided: now } },
  });
  await carryOutLocked(stores, DESK, voided);
  await endLegsOfClosed(stores, voided.group, order.id);
  const told = { event: 'voided', code: reason, n: fire.n, intentId: intent.id } as const;
  await tellOrder(deps, stores, order, told);
  if (isSpent && mayTell(order.progress.told['budget'] ?? null, now))
    await tellOrder(deps, stores, order, { event: 'paused', code: 'budget', n: fire.n });
}

/**
 * Wakes the orders that waited for a buy, in the commit that sees it confirmed, so that a stop is open thirteen seconds before finality.
 * Should that fork die there is nothing to sell, and the simulation refuses; the final receipt sets the units right.
 */
export async function wakeOrders(
  deps: SettleDeps,
  stores: Pick<Stores, 'orders' | 'guards'>,
  intent: Intent,
  receipt: LandedReceipt | null,
  how: 'awakened' | 'units-corrected',
): Promise<void> {
  const [key, trade] = [parentKeyOf(intent), tradeOf(intent.params)];
  if (key === null || trade === null) return;
  const units = arrived(trade.mint, receipt) ?? trade.terms.minOut;
  for (const group of await stores.orders.lockByParent(key)) {
    const at = deps.clock.now();
    const woken = reduceOrders(group, {
      kind: 'awakened',
      units,
      at,
      // An unfreezing resumes nothing, and no order that woke meanwhile either.
      isFrozen: isFrozen(await stores.guards.find(group.userId), at),
    });
    await carryOutLocked(stores, DESK, woken);
    if (how === 'units-corrected' && woken.group.units !== units)
      await carryOutLocked(stores, DESK, reduceOrders(woken.group, { kind: 'units-corrected', units }));
  }
}

/** The name under which orders may wait for an intent's purchase; null where none do. */
function parentKeyOf({ id, params }: Pick<Intent, 'id' | 'params'>): string | null {
  const child = orderOf(params);
  if (child !== null) return tradeOf(params)?.side === 'buy' ? parentOrderKey(child.id) : null;
  return hasLegs(params) ? id : null;
}

/** The purchase that they wait for has ended without effect, and is not tried again. */
export async function endWaitingFor(
  stores: Pick<Stores, 'orders'>,
  intent: Pick<Intent, 'id' | 'params'>,
): Promise<void> {
  if (orderOf(intent.params) !== null) return;
  const key = parentKeyOf(intent);
  if (key !== null) await endWaiting(stores, key);
}

/** Ends orders whose parent is over. */
export async function endWaiting(stores: Pick<Stores, 'orders'>, parentKey: string): Promise<void> {
  for (let group of await stores.orders.lockByParent(parentKey)) {
    for (const { id, status } of group.orders) {
      if (status === 'FILLED' || status === 'CANCELLED' || status === 'EXPIRED') continue;
      const ended = reduceOrders(group, { kind: 'cancelled', orderId: id, reason: 'parent-ended' });
      await carryOutLocked(stores, DESK, ended);
      ({ group } = ended);
    }
  }
}

/** Legs of an entry that is cancelled or expired wait for nothing. Those of one that bought are awake. */
export async function endLegsOfClosed(
  stores: Pick<Stores, 'orders'>,
  { orders }: Pick<OrderGroup, 'orders'>,
  orderId: string,
): Promise<void> {
  const order = orders.find(({ id }) => id === orderId);
  if (order?.side !== 'buy' || (order.status !== 'CANCELLED' && order.status !== 'EXPIRED')) return;
  await endWaiting(stores, parentOrderKey(orderId));
}

async function settlingOf(stores: Pick<Stores, 'orders'>, intent: Intent): Promise<Settling | null> {
  if (orderOf(intent.params) === null) return null;
  const group = await stores.orders.lockByFire(intent.id);
  const fire = group?.liveFires.find(({ intentId }) => intentId === intent.id);
  const order = group?.orders.find(({ id }) => id === fire?.orderId);
  return group === null || fire === undefined || order === undefined ? null : { group, order, fire };
}

/** Why a child ended without effect: an error code, the chain's error, or its status. */
function reasonOf(status: Intent['status'], outcome: IntentOutcome | null): string {
  return outcome?.reason ?? status;
}

function arrived(mint: string, receipt: LandedReceipt | null): bigint | null {
  return receipt?.tokenDeltas.find((one) => one.mint === mint)?.delta ?? null;
}

function movedBy(
  { params }: Intent,
  { units }: LiveFire,
  leastOut: bigint,
  receipt: LandedReceipt | null,
): { readonly given: bigint; readonly got: bigint } {
  const trade = tradeOf(params);
  if (trade === null || receipt === null) return { given: units, got: leastOut };
  const delta = arrived(trade.mint, receipt) ?? 0n;
  if (trade.side === 'buy') return { given: units, got: delta > 0n ? delta : 0n };
  const left = -delta;
  const got =
    receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports + (receipt.tipLamports ?? 0n);
  // Never more than was bound: units beside it were not this order's.
  return { given: left > 0n && left < units ? left : units, got: got > 0n ? got : 0n };
}

/** Whether nothing of the order is left that is worth a transaction. */
function isDone(group: OrderGroup, order: Order): boolean {
  const { schedule } = order.terms;
  if (schedule !== null) return (order.progress.schedule?.done ?? 0) >= schedule.rounds;
  // A leg whose fire is on its way may end without effect: the units it binds are again a part of the rest.
  if (order.amount.kind === 'rest') return group.liveFires.every(({ orderId }) => orderId === order.id);
  if (!order.partial) return true;
  const whole =
    order.amount.kind === 'fixed'
      ? order.amount.units
      : ((group.units ?? order.filled) * BigInt(order.amount.bps)) / 10_000n;
  const left = whole - order.filled;
  if (left <= 0n) return true;
  const worth = order.side === 'buy' || order.filled === 0n ? left : (left * order.received) / order.filled;
  return worth < PLACEMENT.minimumLamports;
}
