import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import { readTokenAccount } from './token-account.ts';

/** Which token accounts an owner holds now, so that a wallet's holdings do not cost a scan of every account. */
export interface TokenIndex {
  update(address: Address, state: AccountState | null): void;
  ofOwner(owner: Address): Iterable<Address>;
}

export function createTokenIndex(): TokenIndex {
  const byOwner = new Map<Address, Set<Address>>();
  const ownerOf = new Map<Address, Address>();
  return {
    update: (address, state) => {
      const owner = readTokenAccount(state)?.owner;
      const known = ownerOf.get(address);
      if (owner === known) return;
      if (known !== undefined) {
        byOwner.get(known)?.delete(address);
        ownerOf.delete(address);
      }
      if (owner === undefined) return;
      ownerOf.set(address, owner);
      const set = byOwner.get(owner);
      if (set === undefined) byOwner.set(owner, new Set([address]));
      else set.add(address);
    },
    ofOwner: (owner) => byOwner.get(owner) ?? [],
  };
}
