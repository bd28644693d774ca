import type { Address } from '@tradepost/solana';

export type WantedLimits = {
  readonly pools: number;
  readonly accounts: number;
  /** Pools that were not wanted for this long make room for others, and are dropped after `keepMs`. */
  readonly busyMs: number;
  readonly keepMs: number;
};

/** Which pools were wanted lately, each with the accounts it is made of; never more than the limits. */
export type WantedSets = {
  /** True when the accounts to follow have changed by it. Ignored while the limits are full of pools that are busy. */
  readonly want: (pool: Address, accounts: readonly Address[], nowMs: number) => boolean;
  /** Drops pools that were not wanted for `keepMs`; true when there was one. */
  readonly expire: (nowMs: number) => boolean;
  /** Every account of every pool. */
  readonly accounts: () => ReadonlySet<Address>;
  readonly pools: () => number;
  /** The pools that rest on one of these accounts. */
  readonly poolsOf: (accounts: ReadonlySet<Address>) => ReadonlySet<Address>;
};

type Wanted = { readonly accounts: readonly Address[]; readonly at: number };

export function createWantedSets(limits: WantedLimits): WantedSets {
  /** The one wanted longest ago first. */
  const sets = new Map<Address, Wanted>();
  const union = (): Set<Address> => new Set([...sets.values()].flatMap(({ accounts }) => accounts));

  return {
    want: (pool, accounts, now) => {
      const before = sets.get(pool);
      sets.delete(pool);
      if (before !== undefined && isSameList(before.accounts, accounts)) {
        sets.set(pool, { accounts: before.accounts, at: now });
        return false;
      }
      const fits = (): boolean =>
        sets.size < limits.pools && new Set([...union(), ...accounts]).size <= limits.accounts;
      for (const [idle, { at }] of sets) {
        if (fits() || now - at < limits.busyMs) break;
        sets.delete(idle);
      }
      if (fits()) sets.set(pool, { accounts, at: now });
      return true;
    },
    expire: (now) => {
      const idle = [...sets].filter(([, { at }]) => now - at >= limits.keepMs);
      for (const [pool] of idle) sets.delete(pool);
      return idle.length > 0;
    },
    accounts: union,
    pools: () => sets.size,
    poolsOf: (changed) =>
      new Set(
        [...sets].filter(([, one]) => one.accounts.some((key) => changed.has(key))).map(([pool]) => pool),
      ),
  };
}

function isSameList(a: readonly Address[], b: readonly Address[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
