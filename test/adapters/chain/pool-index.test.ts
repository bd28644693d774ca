import { describe, expect, it } from 'vitest';
import { createPoolIndex } from '../../../src/adapters/chain/pool-index.ts';
import { type Address, addressFromBytes } from '../../../src/core/address/address.ts';
import type { FoundPool, PoolCatalogue, PoolSearchKey } from '../../../src/core/ports/pool-catalogue.ts';
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
    (await index.find(question, search)).map(({ id }) => id);
  return { open, ids, search, state, problems };
}

describe('the pool index', () => {
  it('searches the cluster once, and never again after a restart', async () => {
    const { open, ids, state } = rig(fakePoolCatalogue());
    const index = open();
    expect(await ids(index)).toEqual([POOL.id]);
    expect(await ids(index, { ...QUESTION, mintA: B, mintB: A })).toEqual([POOL.id]);
    state.time += 23 * HOUR;
    expect(await ids(index)).toEqual([POOL.id]);
    expect(await ids(open())).toEqual([POOL.id]);
    expect(state.searches).toBe(1);
  });

  it('searches anew when nobody has for a day', async () => {
    const { open, ids, state } = rig(fakePoolCatalogue());
    await ids(open());
    state.time += 24 * HOUR;
    await ids(open());
    expect(state.searches).toBe(2);
  });

  it('looks again every minute for a pair that has no pool', async () => {
    const { open, ids, state } = rig(fakePoolCatalogue(), []);
    const index = open();
    expect(await ids(index)).toEqual([]);
    state.time += 40_000;
    expect(await ids(index)).toEqual([]);
    expect(state.searches).toBe(1);
    state.time += 21_000;
    state.found = [POOL];
    expect(await ids(index)).toEqual([POOL.id]);
    expect(state.searches).toBe(2);
  });

  it('learns within seconds what another process found', async () => {
    const store = fakePoolCatalogue();
    const { open, ids, state } = rig(store);
    const index = open();
    await ids(index);
    const other = { id: key(8), mints: [B, A] } as const;
    await store.record(QUESTION, [other], state.time);
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

  it('goes on by searching when the catalogue cannot be read or written', async () => {
    const down = () => Promise.reject(new Error('database down'));
    const { open, ids, state, problems } = rig({ find: down, record: down });
    const index = open();
    expect(await ids(index)).toEqual([POOL.id]);
    state.time += 30_000;
    expect(await ids(index)).toEqual([POOL.id]);
    // Read, written, read again; the search itself is remembered.
    expect(problems).toEqual(Array.from({ length: 3 }, () => 'Error: database down'));
    expect(state.searches).toBe(1);
  });

  it('forgets a search that failed and remembers by itself where there is no catalogue', async () => {
    const { open, ids, state } = rig(null);
    const index = open();
    await expect(index.find(QUESTION, () => Promise.reject(new Error('node down')))).rejects.toThrow('node');
    expect(await ids(index)).toEqual([POOL.id]);
    state.time += 40_000;
    await ids(index);
    expect(state.searches).toBe(1);
    state.time += 21_000;
    await ids(index);
    expect(state.searches).toBe(2);
  });
});
