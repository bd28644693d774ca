import type { Address } from '@tradepost/solana';
import { adjustmentOf } from './adjustment.ts';
import { type AppliedEvent, applyEvent } from './apply-event.ts';
import { type EventPlace, emptyPosition, type Position, type PositionEvent } from './position.ts';

/** One line of the history of positions. */
export type PositionEntry = AppliedEvent & { readonly event: PositionEvent };

export type FoldedEvents = {
  /** By `positionKey`. */
  readonly positions: ReadonlyMap<string, Position>;
  /** In the order of (slot, signature). */
  readonly entries: readonly PositionEntry[];
  /** Cost that left an own wallet in a transaction whose other half is not known yet, in lamports. */
  readonly costUnderway: bigint;
};

/**
 * The positions of one person's wallets after all events, given in any order and any number of times. Repeats count once, and the order is
 * (slot, signature). All wallets are folded at once, because a move between them takes the cost along. `opening` holds the positions before
 * the events.
 */
export function foldEvents(
  events: Iterable<PositionEvent>,
  opening: ReadonlyMap<string, Position> = new Map(),
): FoldedEvents {
  const positions = new Map(opening);
  const entries: PositionEntry[] = [];
  let costUnderway = 0n;
  const record = (event: PositionEvent, carriedCost?: bigint): AppliedEvent => {
    const key = positionKey(event.walletId, event.mint);
    const before = positions.get(key) ?? emptyPosition(event.walletId, event.mint);
    const applied = applyEvent(before, event, carriedCost);
    positions.set(key, applied.position);
    entries.push({ ...applied, event });
    return applied;
  };
  for (const group of transactionsOf(events)) {
    let carried = 0n;
    for (const event of group) {
      if (event.kind === 'own-in') continue;
      const applied = record(event);
      if (event.kind === 'own-out') carried -= applied.costChange;
    }
    const arriving = group.filter(({ kind }) => kind === 'own-in');
    for (const [index, cost] of sharesOf(carried, arriving).entries()) {
      const event = arriving[index];
      if (event !== undefined) record(event, cost);
    }
    if (arriving.length === 0) costUnderway += carried;
  }
  return { positions, entries, costUnderway };
}

export function positionKey(walletId: string, mint: Address): string {
  return `${walletId}:${mint}`;
}

/** The events of one mint in one transaction, each list in an order of its own that no delivery changes. */
function transactionsOf(events: Iterable<PositionEvent>): Iterable<readonly PositionEvent[]> {
  const known = new Map<string, PositionEvent>();
  for (const event of events) {
    const key = `${event.walletId}:${event.mint}:${event.signature}:${event.kind}`;
    const other = known.get(key);
    if (other === undefined || replaces(event, other)) known.set(key, event);
  }
  const sorted = withoutTakenBack([...known.values()]).toSorted(
    (a, b) =>
      comparePlaces(a, b) ||
      compare(a.mint, b.mint) ||
      compare(a.walletId, b.walletId) ||
      compare(a.kind, b.kind),
  );
  const groups = new Map<string, PositionEvent[]>();
  for (const event of sorted) {
    const key = `${event.slot}:${event.signature}:${event.mint}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups.values();
}

/** An adjustment and the part of it that was taken back are one event, and none where a transaction explains all of it. */
export function withoutTakenBack(events: readonly PositionEvent[]): readonly PositionEvent[] {
  const rest: PositionEvent[] = [];
  const sums = new Map<string, Extract<PositionEvent, { kind: 'adjustment' }>>();
  for (const event of events) {
    if (event.kind !== 'adjustment') {
      rest.push(event);
      continue;
    }
    const signature = adjustmentOf(event);
    const key = `${event.walletId}:${event.mint}:${signature}`;
    sums.set(key, { ...event, signature, units: event.units + (sums.get(key)?.units ?? 0n) });
  }
  return [...rest, ...[...sums.values()].filter(({ units }) => units !== 0n)];
}

/** Of two reports of one event the final one wins; then the value set last; then the later slot, where another fork won. */
function replaces(event: PositionEvent, known: PositionEvent): boolean {
  if (event.final !== known.final) return event.final;
  const [revision, other] = [event, known].map((one) => (one.kind === 'received' ? one.revision : 0));
  if (revision !== other) return (revision ?? 0) > (other ?? 0);
  return event.slot > known.slot;
}

/** `cost` by units that arrive, rounded down; the last one takes the rest, so that all of it arrives. */
function sharesOf(cost: bigint, arriving: readonly PositionEvent[]): readonly bigint[] {
  const units = arriving.map((event) => (event.kind === 'own-in' ? event.units : 0n));
  const whole = units.reduce((sum, part) => sum + part, 0n);
  let left = cost;
  return units.map((part, index) => {
    const share = index === units.length - 1 || whole === 0n ? left : (cost * part) / whole;
    left -= share;
    return share;
  });
}

function comparePlaces(a: EventPlace, b: EventPlace): number {
  return compare(a.slot, b.slot) || compare(a.signature, b.signature);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
