import type { ChainAccount } from '@tradepost/solana';

/** An account as of the end of a slot; null where there is none. */
export type Version = { readonly slot: bigint; readonly account: ChainAccount | null };

/**
 * One account over the few slots that matter: a base read, and the notices since. `at` answers only for slots from that read on, and only
 * while the caller knows that all notices up to the slot have come.
 */
export type AccountHistory = {
  /** The account was read: all notices of earlier slots are in it. */
  readonly base: (version: Version) => void;
  /** Takes a notice of it. False when a slot is rewritten that had been settled, which must never happen. */
  readonly told: (version: Version, settled: bigint | null) => boolean;
  /** The account as of the end of `slot`; undefined when nothing is known of so early a slot. */
  readonly at: (slot: bigint) => Version | undefined;
  /** Forgets versions that no slot from `settled` on needs. */
  readonly settle: (settled: bigint) => void;
  /** Back to nothing: neither a read nor a notice. */
  readonly reset: () => void;
  readonly isBased: () => boolean;
  /** Versions held. */
  readonly size: () => number;
};

export function createAccountHistory(): AccountHistory {
  let baseSlot: bigint | null = null;
  /** By slot, oldest first. */
  let versions: Version[] = [];

  const newestUpTo = (slot: bigint): Version | undefined => versions.findLast((one) => one.slot <= slot);

  return {
    base: (version) => {
      baseSlot = version.slot;
      versions = [version, ...versions.filter(({ slot }) => slot > version.slot)];
    },
    told: (version, settled) => {
      if (baseSlot !== null && version.slot <= baseSlot) return true;
      if (baseSlot !== null && settled !== null && version.slot <= settled) {
        const held = newestUpTo(version.slot);
        // The same notice twice is harmless, a different one is not.
        return held !== undefined && held.slot === version.slot && isSame(held.account, version.account);
      }
      const after = versions.filter(({ slot }) => slot > version.slot);
      versions = [...versions.filter(({ slot }) => slot < version.slot), version, ...after];
      return true;
    },
    at: (slot) => (baseSlot === null || slot < baseSlot ? undefined : newestUpTo(slot)),
    settle: (settled) => {
      const keep = newestUpTo(settled);
      if (keep !== undefined && versions[0] !== keep) versions = versions.slice(versions.indexOf(keep));
    },
    reset: () => {
      baseSlot = null;
      versions = [];
    },
    isBased: () => baseSlot !== null,
    size: () => versions.length,
  };
}

export function isSame(a: ChainAccount | null, b: ChainAccount | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  );
}
