import { type Address, address } from '../../../../core/address/address.ts';
import type { Chain, ChainAccount } from '../../../../core/ports/chain.ts';
import type { MintFacts, Venue } from '../../../../core/ports/venue.ts';
import { accountView } from './account-view.ts';
import type { Exchange, ExchangePool, PoolFacts, PoolSearch } from './exchange.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** Lists accounts of a program. An adapter over `getProgramAccounts`, or over an index of its own. */
export interface ProgramAccounts {
  find(search: PoolSearch): Promise<readonly { readonly address: Address; readonly account: ChainAccount }[]>;
}

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
  const list = async (searches: readonly PoolSearch[]) => {
    const found = await Promise.all(searches.map((search) => deps.programAccounts.find(search)));
    const unique = new Map(found.flat().map((entry) => [entry.address, entry.account]));
    return [...unique].flatMap(([id, account]) => {
      const mints = exchange.mints(account);
      if (!isRefusal(mints)) return [{ id, account, mints }];
      deps.onRefusal?.(id, mints);
      return [];
    });
  };

  const load = async (group: readonly Candidate[], mints: ReadonlyMap<Address, MintFacts>) => {
    const wanted = [...new Set([CLOCK_SYSVAR, ...group.flatMap(({ id, needs }) => [id, ...needs])])];
    const read = await deps.chain.accounts(wanted);
    const byAddress = new Map(wanted.map((key, index) => [key, read.accounts[index] ?? null]));
    const facts = readFacts(byAddress.get(CLOCK_SYSVAR) ?? null, read.slot, mints);
    return group.flatMap(({ id }) => {
      const pool = exchange.decode({ id, get: (key) => byAddress.get(key) ?? null }, facts);
      if (!isRefusal(pool)) return [pool];
      deps.onRefusal?.(id, pool);
      return [];
    });
  };

  return {
    name: exchange.name,
    pools: async (mintA, mintB) => {
      const found = await list(exchange.filters.pair(mintA, mintB));
      if (found.length === 0) return [];
      const tokens = await Promise.all([deps.chain.token(mintA), deps.chain.token(mintB)]);
      const mints = new Map(
        tokens.flatMap((token) => (token === null ? [] : [[token.mint, token] as const])),
      );
      const candidates = found.map(({ id, account }) => ({ id, needs: exchange.dependencies(id, account) }));
      const loaded = await Promise.all(inReads(candidates).map((group) => load(group, mints)));
      return loaded.flat();
    },
    counterparts: async (mint) => {
      const found = await list(exchange.filters.holding(mint));
      return [...new Set(found.map(({ mints }) => (mints[0] === mint ? mints[1] : mints[0])))];
    },
  };
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
