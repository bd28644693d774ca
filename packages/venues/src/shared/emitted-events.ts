import { createHash } from 'node:crypto';
import type { Address } from '@tradepost/solana';
import type { RanTransaction } from '../readers.ts';
import { type AccountView, accountView } from './account-view.ts';

/** `emit_cpi`: the program calls itself with this before the event. */
const EVENT_CALL = Uint8Array.from([0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d]);

/** The eight bytes that begin an Anchor event: sha256("event:" + struct name). */
export function eventDiscriminator(structName: string): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(`event:${structName}`).digest().subarray(0, 8));
}

/**
 * The fields of each event of this kind that the program itself emitted, in their order, without the sixteen bytes before them. Bytes that
 * are shorter than `minBytes` are left out.
 */
export function emittedEvents(
  transaction: Pick<RanTransaction, 'instructions'>,
  program: Address,
  kind: Uint8Array,
  minBytes: number,
): readonly AccountView[] {
  return transaction.instructions.flatMap((one) => {
    if (one.program !== program || one.data.length < 16 + minBytes) return [];
    if (!startsWith(one.data, EVENT_CALL, 0) || !startsWith(one.data, kind, 8)) return [];
    return [accountView(one.data.slice(16))];
  });
}

/** Whether bytes are found at a place. */
export function startsWith(data: Uint8Array, prefix: Uint8Array, at: number): boolean {
  return prefix.every((byte, index) => data[at + index] === byte);
}
