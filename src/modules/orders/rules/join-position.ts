import { isClosed, isPosition, type Order, type OrderGroup } from './order.ts';
import { judgeLegs, type PlacementRefusal } from './placement.ts';
import { directionOf } from './trigger.ts';

type Legs = Parameters<typeof judgeLegs>[0];

/** The group that takes the exits of a position: of older groups there may be several, and the newest one does. */
export function positionGroup(exits: readonly OrderGroup[]): OrderGroup | null {
  return exits.findLast(isPosition) ?? null;
}

/** Stops that sell the rest of these tokens: of the position, and of purchases that are confirmed. */
export function standingStops(exits: readonly OrderGroup[]): readonly Order[] {
  return exits
    .flatMap(({ orders }) => orders)
    .filter((order) => isStop(order) && !isClosed(order) && order.status !== 'WAITING');
}

/**
 * The first reason why these legs cannot join the open exits, or null. Two stops would each sell the rest, so a second one is refused
 * unless `replaces` names all open ones; one that sells at this moment is replaced by none. Shares are judged together with those of the
 * group.
 */
export function judgeJoin(
  exits: readonly OrderGroup[],
  legs: Legs,
  replaces: readonly string[],
): PlacementRefusal | null {
  const stops = legs.some(isStop) ? standingStops(exits) : [];
  const firing = stops.find(({ status }) => status === 'TRIGGERED');
  if (firing !== undefined) return { kind: 'stop-fires', number: firing.number };
  if (stops.some(({ id }) => !replaces.includes(id)))
    return {
      kind: 'stop-stands',
      numbers: stops.map(({ number }) => number),
      ids: stops.map(({ id }) => id),
    };
  const kept = (positionGroup(exits)?.orders ?? []).filter((one) => !isClosed(one) && !stops.includes(one));
  return judgeLegs([...kept.map(legOfOrder), ...legs]);
}

/** Whether an order sells once the price has fallen. */
export function isStop({ type }: { readonly type: Order['type'] }): boolean {
  return directionOf(type) === 'FALL' && type !== 'STOP_BUY';
}

function legOfOrder({ type, unit, amount, trigger }: Order): Legs[number] {
  return { type, unit, shareBps: amount.kind === 'share' ? amount.bps : null, trigger };
}
