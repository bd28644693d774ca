import type { Address } from '../../core/address/address.ts';
import { type LandedTransaction, type TransactionStatus, weightOf } from './landed-transaction.ts';

/** The landed transactions, by signature, by account and by block, in landing order. */
export interface Ledger {
  readonly add: (landed: LandedTransaction) => void;
  /** Takes the status of a transaction whose contents an earlier run has dropped. Older ones first, before any `add`. */
  readonly addStatus: (status: TransactionStatus) => void;
  get(signature: string): LandedTransaction | undefined;
  /** How the transaction ended; known longer than its contents. */
  status(signature: string): TransactionStatus | undefined;
  /** Oldest first. */
  ofAddress(address: Address): readonly LandedTransaction[];
  /** Oldest first; empty for a block without transactions. */
  ofSlot(slot: number): readonly LandedTransaction[];
  /** How many have landed since genesis. */
  count(): number;
  /** The first slot whose transactions are all still here. */
  firstSlot(): number;
  /** The first slot of which statuses are all still here. */
  firstStatusSlot(): number;
  /** Oldest first: what is still known of the slots `first` to `last`, contents where they are here and else statuses. */
  between(first: number, last: number): Generator<LandedTransaction | TransactionStatus>;
  /** How much is held. Bytes are an estimate of the memory that contents take. */
  held(): { readonly transactions: number; readonly bytes: number; readonly statuses: number };
  /** Continues an earlier run: nothing before `firstSlot` is complete, and `count` transactions have landed. */
  resume(firstSlot: number, count: number): void;
}

export type LedgerLimits = {
  /** Whole transactions, and the bytes of memory that they may take together; the newest always stays. */
  readonly transactions: number;
  readonly bytes: number;
  /** Statuses (of whole transactions or without one) that always stay, and for how many slots all of them do. */
  readonly statuses: number;
  readonly statusSlots: number;
};

/**
 * Keeps the newest transactions within the limits. Older ones leave all three indexes together and leave only their status,
 * which is some fifty times smaller: whoever waits for a transaction asks for nothing else.
 */
export function createLedger(limits: LedgerLimits, genesisSlot: number): Ledger {
  const bySignature = new Map<string, LandedTransaction>();
  const statuses = new Map<string, TransactionStatus>();
  const byAddress = new Map<Address, LandedTransaction[]>();
  const bySlot = new Map<number, LandedTransaction[]>();
  let bytes = 0;
  let count = 0;
  let firstSlot = genesisSlot;
  let firstStatusSlot = genesisSlot;

  const dropOldest = (oldest: LandedTransaction): void => {
    bySignature.delete(oldest.signature);
    bytes -= weightOf(oldest);
    for (const key of new Set(oldest.keys)) {
      const list = byAddress.get(key);
      list?.shift();
      if (list?.length === 0) byAddress.delete(key);
    }
    const block = bySlot.get(oldest.slot);
    block?.shift();
    if (block?.length === 0) bySlot.delete(oldest.slot);
    firstSlot = oldest.slot + 1;
    const { signature, slot, err } = oldest;
    statuses.set(signature, { signature, slot, err });
  };
  const trim = (newestSlot: number): void => {
    for (const oldest of bySignature.values()) {
      if (bySignature.size <= limits.transactions && (bytes <= limits.bytes || bySignature.size === 1)) break;
      dropOldest(oldest);
    }
    for (const { signature, slot } of statuses.values()) {
      if (slot > newestSlot - limits.statusSlots) break;
      if (bySignature.size + statuses.size <= limits.statuses) break;
      statuses.delete(signature);
      firstStatusSlot = slot + 1;
    }
  };
  const append = <K>(map: Map<K, LandedTransaction[]>, key: K, landed: LandedTransaction): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [landed]);
    else list.push(landed);
  };

  return {
    add: (landed) => {
      bySignature.set(landed.signature, landed);
      bytes += weightOf(landed);
      for (const key of new Set(landed.keys)) append(byAddress, key, landed);
      append(bySlot, landed.slot, landed);
      count += 1;
      trim(landed.slot);
    },
    addStatus: (status) => {
      statuses.set(status.signature, status);
      count += 1;
    },
    get: (signature) => bySignature.get(signature),
    status: (signature) => bySignature.get(signature) ?? statuses.get(signature),
    ofAddress: (address) => byAddress.get(address) ?? [],
    ofSlot: (slot) => bySlot.get(slot) ?? [],
    count: () => count,
    firstSlot: () => firstSlot,
    firstStatusSlot: () => firstStatusSlot,
    *between(first, last) {
      for (const known of [statuses, bySignature]) {
        for (const one of known.values()) {
          if (one.slot > last) break;
          if (one.slot >= first) yield one;
        }
      }
    },
    held: () => ({ transactions: bySignature.size, bytes, statuses: statuses.size }),
    resume: (slot, landed) => {
      firstSlot = Math.max(firstSlot, slot);
      count = Math.max(count, landed);
    },
  };
}
