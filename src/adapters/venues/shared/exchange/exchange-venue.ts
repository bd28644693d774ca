import { type Address, address } from '../../../../core/address/address.ts';
import type { Chain, ChainAccount } from '../../../../core/ports/chain.ts';
import type { MintFacts, Venue } from '../../../../core/ports/venue.ts';
import { accountView } from './account-view.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts, PoolSearch } from './exchange.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';

/** Lists accounts of a program. An adapter over `getProgramAccounts`, or over an index of its own. */
export interface ProgramAccounts {
  find(search: ProgramSearch): Promise<readonly FoundAccount[]>;
}

export type ProgramSearch = Extract<PoolSearch, { kind: 'program' }>;
export type FoundAccount = { readonly address: Address; readonly account: ChainAccount };

export type ExchangeDeps = {
  readonly chain: Pick<Chain, 'accounts' | 'token'>;
  readonly programAccounts: ProgramAccounts;
  /** Told about every pool that is left out and why. */
  readonly onRefusal?: (pool: Address, refusal: Refusal) => void;
};

/** What the venue returns beyond the port: pools carry the shape that the router searches on. */
export type ExchangeVenue = Venue & {
  pools(mintA: Address, mintB: Address): Promise<readonly ExchangePool[]>;
};

const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');
const CLOCK = { epoch: 16, unixSeconds: 32, bytes: 40 } as const;
/** One `getMultipleAccounts` call is answered at one slot; a pool's accounts are never spread over two. */
const ACCOUNTS_PER_READ = 100;

type Candidate = { readonly id: Address; readonly needs: readonly Address[] };

/** The `Venue` of an exchange program: lists its pools, reads each with all it depends on at one slot, decodes. */
export function createExchangeVenue(exchange: Exchange, deps: ExchangeDeps): ExchangeVenue {
  const read = async (wanted: readonly Address[]) => {
    const unique = [...new Set(wanted)];
    const { slot, accounts } = await deps.chain.accounts(unique);
    const byAddress = new Map(unique.map((key, index) => [key, accounts[index] ?? null]));
    return { slot, get: (key: Address): ChainAccount | null => byAddress.get(key) ?? null };
  };

  const search = async (one: PoolSearch): Promise<readonly FoundAccount[]> => {
    if (one.kind === 'program') return deps.programAccounts.find(one);
    const { get } = await read(one.addresses);
    return one.addresses.flatMap((key) => {
      const account = get(key);
      return account === null ? [] : [{ address: key, account }];
    });
  };

  /** Every pool the searches find, with its mints; those that are none are told about and dropped. */
  const list = async (searches: readonly PoolSearch[], asked: readonly Address[]) => {
    const found = (await Promise.all(searches.map(search))).flat();
    const unique = new Map(found.map((entry) => [entry.address, entry.account]));
    const needs = [...unique.values()].flatMap((account) => exchange.mintDependencies?.(account) ?? []);
    const more = needs.length === 0 ? null : await read(needs);
    return [...unique].flatMap(([id, account]) => {
      const get = (key: Address) => (key === id ? account : (more?.get(key) ?? null));
      const mints = exchange.mints({ id, asked, get });
      if (!isRefusal(mints)) return [{ id, account, mints }];
      deps.onRefusal?.(id, mints);
      return [];
    });
  };

  const load = async (
    group: readonly Candidate[],
    asked: readonly Address[],
    mints: ReadonlyMap<Address, MintFacts>,
  ) => {
    const { slot, get } = await read([CLOCK_SYSVAR, ...group.flatMap(({ id, needs }) => [id, ...needs])]);
    const facts = readFacts(get(CLOCK_SYSVAR), slot, mints);
    return group.flatMap(({ id }) => {
      const pool = decoded(exchange, { id, asked, get }, facts);
      if (!isRefusal(pool)) return [pool];
      deps.onRefusal?.(id, pool);
      return [];
    });
  };

  return {
    name: exchange.name,
    pools: async (mintA, mintB) => {
      const asked = [mintA, mintB];
      const found = (await list(exchange.filters.pair(mintA, mintB), asked)).filter(({ mints }) =>
        asked.every((mint) => mints.includes(mint)),
      );
      if (found.length === 0) return [];
      const tokens = await Promise.all(asked.map((mint) => deps.chain.token(mint)));
      const mints = new Map(
        tokens.flatMap((token) => (token === null ? [] : [[token.mint, token] as const])),
      );
      const candidates = found.map(({ id, account }) => ({ id, needs: exchange.dependencies(id, account) }));
      const loaded = await Promise.all(inReads(candidates).map((group) => load(group, asked, mints)));
      return loaded.flat();
    },
    counterparts: async (mint) => {
      const found = await list(exchange.filters.holding(mint), [mint]);
      const others = found.filter(({ mints }) => mints.includes(mint));
      return [...new Set(others.map(({ mints }) => (mints[0] === mint ? mints[1] : mints[0])))];
    },
  };
}

/** A decoder that throws met a state nobody foresaw: that pool is left out, and the others of the venue are not. */
function decoded(exchange: Exchange, accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  try {
    return exchange.decode(accounts, facts);
  } catch (error) {
    return refuse('bad-state', `the decoder failed: ${String(error).slice(0, 200)}`);
  }
}

/** Candidates in groups that each fit one read, clock included. */
function inReads(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups: Candidate[][] = [];
  let room = 0;
  for (const candidate of candidates) {
    const size = 1 + candidate.needs.length;
    if (groups.length === 0 || size > room) {
      groups.push([]);
      room = ACCOUNTS_PER_READ - 1;
    }
    groups.at(-1)?.push(candidate);
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
