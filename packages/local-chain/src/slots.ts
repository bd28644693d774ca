import { createHash } from 'node:crypto';
import { toBase58 } from './address.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The first slot a new chain opens: not zero, so that slot arithmetic below it stays positive. */
export const FIRST_SLOT = 1000;
/** Heights differ from slots, as on a cluster, so that a client that confuses the two fails here and not in production. */
const SKIPPED_SLOTS = 400;
/** A hash is good for transactions in its own block and the 150 that follow. */
export const MAX_BLOCKHASH_AGE = 150;
export const CONFIRMED_LAG = 1;
export const FINALIZED_LAG = 32;
const SLOT_HASHES_KEPT = 512;
const TIMES_KEPT = 20_000;
export const SLOTS_PER_EPOCH = 432_000;

/**
 * The chain's calendar. A transaction lands in the open slot `tip` and is only processed there; the slot is confirmed when
 * the next one opens and finalized 32 slots later. Hashes follow from the seed and the slot, so a restart knows them all.
 */
export interface Slots {
  tip(): number;
  /** The newest slot that has the commitment. */
  at(commitment: Commitment): number;
  commitmentOf(slot: number): Commitment;
  heightOf(slot: number): number;
  hashOf(slot: number): string;
  /** The slot whose hash this is while transactions may still use it at the tip, undefined otherwise. */
  liveHashSlot(hash: string): number | undefined;
  slotHashes(): readonly { readonly slot: bigint; readonly hash: string }[];
  epochOf(slot: number): number;
  /** When the slot opened, in Unix seconds; estimated for slots this process has not seen. */
  unixSecondsOf(slot: number): number;
  /** Opens `slot`, which must not lie before the tip. */
  open(slot: number, unixSeconds: number): void;
}

export function createSlots(seed: Uint8Array, slotMs: number): Slots {
  let tip = FIRST_SLOT;
  const hashes = new Map<number, string>();
  const slotOfHash = new Map<string, number>();
  const times = new Map<number, number>();

  const hashOf = (slot: number): string => {
    const known = hashes.get(slot);
    if (known !== undefined) return known;
    const made = toBase58(
      createHash('sha256').update('blockhash\0').update(seed).update(String(slot)).digest(),
    );
    // Hashes of old blocks are asked for by readers of history; keeping them would never end.
    if (slot >= tip - SLOT_HASHES_KEPT - FINALIZED_LAG) hashes.set(slot, made);
    return made;
  };
  const at = (commitment: Commitment): number => {
    if (commitment === 'processed') return tip;
    return tip - (commitment === 'confirmed' ? CONFIRMED_LAG : FINALIZED_LAG);
  };

  const self: Slots = {
    tip: () => tip,
    at,
    commitmentOf: (slot) => {
      if (slot <= at('finalized')) return 'finalized';
      return slot <= at('confirmed') ? 'confirmed' : 'processed';
    },
    heightOf: (slot) => slot - SKIPPED_SLOTS,
    hashOf,
    liveHashSlot: (hash) => {
      const slot = slotOfHash.get(hash);
      return slot !== undefined && slot <= tip && tip - slot <= MAX_BLOCKHASH_AGE ? slot : undefined;
    },
    slotHashes: () => {
      const out: { slot: bigint; hash: string }[] = [];
      for (let slot = tip - 1; slot >= tip - SLOT_HASHES_KEPT; slot -= 1) {
        out.push({ slot: BigInt(slot), hash: hashOf(slot) });
      }
      return out;
    },
    epochOf: (slot) => Math.floor(slot / SLOTS_PER_EPOCH),
    unixSecondsOf: (slot) => {
      const known = times.get(slot);
      if (known !== undefined) return known;
      return Math.floor((times.get(tip) ?? 0) - ((tip - slot) * (slotMs || 400)) / 1000);
    },
    open: (slot, unixSeconds) => {
      for (let each = Math.max(slot - MAX_BLOCKHASH_AGE, tip); each <= slot; each += 1) {
        slotOfHash.set(hashOf(each), each);
      }
      if (times.size === 0) {
        for (let each = slot - MAX_BLOCKHASH_AGE; each < slot; each += 1) slotOfHash.set(hashOf(each), each);
      }
      tip = slot;
      times.set(slot, unixSeconds);
      times.delete(slot - TIMES_KEPT);
      const old = slot - SLOT_HASHES_KEPT - FINALIZED_LAG;
      const oldHash = hashes.get(old);
      if (oldHash !== undefined) slotOfHash.delete(oldHash);
      hashes.delete(old);
    },
  };
  return self;
}
