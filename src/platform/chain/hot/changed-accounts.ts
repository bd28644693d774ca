import type { Address } from '@tradepost/solana';

/** Accounts of which a notice came, by the slot of the newest one. */
export type ChangedAccounts = {
  readonly note: (account: Address, slot: bigint) => void;
  /** Those that changed up to this slot and were not taken yet. */
  readonly take: (settled: bigint) => ReadonlySet<Address>;
  readonly clear: () => void;
};

export function createChangedAccounts(): ChangedAccounts {
  const newest = new Map<Address, bigint>();
  return {
    note: (account, slot) => void newest.set(account, slot),
    take: (settled) => {
      const taken = new Set([...newest].filter(([, slot]) => slot <= settled).map(([account]) => account));
      for (const account of taken) newest.delete(account);
      return taken;
    },
    clear: () => newest.clear(),
  };
}
