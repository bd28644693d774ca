import type { RecordedEvent } from '../store/position-store-port.ts';
import type { PositionEvent } from './position.ts';

/** By how much an event changes the units of its wallet, signed. */
export function unitsChange(event: PositionEvent): bigint {
  switch (event.kind) {
    case 'buy':
    case 'own-in':
    case 'received':
    case 'airdrop':
    case 'remainder':
    case 'creation':
    case 'adjustment':
      return event.units;
    case 'sell':
    case 'own-out':
    case 'withdrawn':
    case 'taken':
      return -event.units;
    case 'failed':
      return 0n;
  }
}

/**
 * The prefix of the name that an adjustment has instead of a signature. The name continues with the time at which the difference was first
 * seen.
 */
const NAME = 'adjustment/';

export const adjustmentName = (since: number): string => `${NAME}${since}`;

/** The adjustment that this one is a part of: itself, or the one that it takes something back of. */
export const adjustmentOf = ({ signature }: Pick<PositionEvent, 'signature'>): string =>
  signature.startsWith(NAME) ? signature.split('/').slice(0, 2).join('/') : signature;

/**
 * The opposite of the parts of `adjustments` that `fresh` events explain. An adjustment set the units to those of the chain at its place.
 * So an earlier event that becomes known afterwards is in it already. Events are never removed: the opposite is added beside the
 * adjustment, and a fold sees their sum.
 */
export function takenBack(
  fresh: readonly RecordedEvent[],
  adjustments: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  const made = adjustments
    .filter((one) => one.signature.startsWith(NAME) && adjustmentOf(one) === one.signature)
    .toSorted((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
  return fresh.flatMap((event): RecordedEvent[] => {
    const change = unitsChange(event);
    const over = made.find(
      ({ walletId, mint, slot }) => walletId === event.walletId && mint === event.mint && slot >= event.slot,
    );
    if (change === 0n || over === undefined) return [];
    const signature = `${over.signature}/${event.signature}/${event.kind}`;
    return [{ ...over, signature, kind: 'adjustment', units: -change }];
  });
}
