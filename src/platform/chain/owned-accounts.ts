import { type Address, type ChainAccount, readTokenAccount } from '@tradepost/solana';
import type { OwnedTokenAccount } from './holdings.ts';

const OWNERS_AT_MOST = 2_000;
/** Of one owner, those that held something; a wallet that was sprayed with tokens fills no memory. */
const ACCOUNTS_AT_MOST = 200;

type Listed = readonly OwnedTokenAccount[];
export type Owned = {
  readonly accounts: Listed;
  /** The node left out accounts that are there, twice: others may be missing too. */
  readonly isCut: boolean;
};

export type OwnedAccounts = (
  owner: Address,
  look: {
    /** Asks a node for the list. */
    readonly list: () => Promise<Listed>;
    /** Further accounts that may be there, given the list. */
    readonly mayHave: (listed: Listed) => Promise<readonly Address[]>;
    /** The list is of this mint alone; absent: of all. */
    readonly mint?: Address;
    /** True for a look on behalf of a stranger: it is not remembered, so it takes no other owner's place. */
    readonly passing?: boolean;
  },
) => Promise<Owned>;

/**
 * The token accounts of an owner. A node's list is a hint: an account that an earlier look found, or that `mayHave` names, is asked for by
 * its own address before it counts as gone. Where one of them is there after all, the list is asked for once more.
 */
export function createOwnedAccounts(
  read: (addresses: readonly Address[]) => Promise<readonly (ChainAccount | null)[]>,
): OwnedAccounts {
  const seen = new Map<Address, ReadonlyMap<Address, Address>>();

  const seenOf = (owner: Address, mint: Address | undefined): readonly Address[] =>
    [...(seen.get(owner) ?? [])].filter(([, of]) => mint === undefined || of === mint).map(([key]) => key);

  const remember = (owner: Address, accounts: Listed, mint: Address | undefined): void => {
    const others = mint === undefined ? [] : [...(seen.get(owner) ?? [])].filter(([, of]) => of !== mint);
    const held = accounts.flatMap(({ address, program, data }) => {
      const decoded = readTokenAccount({ owner: program, data });
      return decoded?.owner === owner && decoded.amount > 0n ? [[address, decoded.mint] as const] : [];
    });
    seen.delete(owner);
    if (held.length + others.length > 0)
      seen.set(owner, new Map([...held, ...others].slice(0, ACCOUNTS_AT_MOST)));
    const [oldest] = seen.keys();
    if (seen.size > OWNERS_AT_MOST && oldest !== undefined) seen.delete(oldest);
  };

  /** Of these addresses, those that the list lacks and that are token accounts of this owner. */
  const leftOut = async (owner: Address, listed: Listed, wanted: readonly Address[]): Promise<Listed> => {
    const names = new Set(listed.map(({ address }) => address));
    const missing = [...new Set(wanted)].filter((key) => !names.has(key));
    if (missing.length === 0) return [];
    const states = await read(missing);
    return missing.flatMap((address, index) => {
      const state = states[index] ?? null;
      const isTheirs = state !== null && readTokenAccount(state)?.owner === owner;
      return isTheirs ? [{ address, program: state.owner, data: state.data }] : [];
    });
  };

  return async (owner, { list, mayHave, mint, passing = false }) => {
    const first = await list();
    const wanted = [...seenOf(owner, mint), ...(await mayHave(first))];
    let accounts = first;
    let missed = await leftOut(owner, first, wanted);
    if (missed.length > 0) {
      accounts = await list();
      missed = await leftOut(owner, accounts, [...wanted, ...first.map(({ address }) => address)]);
    }
    accounts = [...accounts, ...missed];
    if (!passing) remember(owner, accounts, mint);
    return { accounts, isCut: missed.length > 0 };
  };
}
