import type { Address } from '@tradepost/solana';
import type { Stores } from '../../../platform/ports/stores.ts';
import { takenBack } from '../rules/adjustment.ts';
import type { RecordedEvent } from '../store/position-store-port.ts';

/** Events of wallets, and how many of their trades are confirmed and not final. */
export type KnownEvents = {
  readonly events: readonly RecordedEvent[];
  readonly pending: readonly RecordedEvent[];
};

/**
 * Everything that is known to have happened: the record, and the confirmed trades that are not final, for `foldEvents`. Pending events are
 * read first: one that becomes final between the two reads is in both lists, and a fold counts it once. An adjustment that holds
 * a pending event already is taken back, as it will be when that event is recorded.
 */
export async function knownEvents(
  { positions }: Pick<Stores, 'positions'>,
  walletIds: readonly string[],
  mints?: readonly Address[],
): Promise<KnownEvents> {
  const pending = await positions.pending(walletIds, mints);
  const recorded = await positions.events(walletIds, mints);
  if (pending.length === 0) return { events: recorded, pending };
  const adjustments = recorded.filter(({ kind }) => kind === 'adjustment');
  return { events: [...recorded, ...pending, ...takenBack(pending, adjustments)], pending };
}
