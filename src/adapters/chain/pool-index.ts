import { createTtlCache } from '../../core/cache/ttl-cache.ts';
import type {
  CataloguedPool,
  FoundPool,
  KnownSearch,
  PoolCatalogue,
  PoolSearchKey,
} from '../../core/ports/pool-catalogue.ts';

/** What a question to a venue is answered with; `seen` and `emptySince` only where the catalogue knew. */
export type IndexedPool = FoundPool & Partial<Pick<CataloguedPool, 'seen' | 'emptySince'>>;

export type PoolIndexOptions = {
  /** Shared over processes and restarts; null = this process remembers by itself. */
  readonly store: Pick<PoolCatalogue, 'find' | 'record'> | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Told when the store cannot be asked or written: then the cluster is searched as if nothing were known. */
  readonly onProblem: (error: unknown) => void;
};

/** Questions whose answers are remembered: some hundred bytes each. */
const CAPACITY = 5_000;
/** Depths and new pools from other processes show up this late. */
const KNOWN_TTL_MS = 10_000;
/** With the above, a pair without a pool is searched for again after a minute: pools are opened every second. */
const SEARCH_TTL_MS = 50_000;
/** The worker searches anew, every minute or so, for what is asked about. Where none has for a day, what is known is too old. */
const KNOWN_FOR_MS = 24 * 3_600_000;

/**
 * Answers which pools there are, from memory, else from the catalogue, else by `search`, the dearest question that a node
 * can be asked, whose outcome is written down. Rejects as `search` does; trouble with the catalogue is told and passed over.
 */
export function createPoolIndex({ store, now, onProblem }: PoolIndexOptions) {
  const known = createTtlCache<string, readonly IndexedPool[]>({
    ttlMs: KNOWN_TTL_MS,
    capacity: CAPACITY,
    now,
  });
  const searched = createTtlCache<string, readonly FoundPool[]>({
    ttlMs: SEARCH_TTL_MS,
    capacity: CAPACITY,
    now,
  });
  const ask = store === null ? async () => null : inOneStatement(store, now, onProblem);

  return {
    find(key: PoolSearchKey, search: () => Promise<readonly FoundPool[]>): Promise<readonly IndexedPool[]> {
      const id = [key.venue, ...[key.mintA, key.mintB ?? ''].toSorted()].join(' ');
      return known.get(id, async () => {
        const answer = await ask(key);
        if (answer !== null && isUsable(answer, now())) return answer.pools;
        return searched.get(id, async () => {
          const found = await search();
          await store?.record(key, found, now()).catch(onProblem);
          return found;
        });
      });
    },
  };
}

function isUsable({ searchedAt, pools }: KnownSearch, now: number): boolean {
  return now - searchedAt < (pools.length === 0 ? SEARCH_TTL_MS : KNOWN_FOR_MS);
}

/** A quote asks every venue about several pairs: all that is asked in one turn of the event loop is one statement. */
function inOneStatement(
  store: Pick<PoolCatalogue, 'find'>,
  now: () => number,
  onProblem: (error: unknown) => void,
): (key: PoolSearchKey) => Promise<KnownSearch | null> {
  let waiting: { readonly key: PoolSearchKey; readonly resolve: (answer: KnownSearch | null) => void }[] = [];
  const flush = async (): Promise<void> => {
    const asks = waiting;
    waiting = [];
    try {
      const answers = await store.find(
        asks.map(({ key }) => key),
        now(),
      );
      for (const [index, { resolve }] of asks.entries()) resolve(answers[index] ?? null);
    } catch (error) {
      onProblem(error);
      for (const { resolve } of asks) resolve(null);
    }
  };
  return (key) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ key, resolve });
    });
}
