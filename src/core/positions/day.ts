import type { PositionEntry } from './fold-events.ts';

export const DAY_MS = 86_400_000;

/** Epoch milliseconds of the last 00:00 UTC. */
export function dayStart(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** What one UTC day did to positions, in lamports. */
export type PositionDay = {
  readonly realized: bigint;
  /** Cost that came in less cost that left: what was put into positions on balance. */
  readonly netDeposits: bigint;
};

/**
 * Days by their start, from a fold's entries. A mint that is hidden counts in none; neither does a move between own wallets,
 * both halves of which are here.
 */
export function daysOf(entries: Iterable<PositionEntry>): ReadonlyMap<number, PositionDay> {
  const days = new Map<number, PositionDay>();
  for (const { event, position, costChange, realizedChange } of entries) {
    if (position.hidden) continue;
    const day = dayStart(event.at);
    const known = days.get(day) ?? { realized: 0n, netDeposits: 0n };
    days.set(day, {
      realized: known.realized + realizedChange,
      netDeposits: known.netDeposits + costChange,
    });
  }
  return days;
}

/**
 * The result since 00:00 UTC: what was realized, and by how much the net value grew beyond what was put in. Values are what a
 * sale of everything would bring, net; lamports. Null when either value is not known: never a guess.
 */
export function todaysResult(
  day: PositionDay,
  netValue: { readonly atMidnight: bigint | null; readonly now: bigint | null },
): bigint | null {
  if (netValue.atMidnight === null || netValue.now === null) return null;
  return day.realized + netValue.now - netValue.atMidnight - day.netDeposits;
}
