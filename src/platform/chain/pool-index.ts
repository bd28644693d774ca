import { createTtlCache } from '../../core/ttl-cache.ts';
import type {
  CataloguedPool,
  FoundPool,
  KnownSearch,
  PoolCatalogue,
  PoolSearchKey,
} from '../../modules/market/store/pool-catalogue-port.ts';

/** The answer to a question to a venue; `seen` and `emptySince` only where the catalogue knew. */
export type IndexedPool = FoundPool & Partial<Pick<CataloguedPool, 'seen' | 'emptySince'>>;

export type PoolIndexOptions = {
  /** Shared over processes and restarts; null = this process remembers by itself. */
  readonly store: Pick<PoolCatalogue, 'find' | 'record'> | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called when the store cannot be asked or written: then the cluster is searched as if nothing were known. */
  readonly onProblem: (error: unknown) => void;
};

/** Questions whose answers are remembered: some hundred bytes each. */
const CAPACITY = 5_000;
/** Depths and new pools from other processes show up this late. */
const KNOWN_TTL_MS = 10_000;
/** Answers by the mints alone do not change from one question to the next: pools are opened, and the worker finds them. */
const NEAR_TTL_MS = 10_000;

/** `isWhole`: the search left out nothing that a node would list. */
export type IndexAnswer = { readonly pools: readonly IndexedPool[]; readonly isWhole: boolean };

/**
 * Answers which pools there are, from memory, else from the catalogue at any age, else from `near`, the places that follow from the
 * mints: those cost one read, and the question is written down for the worker, who searches the rest. No answer here lists a
 * program's accounts. Rejects as `near` does; trouble with the catalogue is logged and passed over.
 */
export function createPoolIndex({ store, now, onProblem }: PoolIndexOptions) {
  const known = createTtlCache<string, IndexAnswer>({
    ttlMs: KNOWN_TTL_MS,
    capacity: CAPACITY,
    now,
    // The worker is about to say more.
    keep: ({ isWhole }) => isWhole,
  });
  const nearby = createTtlCache<string, readonly IndexedPool[]>({
    ttlMs: NEAR_TTL_MS,
    capacity: CAPACITY,
    now,
  });
  const ask = store === null ? async () => null : inOneStatement(store, now, onProblem);

  return {
    find(key: PoolSearchKey, near: () => Promise<readonly FoundPool[]>): Promise<IndexAnswer> {
      const id = [key.venue, ...[key.mintA, key.mintB ?? ''].toSorted()].join(' ');
      return known.get(id, async () => {
        const answer = await ask(key);
        const isWhole = answer !== null && (answer.outcome === 'whole' || answer.outcome === 'refused');
        if (answer !== null && (isWhole || answer.pools.length > 0)) return { pools: answer.pools, isWhole };
        const pools = await nearby.get(id, async () => {
          const found = await near();
          await store?.record(key, found, now(), 'partial').catch(onProblem);
          // Pools of the pair may have been known without a search: from a seed file, or from a transaction of the mint.
          return found.length > 0 ? found : ((await ask(key))?.pools ?? found);
        });
        return { pools, isWhole: false };
      });
    },
  };
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
