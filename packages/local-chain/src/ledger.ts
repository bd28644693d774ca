import type { Address } from './address.ts';
import { type LandedTransaction, type TransactionStatus, weightOf } from './landed-transaction.ts';

/** The landed transactions, by signature, by account and by block, in landing order. */
export interface Ledger {
  readonly add: (landed: LandedTransaction) => void;
  /** Takes a status of which an earlier run has dropped the contents. Before any `add`, oldest first. */
  readonly addStatus: (status: TransactionStatus) => void;
  get(signature: string): LandedTransaction | undefined;
  /** How the transaction ended; of recent ones known after their contents are gone. */
  status(signature: string): TransactionStatus | undefined;
  /** Oldest first. */
  ofAddress(address: Address): readonly LandedTransaction[];
  /** Oldest first; empty for a block without transactions. */
  ofSlot(slot: number): readonly LandedTransaction[];
  /** Its place in its block, from 0. */
  indexOf(landed: LandedTransaction): number;
  /** How many have landed since genesis. */
  count(): number;
  /** The first slot whose transactions are all still here. */
  firstSlot(): number;
  /** The known transactions, oldest first: statuses without contents, then whole transactions. */
  entries(): Iterable<{ readonly status: TransactionStatus } | { readonly transaction: LandedTransaction }>;
  /** Whole transactions that are held. */
  size(): number;
  /** Continues an earlier run: `count` have landed since genesis, and of slots before `firstSlot` something is missing. */
  resume(from: LedgerStart): void;
}

export type LedgerStart = { readonly count: number; readonly firstSlot: number };

export type LedgerLimits = {
  /** Whole transactions. */
  readonly transactions: number;
  /** The memory that they take together, in bytes, as `weightOf` estimates it. */
  readonly bytes: number;
};

/** Longer than a signature can be sent again (150 slots), and than a status is answered without asking for history. */
const STATUS_SLOTS = 512;

/**
 * Keeps the newest blocks within both limits, and the newest block at any size. Older ones leave whole, so that no block is ever answered
 * in part; of theirs the status stays for a while, or the same signature could land a second time.
 */
export function createLedger(limits: LedgerLimits, genesisSlot: number): Ledger {
  const bySignature = new Map<string, LandedTransaction>();
  const statuses = new Map<string, TransactionStatus>();
  const byAddress = new Map<Address, LandedTransaction[]>();
  const bySlot = new Map<number, LandedTransaction[]>();
  let bytes = 0;
  let count = 0;
  let firstSlot = genesisSlot;

  const dropBlock = (slot: number, block: readonly LandedTransaction[]): void => {
    bySlot.delete(slot);
    const touched = new Map<Address, number>();
    for (const landed of block) {
      bySignature.delete(landed.signature);
      bytes -= weightOf(landed);
      statuses.set(landed.signature, { signature: landed.signature, slot, err: landed.err });
      for (const key of new Set(landed.keys)) touched.set(key, (touched.get(key) ?? 0) + 1);
    }
    for (const [key, times] of touched) {
      const list = byAddress.get(key);
      list?.splice(0, times);
      if (list?.length === 0) byAddress.delete(key);
    }
    firstSlot = slot + 1;
  };
  const trim = (newestSlot: number): void => {
    for (const [slot, block] of bySlot) {
      if (bySlot.size === 1 || (bySignature.size <= limits.transactions && bytes <= limits.bytes)) break;
      dropBlock(slot, block);
    }
    for (const { signature, slot } of statuses.values()) {
      if (slot > newestSlot - STATUS_SLOTS) break;
      statuses.delete(signature);
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
      for (const key of new Set(landed.keys)) append(byAddress, key, landed);
      append(bySlot, landed.slot, landed);
      bytes += weightOf(landed);
      count += 1;
      trim(landed.slot);
    },
    addStatus: (status) => void statuses.set(status.signature, status),
    get: (signature) => bySignature.get(signature),
    status: (signature) => bySignature.get(signature) ?? statuses.get(signature),
    ofAddress: (address) => byAddress.get(address) ?? [],
    ofSlot: (slot) => bySlot.get(slot) ?? [],
    indexOf: (landed) => bySlot.get(landed.slot)?.indexOf(landed) ?? -1,
    count: () => count,
    firstSlot: () => firstSlot,
    entries: () => [
      ...[...statuses.values()].map((status) => ({ status })),
      ...[...bySignature.values()].map((transaction) => ({ transaction })),
    ],
    size: () => bySignature.size,
    resume: (from) => {
      count = from.count;
      firstSlot = Math.max(firstSlot, from.firstSlot);
    },
  };
}
