import { type Address, addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type {
  FoundPool,
  PoolCatalogue,
  PoolSearchKey,
  SearchOutcome,
} from '../../../src/modules/market/store/pool-catalogue-port.ts';
import { createPoolIndex } from '../../../src/platform/chain/pool-index.ts';
import { fakePoolCatalogue } from '../../support/fakes/pool-catalogue.ts';

const key = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const [A, B] = [key(1), key(2)];
const QUESTION: PoolSearchKey = { venue: 'v', mintA: A, mintB: B };
const POOL: FoundPool = { id: key(9), mints: [A, B] };
const HOUR = 3_600_000;

function rig(store: Pick<PoolCatalogue, 'find' | 'record'> | null, found: readonly FoundPool[] = [POOL]) {
  const problems: unknown[] = [];
  const state = { time: 1_790_000_000_000, searches: 0, finds: 0, found };
  const counted = store && {
    record: store.record,
    find: (...given: Parameters<PoolCatalogue['find']>) => {
      state.finds += 1;
      return store.find(...given);
    },
  };
  const open = () =>
    createPoolIndex({
      store: counted,
      now: () => state.time,
      onProblem: (problem) => problems.push(String(problem)),
    });
  const search = async () => {
    state.searches += 1;
    return state.found;
  };
  const ids = async (index: ReturnType<typeof open>, question = QUESTION) =>
    (await index.find(question, search)).pools.map(({ id }) => id);
  return { open, ids, search, state, problems };
}

/** As the worker does. */
const worked = (
  store: PoolCatalogue,
  found: readonly FoundPool[],
  now: number,
  outcome: SearchOutcome = 'whole',
) => store.record(QUESTION, found, now, outcome);

describe('the pool index', () => {
  it('looks near once where nothing is known, writes the question down for the worker, and lists nothing itself', async () => {
    const store = fakePoolCatalogue();
    const { open, search, state } = rig(store, []);
    const index = open();
    expect(await index.find(QUESTION, search)).toEqual({ pools: [], isWhole: false });
    expect(await index.find({ ...QUESTION, mintA: B, mintB: A }, search)).toEqual({
      pools: [],
      isWhole: false,
    });
    expect(state.searches).toBe(1);
    const due = { askedSince: state.time - HOUR, searchedBefore: state.time - HOUR, limit: 9 };
    expect(await store.dueSearches(due)).toEqual([QUESTION]);
    // An empty answer of the worker is an answer.
    await worked(store, [], state.time);
    expect(await index.find(QUESTION, search)).toEqual({ pools: [], isWhole: true });
    expect(await store.dueSearches(due)).toEqual([]);
    expect(state.searches).toBe(1);
  });

  it('answers a known pair at any age, after a restart too', async () => {
    const store = fakePoolCatalogue();
    const { open, ids, state } = rig(store);
    await worked(store, [POOL], state.time);
    state.time += 400 * 24 * HOUR;
    expect(await ids(open())).toEqual([POOL.id]);
    await worked(store, [], state.time, 'failed');
    expect(await ids(open())).toEqual([POOL.id]);
    expect(state.searches).toBe(0);
  });

  it.each(['whole', 'refused', 'partial', 'failed'] as const)(
    'takes the outcome %s for what it is',
    async (outcome) => {
      const store = fakePoolCatalogue();
      const { open, search, state } = rig(store, []);
      await worked(store, [], state.time, outcome);
      const { isWhole } = await open().find(QUESTION, search);
      expect(isWhole).toBe(outcome === 'whole' || outcome === 'refused');
      expect(state.searches).toBe(isWhole ? 0 : 1);
    },
  );

  it('learns within seconds what another process found', async () => {
    const store = fakePoolCatalogue();
    const { open, ids, state } = rig(store, []);
    const index = open();
    expect(await ids(index)).toEqual([]);
    await worked(store, [POOL], state.time);
    expect(await ids(index)).toEqual([POOL.id]);
    const other = { id: key(8), mints: [B, A] } as const;
    await worked(store, [other], state.time);
    expect(await ids(index)).toEqual([POOL.id]);
    state.time += 10_001;
    expect((await ids(index)).toSorted()).toEqual([POOL.id, other.id].toSorted());
    expect(state.searches).toBe(1);
  });

  it('asks the catalogue once for everything that a quote asks for at a time', async () => {
    const { open, search, state } = rig(fakePoolCatalogue());
    const index = open();
    const questions = Array.from({ length: 40 }, (_, n) => ({ venue: 'v', mintA: A, mintB: key(100 + n) }));
    await Promise.all([...questions, ...questions].map((question) => index.find(question, search)));
    expect(state).toMatchObject({ finds: 1, searches: 40 });
  });

  it('goes on by looking near when the catalogue cannot be read or written', async () => {
    const down = () => Promise.reject(new Error('database down'));
    const { open, ids, state, problems } = rig({ find: down, record: down });
    const index = open();
    expect(await ids(index)).toEqual([POOL.id]);
    state.time += 5_000;
    expect(await ids(index)).toEqual([POOL.id]);
    // Read, written, read again; the near ones are remembered.
    expect(problems).toEqual(Array.from({ length: 3 }, () => 'Error: database down'));
    expect(state.searches).toBe(1);
  });

  it('forgets a look that failed and remembers by itself where there is no catalogue', async () => {
    const { open, ids, state } = rig(null);
    const index = open();
    await expect(index.find(QUESTION, () => Promise.reject(new Error('node down')))).rejects.toThrow('node');
    expect(await ids(index)).toEqual([POOL.id]);
    state.time += 5_000;
    await ids(index);
    expect(state.searches).toBe(1);
    state.time += 5_001;
    await ids(index);
    expect(state.searches).toBe(2);
  });
});
