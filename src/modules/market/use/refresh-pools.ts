import { type Address, MAX_U64 } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { RpcMeter } from '../../../platform/ports/rpc-meter.ts';
import type { PoolLook, PoolSearchResult, PoolUpkeep, Venue } from '../../../platform/ports/venue.ts';
import { foldName } from '../../tokens/use/search-tokens.ts';
import type { CataloguedPool, PoolCatalogue } from '../store/pool-catalogue-port.ts';

export type RefreshPoolsDeps = {
  /** Looks for pools in a mint's newest transactions, where no node lists a venue's; false for a mint that had its turn. Absent: nowhere. */
  readonly searchHistory?: (mint: Address) => Promise<boolean>;
  /** The same among a mint's largest holders. */
  readonly searchHolders?: (mint: Address) => Promise<boolean>;
  /** Tokens that most pools are against: their newest transactions say nothing about a pair. */
  readonly hubs?: readonly Address[];
  readonly venues: readonly Venue[];
  readonly catalogue: PoolCatalogue;
  readonly chain: Pick<Chain, 'token'>;
  readonly rpcMeter: RpcMeter;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
};

/** The counts of one run. */
export type PoolsRefreshed = {
  readonly searches: number;
  readonly looks: number;
  readonly gone: number;
  readonly forgotten: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Pools asked for within this time are kept fresh; the rest are checked once a day for whether they still exist. */
const ASKED_WITHIN_MS = HOUR_MS;
const SEARCH_AFTER_MS = 60_000;
const LOOK_AFTER_MS = 30_000;
const IDLE_LOOK_AFTER_MS = DAY_MS;
/** The bounds of one run: searches are dear; looks, counted per venue, cost a call per hundred accounts. */
const MAX_SEARCHES = 16;
const MAX_LOOKS = 100;
const MAX_IDLE_LOOKS = 20;
const MAX_NAMES = 50;
const NAME_AFTER_MS = DAY_MS;
const AT_ONCE = 4;
const MAX_NAMED = 2;
const EMPTY_FOR_MS = 7 * DAY_MS;
const UNASKED_FOR_MS = 30 * DAY_MS;
/** Some 20 MB of Postgres. */
const MAX_POOLS = 50_000;
const MAX_QUESTIONS = 20_000;

/**
 * Searches anew for the pools that people ask about, reads the depth of known ones, and reads the names of their tokens. Forgets those that
 * are gone, that have been empty for a week, that were not asked for in a month, or that are too many. Bounded in calls to the nodes and in
 * rows. A venue that fails costs its own part of the run; it is logged and tried again in the next one.
 */
export async function refreshPools(deps: RefreshPoolsDeps): Promise<PoolsRefreshed> {
  const { catalogue, clock, log, rpcMeter } = deps;
  const upkeeps = new Map(
    deps.venues.flatMap(({ name, upkeep }) => (upkeep === undefined ? [] : [[name, upkeep] as const])),
  );
  if (upkeeps.size === 0) return { searches: 0, looks: 0, gone: 0, forgotten: 0 };
  const { value, cost } = await rpcMeter.measure(async () => {
    const searches = await searchAnew(deps, upkeeps);
    const { looks, gone } = await lookAtPools(deps, upkeeps);
    await readNames(deps);
    const now = clock.now();
    const forgotten = await catalogue.trim({
      emptyBefore: now - EMPTY_FOR_MS,
      askedBefore: now - UNASKED_FOR_MS,
      maxPools: MAX_POOLS,
      maxSearches: MAX_QUESTIONS,
    });
    return { searches, looks, gone, forgotten };
  });
  log.debug({ ...value, rpc: cost }, 'refreshed the pool catalogue');
  return value;
}

/** The names of tokens in the catalogue, for searching. A mint that cannot be read now has its turn again later. */
async function readNames({ catalogue, chain, clock }: RefreshPoolsDeps): Promise<void> {
  const readBefore = clock.now() - NAME_AFTER_MS;
  const due = await catalogue.dueNames({ readBefore, limit: MAX_NAMES });
  const tokens = await Promise.allSettled(due.map((mint) => chain.token(mint)));
  const names = due.map((mint, index) => {
    const answer = tokens[index];
    const token = answer?.status === 'fulfilled' ? answer.value : null;
    return { mint, symbol: foldName(token?.symbol ?? null) ?? '', name: foldName(token?.name ?? null) ?? '' };
  });
  await catalogue.saveNames(names, clock.now());
}

const NOTHING: PoolSearchResult = { pools: [], outcome: 'whole' };

type Upkeeps = ReadonlyMap<string, PoolUpkeep>;

async function searchAnew(deps: RefreshPoolsDeps, upkeeps: Upkeeps): Promise<number> {
  const { catalogue, clock, log } = deps;
  const now = clock.now();
  const due = await catalogue.dueSearches({
    askedSince: now - ASKED_WITHIN_MS,
    searchedBefore: now - SEARCH_AFTER_MS,
    limit: MAX_SEARCHES,
  });
  let made = 0;
  const unlisted = new Set<Address>();
  const waiting = [...due];
  const searchOne = async (): Promise<void> => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      // A venue that this process does not trade on: written down as answered, or it would be first for ever.
      const upkeep = upkeeps.get(key.venue);
      try {
        const { pools, outcome } = (await upkeep?.search(key.mintA, key.mintB)) ?? NOTHING;
        await catalogue.record(key, pools, clock.now(), outcome);
        made += upkeep === undefined ? 0 : 1;
        if (outcome === 'refused')
          for (const mint of [key.mintA, key.mintB]) if (mint !== null) unlisted.add(mint);
      } catch (err) {
        log.warn({ err, venue: key.venue }, 'a venue could not be searched for pools');
        // To the end of the line: one that always fails must not keep the others from their turn.
        await catalogue.record(key, [], clock.now(), 'failed');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, searchOne));
  await searchNamed(deps, unlisted);
  return made;
}

/** Both searches for at most two mints a run; one that fails keeps neither the other nor the next mint from its turn. */
async function searchNamed(
  { searchHistory, searchHolders, hubs = [], log }: RefreshPoolsDeps,
  mints: ReadonlySet<Address>,
): Promise<void> {
  const searches = [
    [searchHistory, 'the transactions of a mint could not be searched for pools'],
    [searchHolders, 'the holders of a mint could not be searched for pools'],
  ] as const;
  let made = 0;
  for (const mint of mints) {
    if (made === MAX_NAMED) return;
    if (hubs.includes(mint)) continue;
    let isTurn = false;
    for (const [search, words] of searches) {
      try {
        if ((await search?.(mint)) === true) isTurn = true;
      } catch (err) {
        isTurn = true;
        log.warn({ err, mint }, words);
      }
    }
    made += isTurn ? 1 : 0;
  }
}

async function lookAtPools(
  { catalogue, clock, log }: RefreshPoolsDeps,
  upkeeps: Upkeeps,
): Promise<Pick<PoolsRefreshed, 'looks' | 'gone'>> {
  const counts = { looks: 0, gone: 0 };
  // Venue by venue, each with its own bound: pools that one cannot read never hold up those of another.
  for (const [venue, upkeep] of upkeeps) {
    try {
      const due = await duePools(catalogue, venue, clock.now());
      const { seen, gone } = trusted(due, await upkeep.look(due));
      await catalogue.saveSeen(seen, clock.now());
      await catalogue.remove(gone);
      counts.looks += seen.length + gone.length;
      counts.gone += gone.length;
    } catch (err) {
      log.warn({ err, venue }, 'a venue could not look at its pools');
    }
  }
  return counts;
}

async function duePools(
  catalogue: PoolCatalogue,
  venue: string,
  now: number,
): Promise<readonly CataloguedPool[]> {
  const asked = await catalogue.duePools({
    venue,
    askedSince: now - ASKED_WITHIN_MS,
    seenBefore: now - LOOK_AFTER_MS,
    limit: MAX_LOOKS,
  });
  const idle = await catalogue.duePools({
    venue,
    askedSince: 0,
    seenBefore: now - IDLE_LOOK_AFTER_MS,
    limit: MAX_IDLE_LOOKS,
  });
  return [...new Map([...asked, ...idle].map((pool) => [pool.id, pool])).values()];
}

/** A venue's answers about the pools in question. A depth that no pool can have counts as nothing to trade. */
function trusted(asked: readonly CataloguedPool[], looks: readonly PoolLook[]) {
  const ids = new Set(asked.map(({ id }) => id));
  const isAmount = (units: unknown): boolean => typeof units === 'bigint' && units >= 0n && units <= MAX_U64;
  const answers = looks.filter(({ id }) => ids.has(id));
  return {
    gone: answers.flatMap((look) => (look.kind === 'gone' ? [look.id] : [])),
    seen: answers.flatMap((look) =>
      look.kind === 'gone'
        ? []
        : [{ ...look, reserves: look.reserves.every(isAmount) ? look.reserves : ([0n, 0n] as const) }],
    ),
  };
}
