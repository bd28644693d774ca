import type { Call } from './source-endpoints.ts';
import { count } from './wire-transaction.ts';

/** The oldest slot whose transactions a node has. At least 1: a node with all of the history answers 0, and slot 0 has none of a market. */
export async function oldestSlot(call: Call): Promise<bigint> {
  const first = BigInt(count(await call('getFirstAvailableBlock', []), 'a slot'));
  return first === 0n ? 1n : first;
}
