import type { Stores } from '../../../platform/ports/stores.ts';
import { takenBack } from '../rules/adjustment.ts';
import type { RecordedEvent } from '../store/position-store-port.ts';

/**
 * Records events, and takes back the adjustments that covered them before they were known. Returns how many events were new. Inside a
 * transaction: recording locks the positions. So an adjustment that is written at the same time is seen here, or sees these events.
 */
export async function recordEvents(
  { positions }: Pick<Stores, 'positions'>,
  events: readonly RecordedEvent[],
): Promise<number> {
  const fresh = await positions.record(events);
  if (fresh.length === 0) return 0;
  const wallets = [...new Set(fresh.map(({ walletId }) => walletId))];
  const mints = [...new Set(fresh.map(({ mint }) => mint))];
  await positions.record(takenBack(fresh, await positions.adjustments(wallets, mints)));
  return fresh.length;
}
