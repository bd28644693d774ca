import type { Address } from './address.ts';
import type { LandedTransaction } from './landed-transaction.ts';

/** The landed transactions, by signature, by account and by block, in landing order. */
export interface Ledger {
  readonly add: (landed: LandedTransaction) => void;
  get(signature: string): LandedTransaction | undefined;
  /** Oldest first. */
  ofAddress(address: Address): readonly LandedTransaction[];
  /** Oldest first; empty for a block without transactions. */
  ofSlot(slot: number): readonly LandedTransaction[];
  count(): number;
  /** The first slot whose transactions are all still here. */
  firstSlot(): number;
  all(): readonly LandedTransaction[];
}

/** Keeps the newest `limit` transactions; older ones leave all three indexes together. */
export function createLedger(limit: number, genesisSlot: number): Ledger {
  const bySignature = new Map<string, LandedTransaction>();
  const byAddress = new Map<Address, LandedTransaction[]>();
  const bySlot = new Map<number, LandedTransaction[]>();
  let count = 0;
  let firstSlot = genesisSlot;

  const dropOldest = (): void => {
    const oldest = bySignature.values().next().value;
    if (oldest === undefined) return;
    bySignature.delete(oldest.signature);
    for (const key of new Set(oldest.keys)) {
      const list = byAddress.get(key);
      list?.shift();
      if (list?.length === 0) byAddress.delete(key);
    }
    const block = bySlot.get(oldest.slot);
    block?.shift();
    if (block?.length === 0) bySlot.delete(oldest.slot);
    firstSlot = oldest.slot + 1;
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
      count += 1;
      if (bySignature.size > limit) dropOldest();
    },
    get: (signature) => bySignature.get(signature),
    ofAddress: (address) => byAddress.get(address) ?? [],
    ofSlot: (slot) => bySlot.get(slot) ?? [],
    count: () => count,
    firstSlot: () => firstSlot,
    all: () => [...bySignature.values()],
  };
}
