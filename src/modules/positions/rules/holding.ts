import type { PositionEntry } from './fold-events.ts';

/** The money side of a wallet's holding of a token, since it last held none of it. Lamports, every fee in. */
export type Holding = {
  /** Epoch milliseconds of the event that brought the first of it. */
  readonly since: number;
  /** The cost of all units that came since. */
  readonly paidLamports: bigint;
  /** The proceeds of sales since. */
  readonly takenLamports: bigint;
};

/**
 * The holding that the last of these entries belongs to, all of one wallet and mint in the order of a fold; null where nothing came. The
 * entry that ends a holding still belongs to it.
 */
export function holdingOf(entries: readonly PositionEntry[]): Holding | null {
  let held: Holding | null = null;
  let units = 0n;
  for (const { event, position, costChange } of entries) {
    if (units <= 0n) held = null;
    if (held === null && position.units > 0n) held = { since: event.at, paidLamports: 0n, takenLamports: 0n };
    if (held !== null) {
      held = {
        since: held.since,
        paidLamports: held.paidLamports + (costChange > 0n ? costChange : 0n),
        takenLamports: held.takenLamports + (event.kind === 'sell' ? event.flowLamports : 0n),
      };
    }
    units = position.units;
  }
  return held;
}
