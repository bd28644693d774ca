import { createHash } from 'node:crypto';
import { toBase58 } from './address.ts';
import { type Calendar, PLAIN_CALENDAR } from './networks.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The first slot a new chain opens: not zero, so that slot arithmetic below it stays positive. */
export const FIRST_SLOT = 1000;
/** Heights differ from slots, as on a cluster, so that a client that confuses the two fails here and not in production. */
const SKIPPED_SLOTS = 400;
/** A hash is good for transactions in its own block and the 150 that follow. */
export const MAX_BLOCKHASH_AGE = 150;
const CONFIRMED_LAG = 1;
const SLOT_HASHES_KEPT = 512;
/** Slots in which a hundred and fifty blocks surely are. */
const HASH_LIFE_SLOTS = 2 * MAX_BLOCKHASH_AGE;
const TIMES_KEPT = 20_000;
export const SLOTS_PER_EPOCH = 432_000;

/**
 * The chain's calendar. A transaction lands in the open slot `tip` and is only processed there. The slot is confirmed when the next one
 * opens, and final when the network's number of slots has passed. Hashes and slots without a block follow from the seed, so a restart knows
 * them all.
 */
export interface Slots {
  tip(): number;
  readonly calendar: Calendar;
  /** The newest slot with a block that has the commitment. */
  at(commitment: Commitment): number;
  commitmentOf(slot: number): Commitment;
  /** The commitment of a slot where the open one is `tip`. */
  commitmentAt(slot: number, tip: number): Commitment;
  /** Whether no leader makes a block in it. */
  isSkipped(slot: number): boolean;
  /** The newest slot with a block before `slot`. */
  parentOf(slot: number): number;
  /** Blocks up to this slot: a slot without one has the height of its parent. */
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

export function createSlots(seed: Uint8Array, slotMs: number, calendar: Calendar = PLAIN_CALENDAR): Slots {
  const { finalizedLag } = calendar;
  const skips = createSkips(seed, calendar.oneSkippedIn);
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
    if (slot >= tip - SLOT_HASHES_KEPT - finalizedLag) hashes.set(slot, made);
    return made;
  };
  const withBlock = (slot: number): number => (skips.isSkipped(slot) ? withBlock(slot - 1) : slot);
  const at = (commitment: Commitment): number => {
    if (commitment === 'processed') return tip;
    return withBlock(tip - (commitment === 'confirmed' ? CONFIRMED_LAG : finalizedLag));
  };
  const heightOf = (slot: number): number => slot - SKIPPED_SLOTS - skips.upTo(slot);

  const self: Slots = {
    calendar,
    tip: () => tip,
    at,
    isSkipped: skips.isSkipped,
    parentOf: (slot) => withBlock(slot - 1),
    commitmentOf: (slot) => {
      if (slot <= at('finalized')) return 'finalized';
      return slot <= at('confirmed') ? 'confirmed' : 'processed';
    },
    commitmentAt: (slot, tip) => {
      if (slot <= tip - finalizedLag) return 'finalized';
      return slot <= tip - CONFIRMED_LAG ? 'confirmed' : 'processed';
    },
    heightOf,
    hashOf,
    liveHashSlot: (hash) => {
      const slot = slotOfHash.get(hash);
      if (slot === undefined || slot > tip) return undefined;
      return heightOf(tip) - heightOf(slot) <= MAX_BLOCKHASH_AGE ? slot : undefined;
    },
    slotHashes: () => {
      const out: { slot: bigint; hash: string }[] = [];
      for (let slot = tip - 1; slot >= tip - SLOT_HASHES_KEPT; slot -= 1) {
        if (!skips.isSkipped(slot)) out.push({ slot: BigInt(slot), hash: hashOf(slot) });
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
      for (let each = Math.max(slot - HASH_LIFE_SLOTS, tip); each <= slot; each += 1) {
        slotOfHash.set(hashOf(each), each);
      }
      if (times.size === 0) {
        for (let each = slot - HASH_LIFE_SLOTS; each < slot; each += 1) slotOfHash.set(hashOf(each), each);
      }
      tip = slot;
      times.set(slot, unixSeconds);
      times.delete(slot - TIMES_KEPT);
      const old = slot - SLOT_HASHES_KEPT - finalizedLag;
      const oldHash = hashes.get(old);
      if (oldHash !== undefined) slotOfHash.delete(oldHash);
      hashes.delete(old);
    },
  };
  return self;
}

/** Of each stretch of `oneIn` slots from the first on, the seed chooses the one without a block. The first slot of all has one. */
function createSkips(
  seed: Uint8Array,
  oneIn: number | null,
): { readonly isSkipped: (slot: number) => boolean; readonly upTo: (slot: number) => number } {
  if (oneIn === null) return { isSkipped: () => false, upTo: () => 0 };
  const salt = createHash('sha256').update('skips\0').update(seed).digest().readUInt32LE(0);
  const stretchOf = (slot: number): number => Math.floor((slot - FIRST_SLOT - 1) / oneIn);
  const skippedIn = (stretch: number): number =>
    FIRST_SLOT + 1 + stretch * oneIn + (mixed(stretch, salt) % oneIn);
  return {
    isSkipped: (slot) => slot > FIRST_SLOT && skippedIn(stretchOf(slot)) === slot,
    upTo: (slot) => {
      if (slot <= FIRST_SLOT) return 0;
      const stretch = stretchOf(slot);
      return stretch + (skippedIn(stretch) <= slot ? 1 : 0);
    },
  };
}

/** A number that looks random, without a sign, of 32 bits. */
function mixed(value: number, salt: number): number {
  const once = Math.imul(value ^ salt, 0x9e37_79b1);
  return (once ^ (once >>> 15)) >>> 0;
}
