import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';

export type AccountVersion = { readonly slot: number; readonly state: AccountState | null };

/**
 * The earlier states of recently written accounts. The machine only knows the newest state, but readers ask for confirmed and finalized
 * ones, and dropping a slot means putting the earlier state back.
 */
export interface AccountVersions {
  /** Records that `address` held `after` from `slot` on, and `before` until then. */
  record(address: Address, slot: number, before: AccountState | null, after: AccountState | null): void;
  /** The state at the end of `slot`, or undefined when the newest state of the machine is the answer. */
  at(address: Address, slot: number): AccountVersion | undefined;
  /** The newest state of a recently written account: spares asking the machine for it. */
  newest(address: Address): AccountVersion | undefined;
  /** Accounts written after `slot`. */
  changedSince(slot: number): Iterable<Address>;
  /** Forgets the states that no reader at or after `slot` can need. */
  prune(slot: number): void;
  entries(): Iterable<readonly [Address, readonly AccountVersion[]]>;
  restore(address: Address, versions: readonly AccountVersion[]): void;
}

export function createAccountVersions(): AccountVersions {
  const histories = new Map<Address, AccountVersion[]>();
  const touchedBySlot = new Map<number, Set<Address>>();

  const touch = (slot: number, address: Address): void => {
    const set = touchedBySlot.get(slot);
    if (set === undefined) touchedBySlot.set(slot, new Set([address]));
    else set.add(address);
  };

  return {
    record: (address, slot, before, after) => {
      const history = histories.get(address);
      const version = { slot, state: after };
      touch(slot, address);
      if (history === undefined) {
        histories.set(address, [{ slot: -1, state: before }, version]);
      } else if (history.at(-1)?.slot === slot) {
        history[history.length - 1] = version;
      } else {
        history.push(version);
      }
    },
    at: (address, slot) => {
      const history = histories.get(address);
      if (history === undefined) return undefined;
      for (let i = history.length - 1; i >= 0; i -= 1) {
        const version = history[i];
        if (version !== undefined && version.slot <= slot) return version;
      }
      return history[0];
    },
    newest: (address) => histories.get(address)?.at(-1),
    *changedSince(slot) {
      for (const [touched, addresses] of touchedBySlot) if (touched > slot) yield* addresses;
    },
    prune: (slot) => {
      for (const [touched, addresses] of touchedBySlot) {
        if (touched > slot) continue;
        touchedBySlot.delete(touched);
        for (const address of addresses) {
          const history = histories.get(address);
          if (history === undefined) continue;
          const newest = history.findLastIndex((version) => version.slot <= slot);
          if (newest === history.length - 1) histories.delete(address);
          else if (newest > 0) history.splice(0, newest);
        }
      }
    },
    entries: () => histories.entries(),
    restore: (address, versions) => {
      histories.set(address, [...versions]);
      for (const version of versions) if (version.slot >= 0) touch(version.slot, address);
    },
  };
}
