import {
  type Afterwards,
  isClosed,
  type LiveFire,
  type Order,
  type OrderGroup,
  type OrderProgress,
  unitsToGive,
} from './order.ts';
import type { OrderEffect, OrderEvent, OrderTransition, OrderWrite } from './transition.ts';

type EventOf<K extends OrderEvent['kind']> = Extract<OrderEvent, { kind: K }>;

/**
 * The state machine of orders, as a pure reducer over a group: `(group, event) → (group', writes, effects)`. An event that comes too late
 * or twice changes nothing.
 *
 * Why one condition buys or sells at most once: `n` grows only in `fired`, which needs OPEN and leaves TRIGGERED. Only the proven end of
 * the child, `settled` or `voided`, reopens. The units of live fires and of past sales are never more than the group was given, so two legs
 * cannot both sell the same units. A child that needs a person's review has not ended: its units stay bound.
 */
export function reduceOrders(group: OrderGroup, event: OrderEvent): OrderTransition {
  switch (event.kind) {
    case 'awakened':
      return awakened(group, event);
    case 'units-corrected':
      return { ...unchanged(group), group: { ...group, units: event.units } };
    case 'fired':
      return fired(group, event);
    case 'settled':
      return settled(group, event);
    case 'voided':
      return voided(group, event);
    case 'paused':
      return leave(group, event.orderId, { status: 'PAUSED', reason: event.reason }, event.doubts);
    case 'cancelled':
      return leave(group, event.orderId, { status: 'CANCELLED', reason: event.reason });
    case 'held-back':
      return heldBack(group, event);
    case 'told':
      return told(group, event);
    case 'resumed':
      return resumed(group, event);
    case 'edited':
      return edited(group, event);
    case 'expired':
      return changeOne(group, event.orderId, ['OPEN', 'PAUSED', 'WAITING'], {
        status: 'EXPIRED',
        reason: null,
      });
  }
}

function awakened(group: OrderGroup, { units, at, isFrozen }: EventOf<'awakened'>): OrderTransition {
  const state = isFrozen
    ? ({ status: 'PAUSED', reason: 'panic' } as const)
    : ({ status: 'OPEN', reason: null } as const);
  const writes = group.orders
    .filter(({ status }) => status === 'WAITING')
    .map((order) => write(order, { ...state, progress: begun(order, at) }));
  return writes.length === 0 ? unchanged(group) : transition({ ...group, units }, writes);
}

function resumed(
  group: OrderGroup,
  { orderId, at, grants, certificate }: EventOf<'resumed'>,
): OrderTransition {
  const order = group.orders.find(({ id }) => id === orderId);
  if (order === undefined) return unchanged(group);
  // Of its person from now on, also where a program placed it.
  const { program: _placedBy, ...agreed } = inSpiteOf(order);
  const patch = {
    status: 'OPEN',
    reason: null,
    notBeforeSlot: null,
    terms: {
      ...agreed,
      ...(grants === undefined ? {} : { grants }),
      agreedAt: nextAgreement(order, at),
    },
    progress: begun(order, at),
    ...(certificate === undefined ? {} : { certificate }),
  } as const;
  return changeOne(group, orderId, ['PAUSED'], patch);
}

/** A moment behind the former one, also where the clock has not moved. */
export function nextAgreement({ terms }: Pick<Order, 'terms'>, now: number): number {
  return Math.max(now, (terms.agreedAt ?? 0) + 1);
}

/** A person who resumes an order that was paused for a reason has read the reason: it does not pause for it again. */
function inSpiteOf({ terms, reason, progress }: Order): Order['terms'] {
  if (reason === 'safety')
    return { ...terms, accepted: [...new Set([...terms.accepted, ...(progress.doubts ?? [])])] };
  if (reason === 'liquidity') return { ...terms, depthLamports: null };
  return reason === 'supply' ? { ...terms, supply: null } : terms;
}

/** Its memory of attempts ends with its old terms. */
function edited(group: OrderGroup, { orderId, at, terms, units }: EventOf<'edited'>): OrderTransition {
  const order = group.orders.find(({ id }) => id === orderId);
  if (order === undefined) return unchanged(group);
  const progress = begun({ progress: order.progress, terms: terms.terms ?? order.terms }, at);
  const given = units === undefined ? group : { ...group, units };
  const { ending: _ending, ...toldOf } = progress.told;
  return changeOne(given, orderId, ['OPEN', 'PAUSED', 'WAITING'], {
    ...terms,
    notBeforeSlot: null,
    // A new end is reported anew.
    progress:
      terms.expiresAt === undefined || terms.expiresAt === order.expiresAt
        ? progress
        : { ...progress, told: toldOf },
  });
}

/** Nothing of the time before counts: a stop that trails follows the price from now on, or from its activation. */
export function begun({ terms, progress }: Pick<Order, 'terms' | 'progress'>, at: number): OrderProgress {
  const { trailing } = terms;
  const activatedAt = trailing !== null && trailing.activation === null ? at : null;
  const { doubts: _accepted, follows: _sold, ...rest } = progress;
  return { ...rest, refusals: 0, note: null, activatedAt };
}

function fired(group: OrderGroup, event: EventOf<'fired'>): OrderTransition {
  const order = group.orders.find(({ id }) => id === event.orderId);
  if (order?.status !== 'OPEN' || event.units <= 0n) return unchanged(group);
  if (order.notBeforeSlot !== null && event.slot < order.notBeforeSlot) return unchanged(group);
  if (event.units > unitsToGive(group, order, event.held)) return unchanged(group);
  const n = order.fires + 1;
  const { intentId, units, slot, quoted, eventSeen } = event;
  const live: LiveFire = { orderId: order.id, n, intentId, units };
  const fire = {
    ...live,
    groupId: group.id,
    slot,
    quoted,
    ...(eventSeen === undefined ? {} : { eventSeen }),
    firedAt: event.at,
    end: null,
  };
  return transition(
    { ...group, liveFires: [...group.liveFires, live] },
    [
      write(order, {
        status: 'TRIGGERED',
        fires: n,
        ...(event.isShort === true ? { progress: { ...order.progress, short: n } } : {}),
      }),
    ],
    [{ kind: 'create-intent', idemKey: fireKey(order.id, n), fire }],
  );
}

/** The idempotency key of the intent of one fire. */
export function fireKey(orderId: string, n: number): string {
  return `order:${orderId}:${n}`;
}

function heldBack(group: OrderGroup, event: EventOf<'held-back'>): OrderTransition {
  const order = group.orders.find(({ id }) => id === event.orderId);
  if (order?.status !== 'OPEN') return unchanged(group);
  const { notBeforeSlot, progress } = event;
  return transition(group, [write(order, { notBeforeSlot, progress })]);
}

/** Neither its terms nor its windows change. */
function told(group: OrderGroup, { orderId, progress }: EventOf<'told'>): OrderTransition {
  const order = group.orders.find(({ id }) => id === orderId);
  const stands = order !== undefined && ['OPEN', 'PAUSED', 'WAITING'].includes(order.status);
  return stands ? transition(group, [write(order, { progress })]) : unchanged(group);
}

function settled(group: OrderGroup, event: EventOf<'settled'>): OrderTransition {
  const ended = endFire(group, event.intentId);
  if (ended === null) return unchanged(group);
  const { fire, order, liveFires } = ended;
  const sum = { filled: order.filled + event.given, received: order.received + event.got };
  const { given, got, at, progress } = event;
  const end = event.isWhole
    ? ({ status: 'FILLED', reason: null, afterwards: null } as const)
    : ({ ...reopened(order), notBeforeSlot: null } as const);
  const next: OrderGroup = { ...group, sold: group.sold + event.given, liveFires };
  // A group on a position is cut by the units held when it fires; one with units of its own ends with them.
  const isUsedUp = next.units !== null && next.sold >= next.units;
  const siblings = isUsedUp
    ? group.orders.filter(
        (other) => other.id !== order.id && !isClosed(other) && other.status !== 'TRIGGERED',
      )
    : [];
  return transition(
    next,
    [
      write(order, { ...sum, ...end, progress }),
      ...siblings.map((other) => write(other, { status: 'CANCELLED', reason: 'oco' })),
    ],
    [
      {
        kind: 'end-fire',
        orderId: order.id,
        n: fire.n,
        end: { at, result: 'settled', given, got, burntLamports: 0n, reason: null },
      },
    ],
  );
}

function voided(group: OrderGroup, event: EventOf<'voided'>): OrderTransition {
  const ended = endFire(group, event.intentId);
  if (ended === null) return unchanged(group);
  const { fire, order, liveFires } = ended;
  const asked: Order =
    event.pause === null || order.afterwards !== null
      ? order
      : { ...order, afterwards: { status: 'PAUSED', reason: event.pause } };
  const { burntLamports, at, reason } = event;
  return transition(
    { ...group, liveFires },
    [
      write(order, {
        ...reopened(asked),
        burntLamports: order.burntLamports + burntLamports,
        notBeforeSlot: event.notBeforeSlot,
        progress: event.progress,
      }),
    ],
    [
      {
        kind: 'end-fire',
        orderId: order.id,
        n: fire.n,
        end: { at, result: 'voided', given: 0n, got: 0n, burntLamports, reason },
      },
    ],
  );
}

/** Paused or cancelled: at once, or when the live fire has ended without having done all. */
function leave(
  group: OrderGroup,
  orderId: string,
  afterwards: Afterwards,
  doubts?: readonly string[],
): OrderTransition {
  const order = group.orders.find(({ id }) => id === orderId);
  if (order?.status !== 'TRIGGERED') {
    const from: readonly Order['status'][] =
      afterwards.status === 'PAUSED' ? ['OPEN'] : ['OPEN', 'PAUSED', 'WAITING'];
    const remembered =
      order === undefined || doubts === undefined ? {} : { progress: { ...order.progress, doubts } };
    return changeOne(group, orderId, from, { ...afterwards, ...remembered });
  }
  // A cancellation is not weakened to a pause.
  if (order.afterwards?.status === 'CANCELLED') return unchanged(group);
  const fire = group.liveFires.find((live) => live.orderId === orderId);
  return transition(
    group,
    [write(order, { afterwards })],
    afterwards.status === 'CANCELLED' && fire !== undefined
      ? [{ kind: 'cancel-intent', intentId: fire.intentId }]
      : [],
  );
}

function changeOne(
  group: OrderGroup,
  orderId: string,
  from: readonly Order['status'][],
  patch: Partial<Order>,
): OrderTransition {
  const order = group.orders.find(({ id }) => id === orderId);
  if (order === undefined || !from.includes(order.status)) return unchanged(group);
  return transition(group, [write(order, patch)], [{ kind: 'forget-windows', orderId }]);
}

function reopened({ afterwards }: Order): Partial<Order> {
  return afterwards === null
    ? { status: 'OPEN', reason: null }
    : { status: afterwards.status, reason: afterwards.reason, afterwards: null };
}

function endFire(
  group: OrderGroup,
  intentId: string,
): { readonly fire: LiveFire; readonly order: Order; readonly liveFires: readonly LiveFire[] } | null {
  const fire = group.liveFires.find((live) => live.intentId === intentId);
  const order = group.orders.find(({ id }) => id === fire?.orderId);
  if (fire === undefined || order?.status !== 'TRIGGERED') return null;
  return { fire, order, liveFires: group.liveFires.filter((live) => live !== fire) };
}

function write(order: Order, patch: Partial<Order>): OrderWrite {
  return {
    orderId: order.id,
    expectVersion: order.version,
    expectStatus: order.status,
    order: { ...order, ...patch, version: order.version + 1 },
  };
}

function transition(
  group: OrderGroup,
  writes: readonly OrderWrite[],
  effects: readonly OrderEffect[] = [],
): OrderTransition {
  const changed = new Map(writes.map(({ order }) => [order.id, order]));
  const orders = group.orders.map((order) => changed.get(order.id) ?? order);
  return { group: { ...group, orders }, writes, effects };
}

function unchanged(group: OrderGroup): OrderTransition {
  return { group, writes: [], effects: [] };
}
