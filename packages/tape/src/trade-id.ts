/**
 * The number of a trade: `(slot · 2^15 + index of the transaction in its block) · 2^6 + ordinal of the call's instruction in
 * the flattened list`. It is the chain's order, the primary key, the paging cursor and the `id` that the API shows, and the
 * same after every re-index. Below 2^53 until slot 2^32, so a JSON number holds it.
 */
export type TradePlace = { readonly slot: bigint; readonly index: number; readonly ordinal: number };

const INDEX_BITS = 15n;
const ORDINAL_BITS = 6n;
/** Bits of an id below its slot. */
export const SLOT_BITS = INDEX_BITS + ORDINAL_BITS;
const MAX_SLOT = 1n << 32n;

/** Null where a part does not fit: then nothing may be recorded under a made-up number. */
export function tradeId({ slot, index, ordinal }: TradePlace): bigint | null {
  if (slot < 0n || slot >= MAX_SLOT) return null;
  if (!fits(index, INDEX_BITS) || !fits(ordinal, ORDINAL_BITS)) return null;
  return (slot << SLOT_BITS) | (BigInt(index) << ORDINAL_BITS) | BigInt(ordinal);
}

export function slotOfTrade(id: bigint): bigint {
  return id >> SLOT_BITS;
}

/** The smallest id that a trade of this slot can have. */
export function firstIdOfSlot(slot: bigint): bigint {
  return slot << SLOT_BITS;
}

function fits(part: number, bits: bigint): boolean {
  return Number.isInteger(part) && part >= 0 && BigInt(part) < 1n << bits;
}
