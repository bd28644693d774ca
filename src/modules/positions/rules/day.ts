import type { Address } from '@tradepost/solana';
import type { StoredPosition } from '../store/position-store-port.ts';
import { foldEvents, positionKey, withoutTakenBack } from './fold-events.ts';
import { emptyPosition, type Position, type PositionEvent } from './position.ts';

export const DAY_MS = 86_400_000;

/** Epoch milliseconds of the last 00:00 UTC. */
export function dayStart(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** The known facts of a day. Events and positions are those of all wallets of the person, since a move carries its worth along. */
export type DayFacts = {
  readonly walletId: string;
  /** Its 00:00 UTC. */
  readonly day: number;
  readonly events: readonly PositionEvent[];
  readonly positions: readonly StoredPosition[];
  /** The proceeds in lamports of selling the wallet's units now, by mint; null or absent = not known. */
  readonly worthNow: ReadonlyMap<Address, bigint | null>;
};

/**
 * The result of one wallet since 00:00 UTC, in lamports. The day's events are folded as ever, but over each position's worth at midnight
 * instead of its cost. So a sale counts from that worth. Units that are sent away take their share of it along and are no loss. Units that
 * came for nothing count from their worth now. A hidden position is in no part of the sum. Null where a worth is not known: never a guess.
 */
export function todaysResult(facts: DayFacts): bigint | null {
  const { walletId, day, events, positions, worthNow } = facts;
  const stored = new Map(positions.map((one) => [positionKey(one.walletId, one.mint), one]));
  const { opening, unknown } = openingOf(facts, stored);
  const since = withoutTakenBack(events.filter(({ at }) => at >= day));
  const { positions: now } = foldEvents(
    since.map((event) => (event.walletId === walletId ? atWorth(event, stored, worthNow) : event)),
    opening,
  );
  const arrived = new Set(
    since
      .filter((event) => event.kind === 'own-in' && event.walletId === walletId)
      .map(({ mint, signature }) => `${mint}:${signature}`),
  );
  // A move from a wallet whose worth at midnight is not known brings a worth that is not known.
  const vague = new Set(
    since
      .filter(
        (event) =>
          event.kind === 'own-out' &&
          arrived.has(`${event.mint}:${event.signature}`) &&
          unknown.has(positionKey(event.walletId, event.mint)),
      )
      .map(({ mint }) => mint),
  );
  let result = 0n;
  for (const [key, { mint, units, cost, realized, ...of }] of now) {
    const known = stored.get(key);
    if (of.walletId !== walletId || (known !== undefined && (known.hiddenByPerson ?? known.hidden))) continue;
    const worth = units > 0n ? (worthNow.get(mint) ?? null) : 0n;
    if (worth === null || unknown.has(key) || vague.has(mint)) return null;
    result += realized + worth - cost;
  }
  return result;
}

/** Positions at midnight, with their worth then as their cost; `unknown` holds those without a known worth. */
function openingOf(
  { walletId: mine, day, events, worthNow }: DayFacts,
  stored: ReadonlyMap<string, StoredPosition>,
): { readonly opening: ReadonlyMap<string, Position>; readonly unknown: ReadonlySet<string> } {
  const opening = new Map<string, Position>();
  const unknown = new Set<string>();
  const before = foldEvents(events.filter(({ at }) => at < day)).positions;
  for (const [key, { walletId, mint, units, hidden }] of before) {
    if (units <= 0n) continue;
    if (hidden && walletId === mine) {
      const cost = shareNow(units, stored.get(key), worthNow);
      opening.set(key, { ...emptyPosition(walletId, mint), units, cost });
      continue;
    }
    const midnight = stored.get(key)?.midnight ?? null;
    const isKnown = midnight !== null && midnight.day === day && midnight.units > 0n;
    if (!isKnown) unknown.add(key);
    // An event from before midnight may have been found since. Its units are worth as much as the others.
    const cost = isKnown ? (midnight.lamports * units) / midnight.units : 0n;
    opening.set(key, { ...emptyPosition(walletId, mint), units, cost });
  }
  return { opening, unknown };
}

/** The event, where units came for nothing as if they had been received at today's worth; a difference takes its share along. */
function atWorth(
  event: PositionEvent,
  stored: ReadonlyMap<string, StoredPosition>,
  worthNow: ReadonlyMap<Address, bigint | null>,
): PositionEvent {
  const { kind, walletId, mint, signature, slot, at, final } = event;
  const place = { walletId, mint, signature, slot, at, final };
  if (kind === 'adjustment' && event.units < 0n) return { ...place, kind: 'withdrawn', units: -event.units };
  const isFree = kind === 'airdrop' || kind === 'remainder' || kind === 'adjustment';
  if (!isFree && !(kind === 'received' && event.valueLamports <= 0n)) return event;
  const valueLamports = shareNow(event.units, stored.get(positionKey(walletId, mint)), worthNow);
  return { ...place, kind: 'received', units: event.units, valueLamports, revision: 0 };
}

/** The proceeds of these units now, as a share of the position's; 0 where it is not held any more. */
function shareNow(
  units: bigint,
  position: StoredPosition | undefined,
  worthNow: ReadonlyMap<Address, bigint | null>,
): bigint {
  if (position === undefined || position.units <= 0n) return 0n;
  return ((worthNow.get(position.mint) ?? 0n) * units) / position.units;
}
