import type { Address, ChainAccount } from '@tradepost/solana';
import type { MintFacts, Pool, PoolVaults } from '@tradepost/venues';
import type { FoundPool, SearchOutcome } from '../../modules/market/store/pool-catalogue-port.ts';

/**
 * One exchange. Whatever is particular to it is declared here as a property; shared code never asks which venue it is.
 */
export interface Venue {
  /** Stable key: `desk`, `raydium-cpmm` … */
  readonly name: string;
  /** The program that its swaps call. Absent where they are plain transfers. */
  readonly programId?: Address;
  /**
   * Set where its swaps take and pay in the trader's own lamports or associated accounts only. An order that brings its output to another
   * owner's account, or that treats wrapped SOL as a token, does not go there.
   */
  readonly ownAccountsOnly?: true;
  /**
   * Pools that hold both mints, loaded at one slot. Decoders refuse modes they do not model. Empty when there are none; throws SEARCHING
   * where none is known and the worker has not searched yet. With `reread` no followed state is used: a caller has just found it overtaken.
   */
  pools(mintA: Address, mintB: Address, how?: PoolReading): Promise<readonly Pool[]>;
  /** Mints this venue trades against `mint`, for finding routes and prices. Throws SEARCHING as `pools` does. */
  counterparts(mint: Address): Promise<readonly Address[]>;
  /**
   * A short list of mints worth offering to a person who names none. Only where the venue has one of its own; a real exchange has thousands
   * of tokens and recommends nothing.
   */
  featured?(): Promise<readonly Address[]>;
  /** For the keeper of the catalogue of this venue's pools. Absent where the venue has a list of its own. */
  readonly upkeep?: PoolUpkeep;
  /** For the recorder of the venue’s trades. Absent: they are not recorded. */
  readonly markets?: PoolMarkets;
  /**
   * Signatures the venue itself owes for a message (the demonstration desk co-signs). Absent where programs decide alone.
   * Throws PRICE_MOVED when the terms no longer hold.
   */
  coSign?(message: Uint8Array, signers: readonly Address[]): Promise<ReadonlyMap<Address, Uint8Array>>;
}

export type PoolReading = { readonly reread: boolean };

/** Finding and looking at pools, without regard to the catalogue. Both ask the cluster, and throw CHAIN_UNREACHABLE. */
export interface PoolUpkeep {
  /** The one owner of the vaults of all its pools. Absent where each pool owns its own, or no such owner exists. */
  readonly vaultAuthority?: Address;
  /** Every pool of the two mints, or, with `mintB` null, every pool that holds `mintA`, as far as the nodes let themselves be asked. */
  search(mintA: Address, mintB: Address | null): Promise<PoolSearchResult>;
  /** Of these accounts the pools that hold all of the asked mints and can be priced now, with their depth. The rest is left out. */
  recognize(asked: readonly Address[], accounts: readonly NamedAccount[]): Promise<readonly RecognizedPool[]>;
  /** The present state of each, in the order asked: gone, or its depth as of a slot, which is 0 and 0 where it does not trade. */
  look(pools: readonly FoundPool[]): Promise<readonly PoolLook[]>;
}

/** An account as a node gave it. */
export type NamedAccount = { readonly address: Address; readonly account: ChainAccount };

/** A pool as of a slot, with the units of each mint that it could pay out. */
export type RecognizedPool = {
  readonly pool: FoundPool;
  readonly slot: bigint;
  readonly reserves: readonly [bigint, bigint];
};

/** `whole`: the program's accounts were listed. `refused`: no node lists them, so only pools at known places were found. */
export type PoolSearchResult = {
  readonly pools: readonly FoundPool[];
  readonly outcome: Extract<SearchOutcome, 'whole' | 'refused'>;
};

/** The accounts in which pools keep their assets. */
export interface PoolMarkets {
  /** Every pool there is. Only where the venue has a list of its own: the others have too many, and are found by their mints. */
  list?(): Promise<readonly FoundPool[]>;
  /** In the order asked; null for a pool that is gone, or that keeps it in a way that is not known. Throws CHAIN_UNREACHABLE. */
  describe(pools: readonly FoundPool[]): Promise<readonly ((PoolVaults & PoolKeeper) | null)[]>;
  /**
   * The present state of each, in the order asked; null for one that is gone or does not trade. Read for figures: nothing is noted as asked
   * for, and nothing becomes followed by it. Throws CHAIN_UNREACHABLE.
   */
  states(pools: readonly FoundPool[]): Promise<readonly (PoolState | null)[]>;
}

export type PoolState = {
  readonly pool: Pick<Pool, 'mints' | 'slot' | 'spot'>;
  /** Units of each mint that it could pay out, in its own order. */
  readonly reserves: readonly [bigint, bigint];
};

export type PoolKeeper = {
  /** The program whose instructions trade there; a token program where plain transfers do. */
  readonly programId: Address;
  /** In the pool's own order. */
  readonly mints: readonly [MintFacts, MintFacts];
};

export type PoolLook =
  | { readonly id: Address; readonly kind: 'gone' }
  | {
      readonly id: Address;
      readonly kind: 'seen';
      readonly slot: bigint;
      readonly reserves: readonly [bigint, bigint];
    };
