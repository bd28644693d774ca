import { minBigint } from '@tradepost/solana';
import type { PositionEntry } from './fold-events.ts';

/** `units` that an entry takes away. `uncounted` of them have no known cost: they came for nothing, or their arrival is not known. */
export type Leaving = { readonly units: bigint; readonly uncounted: bigint };

/**
 * The same of the last of these entries, all of one wallet and mint in the order of a fold. Units that came for nothing leave in proportion
 * with the rest, as cost does. The units known to be held can be fewer than those that leave.
 */
export function leavingOf(entries: readonly PositionEntry[]): Leaving {
  let held = 0n;
  let free = 0n;
  let last: Leaving = { units: 0n, uncounted: 0n };
  for (const { event, position, costChange } of entries) {
    const change = position.units - held;
    if (change > 0n) {
      if (costChange <= 0n && event.kind !== 'buy' && event.kind !== 'creation') free += change;
    } else if (change < 0n) {
      const known = minBigint(-change, held > 0n ? held : 0n);
      // Rounded down for the units that count.
      const share = known === 0n ? 0n : known - ((held - free) * known) / held;
      last = { units: -change, uncounted: share - change - known };
      free -= share;
    }
    held = position.units;
  }
  return last;
}
