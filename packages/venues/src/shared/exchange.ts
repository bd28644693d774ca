import type { Gain, PoolShape } from '@tradepost/router';
import type { Address, ChainAccount } from '@tradepost/solana';
import type { MintFacts, Pool, PoolVaults } from '../pool.ts';
import type { DerivedPools } from './derived-pools.ts';
import type { Refusal } from './refusal.ts';

/** Which accounts to look at. */
export type PoolSearch =
  /** `getProgramAccounts` with these filters, all of which hold. */
  | { readonly kind: 'program'; readonly programId: Address; readonly filters: readonly AccountFilter[] }
  /** Addresses derived from the mints; some may not exist. */
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[] };

export type AccountFilter =
  | { readonly kind: 'size'; readonly bytes: number }
  | { readonly kind: 'match'; readonly offset: number; readonly bytes: Uint8Array };

/** The accounts a decoder is given, all read at `facts.slot`. */
export type PoolAccounts = {
  readonly id: Address;
  /** The mints that the pool was found by: for programs whose pool account does not name them. */
  readonly asked: readonly Address[];
  get(address: Address): ChainAccount | null;
};

/** The facts that a price depends on besides the venue's accounts. */
export type PoolFacts = {
  readonly slot: bigint;
  readonly epoch: bigint;
  /** The chain's clock, not ours: programs judge opening times and decaying fees by it. */
  readonly unixSeconds: bigint;
  mint(mint: Address): MintFacts | null;
};

/** A pool with the shape that the router searches on. */
export type ExchangePool = Pool & {
  readonly shape: PoolShape;
  readonly gains: readonly [Gain, Gain];
};

/** One exchange program as data and pure functions: a catalogue needs it to find, load and price its pools. */
export type Exchange = {
  readonly name: string;
  readonly programId: Address;
  /** As in `Venue`. */
  readonly ownAccountsOnly?: true;
  /** As in `PoolUpkeep`. */
  readonly vaultAuthority?: Address;
  /** Other programs that the swaps call and whose answer decides amounts. */
  readonly helpers?: readonly Address[];
  readonly filters: {
    /** Searches whose union is every pool of exactly these two mints, in either order. */
    pair(mintA: Address, mintB: Address): readonly PoolSearch[];
    /** Searches whose union is every pool that holds `mint`. */
    holding(mint: Address): readonly PoolSearch[];
  };
  /** The possible addresses of its pools, by their seeds; absent where no address follows from the mints. */
  readonly derived?: DerivedPools;
  /** The pool's mints in its own order, or why the account is no pool. Reads the pool and `mintDependencies` only. */
  mints(accounts: PoolAccounts): readonly [Address, Address] | Refusal;
  /** Accounts beside the pool's own that `mints` reads; most programs need none. */
  mintDependencies?(account: ChainAccount): readonly Address[];
  /** The vaults of the pool's two tokens, mints in its own order, or why they are unknown. */
  vaults(id: Address, account: ChainAccount, mints: readonly [MintFacts, MintFacts]): PoolVaults | Refusal;
  /**
   * Accounts beside the pool's own that `decode` reads: vaults, configuration, tick or bin arrays around the price. The
   * mints are the pool's, for programs whose pool account does not name them.
   */
  dependencies(id: Address, account: ChainAccount, mints: readonly Address[]): readonly Address[];
  /** The pool's state with its arithmetic, or why it is not offered. Pure. */
  decode(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal;
};

/** Searches by the place of two mints in a fixed layout, for programs that keep both in the pool account. */
export function searchesByMints(
  programId: Address,
  bytes: number | null,
  offsets: readonly [number, number],
  encode: (mint: Address) => Uint8Array,
  fixed: readonly AccountFilter[] = [],
): Exchange['filters'] {
  const size: readonly AccountFilter[] = bytes === null ? [] : [{ kind: 'size', bytes }];
  const at = (offset: number, mint: Address): AccountFilter => ({
    kind: 'match',
    offset,
    bytes: encode(mint),
  });
  const search = (...filters: readonly AccountFilter[]): PoolSearch => ({
    kind: 'program',
    programId,
    filters: [...size, ...fixed, ...filters],
  });
  return {
    pair: (mintA, mintB) => [
      search(at(offsets[0], mintA), at(offsets[1], mintB)),
      search(at(offsets[0], mintB), at(offsets[1], mintA)),
    ],
    holding: (mint) => [search(at(offsets[0], mint)), search(at(offsets[1], mint))],
  };
}
