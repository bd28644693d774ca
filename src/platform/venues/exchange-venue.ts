import { poolDepth } from '@tradepost/router';
import type { Address, ChainAccount } from '@tradepost/solana';
import {
  accountView,
  type Exchange,
  type ExchangePool,
  isRefusal,
  type MintFacts,
  type PoolAccounts,
  type PoolFacts,
  type PoolSearch,
  type Refusal,
  refuse,
} from '@tradepost/venues';
import { address } from '../../core/address/address.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type {
  CataloguedPool,
  FoundPool,
  PoolSearchKey,
} from '../../modules/market/store/pool-catalogue-port.ts';
import type { Chain } from '../ports/chain.ts';
import type { PoolMarkets, PoolReading, PoolUpkeep, Venue } from '../ports/venue.ts';

/** Lists accounts of a program. An adapter over `getProgramAccounts`, or over an index of its own. */
export interface ProgramAccounts {
  /** Null where no node lists a program's accounts. */
  find(search: ProgramSearch): Promise<readonly FoundAccount[] | null>;
}

export type ProgramSearch = Extract<PoolSearch, { kind: 'program' }>;
export type FoundAccount = { readonly address: Address; readonly account: ChainAccount };

/** Remembers which pools there are. An adapter over the catalogue. */
export interface PoolIndex {
  /** `near` looks at the places that follow from the mints; `isWhole` says whether the rest was searched, too. */
  find(
    key: PoolSearchKey,
    near: () => Promise<readonly FoundPool[]>,
  ): Promise<{ readonly pools: readonly IndexedPool[]; readonly isWhole: boolean }>;
}

/** `seen` where an earlier look has been. */
export type IndexedPool = FoundPool & Partial<Pick<CataloguedPool, 'seen' | 'emptySince'>>;

/** Accounts of pools that are quoted all the time, as subscriptions report them. */
export interface HotAccounts {
  /** The accounts as of the end of one slot, and since when; null when they are to be read. */
  snapshot(accounts: readonly Address[]): {
    readonly slot: bigint;
    readonly asOf: number;
    readonly accounts: readonly (ChainAccount | null)[];
  } | null;
  /** The pool was quoted over these accounts. */
  want(pool: Address, accounts: readonly Address[]): void;
}

export type ExchangeDeps = {
  readonly chain: Pick<Chain, 'accounts' | 'token'>;
  readonly programAccounts: ProgramAccounts;
  /** Mints that most pools are against: pools that hold one mint are looked for beside these. */
  readonly hubs?: readonly Address[];
  /** Absent: every question is a search. */
  readonly poolIndex?: PoolIndex;
  /** Absent: every pool is read for every question. */
  readonly hotAccounts?: HotAccounts;
  /** Called with every pool that is left out and why. */
  readonly onRefusal?: (pool: Address, refusal: Refusal) => void;
};

/** The venue's result beyond the port: pools carry the shape that the router searches on. */
export type ExchangeVenue = Venue & {
  readonly upkeep: PoolUpkeep;
  pools(mintA: Address, mintB: Address, how?: PoolReading): Promise<readonly ExchangePool[]>;
};

/** The worker looks this often for questions without a whole search. */
const SEARCHED_WITHIN_MS = 5_000;
const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');
const CLOCK = { epoch: 16, unixSeconds: 32, bytes: 40 } as const;
/** One `getMultipleAccounts` call is answered at one slot; a pool's accounts are never spread over two. */
const ACCOUNTS_PER_READ = 100;
/** Pools whose other accounts are remembered: some hundred bytes each. */
const NEEDS_REMEMBERED = 5_000;

/** The `Venue` of an exchange program: lists its pools, reads each with all it depends on at one slot, decodes. */
export function createExchangeVenue(exchange: Exchange, deps: ExchangeDeps): ExchangeVenue {
  /** A pool's dependencies when it was last read. The price moves on to other tick arrays, seldom. */
  const lastNeeds = new Map<Address, readonly Address[]>();
  const remember = (id: Address, needs: readonly Address[]): void => {
    lastNeeds.delete(id);
    lastNeeds.set(id, needs);
    if (lastNeeds.size <= NEEDS_REMEMBERED) return;
    for (const oldest of lastNeeds.keys()) {
      lastNeeds.delete(oldest);
      break;
    }
  };

  const read = async (wanted: readonly Address[]): Promise<Snapshot> => {
    const unique = [...new Set(wanted)];
    const { slot, accounts } = await deps.chain.accounts(unique);
    return snapshotOf(slot, unique, accounts);
  };

  const at = async (addresses: readonly Address[]): Promise<readonly FoundAccount[]> => {
    if (addresses.length === 0) return [];
    const { get } = await read(addresses);
    return addresses.flatMap((key) => {
      const account = get(key);
      return account === null ? [] : [{ address: key, account }];
    });
  };

  /** Of these accounts the pools that answer the question; those that are none are reported and dropped. */
  const poolsAmong = async (
    asked: readonly Address[],
    found: readonly FoundAccount[],
  ): Promise<readonly FoundPool[]> => {
    const unique = new Map(found.map((entry) => [entry.address, entry.account]));
    const needs = [...unique.values()].flatMap((account) => exchange.mintDependencies?.(account) ?? []);
    const more = needs.length === 0 ? null : await read(needs);
    return [...unique].flatMap(([id, account]): readonly FoundPool[] => {
      const get = (key: Address) => (key === id ? account : (more?.get(key) ?? null));
      const mints = exchange.mints({ id, asked, get });
      if (isRefusal(mints)) {
        deps.onRefusal?.(id, mints);
        return [];
      }
      if (!asked.every((mint) => mints.includes(mint))) return [];
      remember(id, dependenciesOf(exchange, { id, mints }, account));
      return [{ id, mints }];
    });
  };

  const derived = (form: 'near' | 'far', mintA: Address, mintB: Address | null): readonly Address[] => {
    const others = mintB === null ? (deps.hubs ?? []).filter((hub) => hub !== mintA) : [mintB];
    return others.flatMap((other) => exchange.derived?.[form](mintA, other) ?? []);
  };
  const searchesFor = (mintA: Address, mintB: Address | null): readonly PoolSearch[] =>
    mintB === null ? exchange.filters.holding(mintA) : exchange.filters.pair(mintA, mintB);
  const placesOf = (searches: readonly PoolSearch[]): readonly Address[] =>
    searches.flatMap((one) => (one.kind === 'addresses' ? one.addresses : []));

  /** The pools that follow from the mints alone: one read, and nothing is listed. */
  const near = async (mintA: Address, mintB: Address | null): Promise<readonly FoundPool[]> => {
    const places = [...placesOf(searchesFor(mintA, mintB)), ...derived('near', mintA, mintB)];
    return poolsAmong(mintB === null ? [mintA] : [mintA, mintB], await at(places));
  };

  /** Every pool that the nodes let be found. */
  const discover: PoolUpkeep['search'] = async (mintA, mintB) => {
    const searches = searchesFor(mintA, mintB);
    const programs = searches.filter((one) => one.kind === 'program');
    const [listed, placed] = await Promise.all([
      Promise.all(programs.map((one) => deps.programAccounts.find(one))),
      at([...placesOf(searches), ...derived('near', mintA, mintB), ...derived('far', mintA, mintB)]),
    ]);
    const found = [...listed.flatMap((one) => one ?? []), ...placed];
    const pools = await poolsAmong(mintB === null ? [mintA] : [mintA, mintB], found);
    return { pools, outcome: listed.includes(null) ? 'refused' : 'whole' };
  };
  const find = async (
    mintA: Address,
    mintB: Address | null,
  ): Promise<{ readonly pools: readonly IndexedPool[]; readonly isWhole: boolean }> => {
    if (deps.poolIndex === undefined) return { pools: (await discover(mintA, mintB)).pools, isWhole: true };
    const answer = await deps.poolIndex.find({ venue: exchange.name, mintA, mintB }, () =>
      near(mintA, mintB),
    );
    // Where every place follows from the mints nothing is left to search.
    return { ...answer, isWhole: answer.isWhole || isAllNear };
  };
  const isAllNear = exchange.filters.holding(CLOCK_SYSVAR).every(({ kind }) => kind === 'addresses');

  /** The pool as it is followed, when all it depends on is. */
  const followed = (pool: FoundPool): Snapshot | null => {
    const { id } = pool;
    const needs = lastNeeds.get(id);
    if (needs === undefined) return null;
    const wanted = basis(id, needs);
    const told = deps.hotAccounts?.snapshot(wanted);
    if (told === undefined || told === null) return null;
    const snapshot = snapshotOf(told.slot, wanted, told.accounts, told.asOf);
    const account = snapshot.get(id);
    if (account === null || account.owner !== exchange.programId) return null;
    // The price has moved on to accounts that are not followed yet: they are read, and followed from then on.
    return dependenciesOf(exchange, pool, account).every(snapshot.has) ? snapshot : null;
  };

  /** Every pool with its accounts at one slot, or null where there is no such account. */
  const readPools = async (
    pools: readonly FoundPool[],
    purpose: Purpose,
  ): Promise<ReadonlyMap<Address, Snapshot | null>> => {
    const states = new Map<Address, Snapshot | null>();
    if (purpose === 'quote') {
      for (const pool of pools) {
        const snapshot = followed(pool);
        if (snapshot !== null) states.set(pool.id, snapshot);
      }
    }
    const readAll = async (some: readonly FoundPool[]): Promise<readonly FoundPool[]> => {
      const groups = inReads(some.map((pool) => ({ pool, needs: lastNeeds.get(pool.id) ?? [] })));
      const behind = await Promise.all(
        groups.map(async (group) => {
          const snapshot = await read([
            CLOCK_SYSVAR,
            ...group.flatMap(({ pool, needs }) => [pool.id, ...needs]),
          ]);
          return group.flatMap(({ pool }) => {
            const { id } = pool;
            const account = snapshot.get(id);
            if (account === null || account.owner !== exchange.programId) {
              states.set(id, null);
              return [];
            }
            const needs = dependenciesOf(exchange, pool, account);
            remember(id, needs);
            states.set(id, snapshot);
            return needs.every(snapshot.has) ? [] : [pool];
          });
        }),
      );
      return behind.flat();
    };
    // Once more for pools whose dependencies were not known, or have moved on. After that they are priced as read: a decoder refuses a
    // missing account.
    const behind = await readAll(pools.filter(({ id }) => !states.has(id)));
    if (behind.length > 0) await readAll(behind);
    return states;
  };

  /** The pools as they are now; one that is left out is reported. */
  const load = async (
    pools: readonly FoundPool[],
    purpose: Purpose,
  ): Promise<ReadonlyMap<Address, Loaded>> => {
    const wanted = [...new Set(pools.flatMap(({ mints }) => mints))];
    const [states, tokens] = await Promise.all([
      readPools(pools, purpose),
      Promise.all(wanted.map((mint) => deps.chain.token(mint))),
    ]);
    const mints = new Map(tokens.flatMap((token) => (token === null ? [] : [[token.mint, token] as const])));
    return new Map(
      pools.map(({ id, mints: asked }): readonly [Address, Loaded] => {
        const snapshot = states.get(id) ?? null;
        if (snapshot === null) return [id, { kind: 'gone' }];
        const { slot, asOf } = snapshot;
        const facts = readFacts(snapshot.get(CLOCK_SYSVAR), slot, mints);
        const pool = decoded(exchange, { id, asked, get: snapshot.get }, facts);
        if (!isRefusal(pool)) {
          if (purpose !== 'look') deps.hotAccounts?.want(id, basis(id, lastNeeds.get(id) ?? []));
          return [id, { kind: 'pool', slot, pool: asOf === undefined ? pool : { ...pool, asOf } }];
        }
        deps.onRefusal?.(id, pool);
        return [id, { kind: 'refused', slot }];
      }),
    );
  };

  return {
    name: exchange.name,
    programId: exchange.programId,
    ...(exchange.ownAccountsOnly === undefined ? {} : { ownAccountsOnly: true }),
    pools: async (mintA, mintB, { reread } = { reread: false }) => {
      const { pools, isWhole } = await find(mintA, mintB);
      const found = candidates(pools, mintA);
      if (found.length === 0 && !isWhole)
        throw new AppError('SEARCHING', { retryAfterMs: SEARCHED_WITHIN_MS });
      if (found.length === 0) return [];
      const loaded = await load(found, reread ? 'reread' : 'quote');
      return [...loaded.values()].flatMap((one) =>
        one.kind === 'pool' && [mintA, mintB].every((mint) => one.pool.mints.includes(mint))
          ? [one.pool]
          : [],
      );
    },
    counterparts: async (mint) => {
      const { pools, isWhole } = await find(mint, null);
      // No token beside it is known yet: that is no answer to which ways lead on.
      if (pools.length === 0 && !isWhole)
        throw new AppError('SEARCHING', { retryAfterMs: SEARCHED_WITHIN_MS });
      const found = pools.filter(({ emptySince }) => (emptySince ?? null) === null);
      const others = found.filter(({ mints }) => mints.includes(mint));
      return [...new Set(others.map(({ mints }) => (mints[0] === mint ? mints[1] : mints[0])))];
    },
    markets: {
      describe: (pools) => describeMarkets(exchange, deps, pools),
      states: async (pools) => {
        const loaded = await load(pools, 'look');
        return pools.map(({ id }) => {
          const one = loaded.get(id);
          return one?.kind === 'pool' ? { pool: one.pool, reserves: poolDepth(one.pool.shape) } : null;
        });
      },
    },
    upkeep: {
      ...(exchange.vaultAuthority === undefined ? {} : { vaultAuthority: exchange.vaultAuthority }),
      search: discover,
      recognize: async (asked, accounts) => {
        const own = accounts.filter(({ account }) => account.owner === exchange.programId);
        const pools = await poolsAmong(asked, own);
        const loaded = await load(pools, 'look');
        return pools.flatMap((pool) => {
          const one = loaded.get(pool.id);
          return one?.kind === 'pool' ? [{ pool, slot: one.slot, reserves: poolDepth(one.pool.shape) }] : [];
        });
      },
      look: async (pools) => {
        const loaded = await load(pools, 'look');
        return pools.map(({ id }) => {
          const one = loaded.get(id);
          if (one === undefined || one.kind === 'gone') return { id, kind: 'gone' };
          const { slot } = one;
          return {
            id,
            kind: 'seen',
            slot,
            reserves: one.kind === 'pool' ? poolDepth(one.pool.shape) : [0n, 0n],
          };
        });
      },
    },
  };
}

/** Reads the pools' accounts and their mints; a pool that is left out is reported. */
async function describeMarkets(
  exchange: Exchange,
  deps: Pick<ExchangeDeps, 'chain' | 'onRefusal'>,
  pools: readonly FoundPool[],
): ReturnType<PoolMarkets['describe']> {
  const [{ accounts }, mints] = await Promise.all([
    deps.chain.accounts(pools.map(({ id }) => id)),
    Promise.all(pools.map(({ mints: [a, b] }) => Promise.all([deps.chain.token(a), deps.chain.token(b)]))),
  ]);
  return pools.map(({ id }, index) => {
    const account = accounts[index] ?? null;
    const [first, second] = mints[index] ?? [null, null];
    if (account === null || first === null || second === null) return null;
    const found = exchange.vaults(id, account, [first, second]);
    if (!isRefusal(found)) return { ...found, programId: exchange.programId, mints: [first, second] };
    deps.onRefusal?.(id, found);
    return null;
  });
}

/** A quote may rest on followed accounts, but for a reread; the catalogue's upkeep reads, and makes nothing hot. */
type Purpose = 'quote' | 'reread' | 'look';

/** Accounts at one slot. */
type Snapshot = {
  readonly slot: bigint;
  readonly asOf: number | undefined;
  readonly has: (address: Address) => boolean;
  readonly get: (address: Address) => ChainAccount | null;
};

function snapshotOf(
  slot: bigint,
  keys: readonly Address[],
  accounts: readonly (ChainAccount | null)[],
  asOf?: number,
): Snapshot {
  const byAddress = new Map(keys.map((key, index) => [key, accounts[index] ?? null]));
  return { slot, asOf, has: (key) => byAddress.has(key), get: (key) => byAddress.get(key) ?? null };
}

/** All that a pool's price rests on. */
function basis(id: Address, needs: readonly Address[]): readonly Address[] {
  return [...new Set([CLOCK_SYSVAR, id, ...needs])];
}

type Loaded =
  | { readonly kind: 'pool'; readonly slot: bigint; readonly pool: ExchangePool }
  | { readonly kind: 'refused'; readonly slot: bigint }
  | { readonly kind: 'gone' };

/** Pools that one question to one venue may cost reads for, and how many of them may be unseen so far. */
const MAX_CANDIDATES = 24;
const MAX_UNSEEN = 8;

/** The deepest, and some that are unseen so far: a stranger can open pools by the thousand, and each costs a read. */
function candidates(found: readonly IndexedPool[], mint: Address): readonly IndexedPool[] {
  const depth = ({ seen, mints }: IndexedPool): bigint => seen?.reserves[mints[0] === mint ? 0 : 1] ?? 0n;
  const seen = found
    .filter((pool) => (pool.seen ?? null) !== null)
    .toSorted((a, b) => (depth(a) === depth(b) ? 0 : depth(a) < depth(b) ? 1 : -1));
  const unseen = found.filter((pool) => (pool.seen ?? null) === null);
  const room = Math.max(MAX_UNSEEN, MAX_CANDIDATES - seen.length);
  const fresh = unseen.slice(0, room);
  return [...seen.slice(0, MAX_CANDIDATES - fresh.length), ...fresh];
}

/** None for an account that makes the venue's code fail: its decoder is asked next, and refuses it. */
function dependenciesOf(
  exchange: Exchange,
  { id, mints }: FoundPool,
  account: ChainAccount,
): readonly Address[] {
  try {
    return exchange.dependencies(id, account, mints);
  } catch {
    return [];
  }
}

/** A decoder that throws met an unforeseen state: that pool is left out, and the others of the venue are not. */
function decoded(exchange: Exchange, accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  try {
    return exchange.decode(accounts, facts);
  } catch (error) {
    return refuse('bad-state', `the decoder failed: ${String(error).slice(0, 200)}`);
  }
}

type Needing = { readonly pool: FoundPool; readonly needs: readonly Address[] };

/** Pools in groups that each fit one read, clock included. */
function inReads(pools: readonly Needing[]): readonly (readonly Needing[])[] {
  const groups: Needing[][] = [];
  let room = 0;
  for (const pool of pools) {
    const size = 1 + pool.needs.length;
    if (groups.length === 0 || size > room) {
      groups.push([]);
      room = ACCOUNTS_PER_READ - 1;
    }
    groups.at(-1)?.push(pool);
    room -= size;
  }
  return groups;
}

function readFacts(
  clock: ChainAccount | null,
  slot: bigint,
  mints: ReadonlyMap<Address, MintFacts>,
): PoolFacts {
  // Every cluster has a clock; without one nothing that depends on time may be priced.
  if (clock === null || clock.data.length < CLOCK.bytes)
    throw new RangeError('the clock sysvar could not be read');
  const view = accountView(clock.data);
  return {
    slot,
    epoch: view.u64(CLOCK.epoch),
    unixSeconds: view.i64(CLOCK.unixSeconds),
    mint: (mint) => mints.get(mint) ?? null,
  };
}
