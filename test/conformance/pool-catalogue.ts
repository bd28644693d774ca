import { type Address, addressFromBytes } from '@tradepost/solana';
import { beforeEach, expect, it } from 'vitest';
import {
  MAX_POOLS_PER_SEARCH,
  type PoolCatalogue,
  type SearchOutcome,
} from '../../src/modules/market/store/pool-catalogue-port.ts';

const MINUTE = 60_000;
const NOW = 1_790_000_000_000;
const EVERYTHING = { askedSince: 0, limit: 100 };

/** The rules of a pool catalogue. Each `make` gives one that knows nothing. */
export function describePoolCatalogue(make: () => Promise<PoolCatalogue>): void {
  let store: PoolCatalogue;
  let count = 0;
  beforeEach(async () => {
    store = await make();
  });
  const fresh = (): Address => {
    count += 1;
    const bytes = new Uint8Array(32).fill(9);
    new DataView(bytes.buffer).setUint32(0, count);
    return addressFromBytes(bytes);
  };
  const pool = (a: Address, b: Address) => ({ id: fresh(), mints: [a, b] as const });
  const key = (mintA: Address, mintB: Address | null, venue = 'v') => ({ venue, mintA, mintB });
  const idsOf = async (...given: Parameters<typeof key>) =>
    (await store.find([key(...given)], NOW))[0]?.pools.map(({ id }) => id).toSorted();

  it('has pools that no question led to once their pair was asked for, and leaves a known one as it is', async () => {
    const [a, b] = [fresh(), fresh()];
    const [one, two] = [pool(a, b), pool(b, a)];
    await store.add('v', [], NOW, NOW);
    await store.add('v', [one, two], NOW, NOW - 60 * MINUTE);
    expect(await store.find([key(a, b)], NOW)).toEqual([null]);
    const due = { venue: 'v', seenBefore: NOW, limit: 9 };
    expect(await store.duePools({ ...due, askedSince: NOW - 59 * MINUTE })).toEqual([]);
    expect(await store.duePools({ ...due, askedSince: 0 })).toHaveLength(2);
    await store.saveSeen([{ id: one.id, slot: 5n, reserves: [7n, 8n] }], NOW);
    await store.add('w', [{ id: one.id, mints: [b, a] }], NOW, NOW);
    await store.record(key(a, b), [], NOW, 'partial');
    const found = (await store.find([key(a, b)], NOW))[0];
    expect(found).toMatchObject({ outcome: 'partial' });
    expect(found?.pools.find(({ id }) => id === one.id)).toEqual({
      ...one,
      venue: 'v',
      seen: { at: NOW, slot: 5n, reserves: [7n, 8n] },
      emptySince: null,
    });
    expect(found?.pools).toHaveLength(2);
    expect(await idsOf(a, b, 'w')).toBeUndefined();
  });

  it('knows nothing of a question that was never answered, and remembers an empty answer with its outcome', async () => {
    const [a, b] = [fresh(), fresh()];
    expect(await store.find([key(a, b), key(a, null)], NOW)).toEqual([null, null]);
    const recorded = async (outcome: SearchOutcome, at: number) => {
      await store.record(key(a, b), [], at, outcome);
      return (await store.find([key(a, b)], NOW))[0];
    };
    expect(await recorded('failed', NOW)).toEqual({ searchedAt: NOW, outcome: 'failed', pools: [] });
    expect(await recorded('partial', NOW + 1)).toEqual({
      searchedAt: NOW + 1,
      outcome: 'partial',
      pools: [],
    });
    expect(await recorded('whole', NOW + 2)).toEqual({ searchedAt: NOW + 2, outcome: 'whole', pools: [] });
    // A search that failed, or looked near alone, takes nothing from one that was whole.
    expect(await recorded('failed', NOW + 3)).toMatchObject({ outcome: 'whole' });
    expect(await recorded('partial', NOW + 4)).toMatchObject({ outcome: 'whole' });
    expect(await recorded('refused', NOW + 5)).toMatchObject({ outcome: 'refused' });
    expect(await store.find([], NOW)).toEqual([]);
  });

  it('answers a pair whichever way round it is asked, and each venue by itself', async () => {
    const [a, b] = [fresh(), fresh()];
    const [one, other] = [pool(a, b), pool(b, a)];
    await store.record(key(b, a), [one, other], NOW, 'whole');
    const expected = {
      searchedAt: NOW,
      outcome: 'whole',
      pools: [one, other]
        .map((found) => ({ ...found, venue: 'v', seen: null, emptySince: null }))
        .toSorted((x, y) => (x.id < y.id ? -1 : 1)),
    };
    expect(await store.find([key(a, b), key(b, a, 'w'), key(b, a)], NOW)).toEqual([expected, null, expected]);
  });

  it('answers pairs of a mint whose every pool is known, but not the reverse', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    const [ab, ca] = [pool(a, b), pool(c, a)];
    await store.record(key(a, null), [ab, ca], NOW, 'whole');
    expect(await idsOf(a, null)).toEqual([ab.id, ca.id].toSorted());
    expect(await idsOf(a, b)).toEqual([ab.id]);
    expect(await idsOf(a, c)).toEqual([ca.id]);
    expect(await idsOf(b, a)).toEqual([ab.id]);
    expect(await idsOf(a, fresh())).toEqual([]);
    expect(await idsOf(b, c)).toBeUndefined();
    expect(await idsOf(b, null)).toBeUndefined();
  });

  it('keeps a pool that a later search misses, and adds what it finds', async () => {
    const [a, b] = [fresh(), fresh()];
    const [first, second] = [pool(a, b), pool(a, b)];
    await store.record(key(a, b), [first], NOW, 'whole');
    await store.record(key(a, b), [second], NOW + 1, 'whole');
    await store.record(key(a, b), [], NOW + 2, 'whole');
    expect(await idsOf(a, b)).toEqual([first.id, second.id].toSorted());
    expect((await store.find([key(a, b)], NOW))[0]?.searchedAt).toBe(NOW + 2);
    await store.remove([first.id]);
    expect(await idsOf(a, b)).toEqual([second.id]);
    await store.remove([]);
  });

  it('remembers a bounded number of pools of one search', async () => {
    const [a, b] = [fresh(), fresh()];
    const found = Array.from({ length: MAX_POOLS_PER_SEARCH + 20 }, () => pool(a, b));
    await store.record(key(a, b), found, NOW, 'whole');
    expect(await idsOf(a, b)).toHaveLength(MAX_POOLS_PER_SEARCH);
    await store.record(key(a, b), [pool(a, b)], NOW, 'whole');
    expect(await idsOf(a, b)).toHaveLength(MAX_POOLS_PER_SEARCH);
  });

  it('gives pools never looked at first, then the deepest in the mint that was asked about', async () => {
    const mints = [fresh(), fresh()].toSorted() as [Address, Address];
    const [a, b] = mints;
    const [shallow, deep, unseen] = [pool(a, b), pool(b, a), pool(a, b)];
    await store.record(key(a, b), [shallow, deep, unseen], NOW, 'whole');
    const seen = [
      { id: shallow.id, slot: 5n, reserves: [10n, 1n << 63n] as const },
      { id: deep.id, slot: 5n, reserves: [1n, 18_446_744_073_709_551_615n] as const },
    ];
    await store.saveSeen(seen, NOW + 1);
    const pools = (await store.find([key(b, a)], NOW))[0]?.pools;
    expect(pools?.map(({ id }) => id)).toEqual([unseen.id, deep.id, shallow.id]);
    expect(pools?.[1]?.seen).toEqual({ at: NOW + 1, slot: 5n, reserves: [1n, 18_446_744_073_709_551_615n] });
  });

  it('lets no look at an older slot undo a newer one, and counts emptiness from its beginning', async () => {
    const [a, b] = [fresh(), fresh()];
    const one = pool(a, b);
    const row = async () => (await store.find([key(a, b)], NOW))[0]?.pools[0];
    const see = (slot: bigint, reserve: bigint, at: number) =>
      store.saveSeen([{ id: one.id, slot, reserves: [reserve, reserve] }], at);
    await store.record(key(a, b), [one], NOW, 'whole');
    await see(7n, 0n, NOW + 1);
    await see(8n, 0n, NOW + 2);
    expect((await row())?.emptySince).toBe(NOW + 1);
    await see(6n, 50n, NOW + 3);
    expect((await row())?.seen?.slot).toBe(8n);
    await see(9n, 50n, NOW + 4);
    expect(await row()).toMatchObject({
      emptySince: null,
      seen: { at: NOW + 4, slot: 9n, reserves: [50n, 50n] },
    });
    await see(9n, 0n, NOW + 5);
    expect((await row())?.emptySince).toBe(NOW + 5);
    await store.saveSeen([{ id: fresh(), slot: 1n, reserves: [1n, 1n] }], NOW);
    await store.saveSeen([], NOW);
  });

  it('lists searches that are due, the longest unanswered first, and leaves out pairs that a wider one covers', async () => {
    const [a, b, c, d] = [fresh(), fresh(), fresh(), fresh()];
    await store.record(key(a, b), [pool(a, b)], NOW + 2, 'whole');
    await store.record(key(c, d), [pool(c, d)], NOW + 1, 'whole');
    await store.record(key(c, null), [pool(c, d)], NOW + 3, 'whole');
    const due = (searchedBefore: number, more: Partial<typeof EVERYTHING> = {}) =>
      store.dueSearches({ ...EVERYTHING, searchedBefore, ...more });
    const pair = { venue: 'v', mintA: [a, b].toSorted()[0], mintB: [a, b].toSorted()[1] };
    expect(await due(NOW + 4)).toEqual([pair, key(c, null)]);
    expect(await due(NOW + 4, { limit: 1 })).toEqual([pair]);
    expect(await due(NOW + 3)).toEqual([pair]);
    expect(await due(NOW + 2)).toEqual([]);
    expect(await due(NOW + 4, { askedSince: NOW + 3 })).toEqual([key(c, null)]);
    // A pair that was looked at near alone is due at once, before all others.
    const [e, f] = [fresh(), fresh()];
    await store.record(key(e, f), [], NOW + 9, 'partial');
    const [first] = await due(NOW + 4);
    expect(new Set([first?.mintA, first?.mintB])).toEqual(new Set([e, f]));
    // No node lists: the wider question answers no pair.
    await store.record(key(e, null), [], NOW + 9, 'refused');
    expect((await due(NOW + 4)).map(({ mintA }) => mintA)).toContain(first?.mintA);
  });

  it('notes about once a minute what is asked for', async () => {
    const [a, b] = [fresh(), fresh()];
    await store.record(key(a, b), [pool(a, b)], NOW, 'whole');
    const due = async (askedSince: number) => {
      const more = { askedSince, limit: 10 };
      return [
        (await store.dueSearches({ ...more, searchedBefore: NOW + 1 })).length,
        (await store.duePools({ ...more, venue: 'v', seenBefore: NOW + 1 })).length,
      ];
    };
    await store.find([key(a, b)], NOW + MINUTE);
    expect(await due(NOW + 1)).toEqual([0, 0]);
    await store.find([key(a, b)], NOW + MINUTE + 1);
    expect(await due(NOW + MINUTE + 1)).toEqual([1, 1]);
  });

  it('lists pools that are due, those never looked at first', async () => {
    const [a, b] = [fresh(), fresh()];
    const [one, two, three] = [pool(a, b), pool(a, b), pool(a, b)];
    await store.record(key(a, b), [one, two, three], NOW, 'whole');
    await store.saveSeen([{ id: one.id, slot: 1n, reserves: [1n, 1n] }], NOW + 20);
    await store.saveSeen([{ id: two.id, slot: 1n, reserves: [1n, 1n] }], NOW + 10);
    const due = async (
      seenBefore: number,
      more: Partial<typeof EVERYTHING & { readonly venue: string }> = {},
    ) => (await store.duePools({ ...EVERYTHING, venue: 'v', seenBefore, ...more })).map(({ id }) => id);
    expect(await due(NOW + 21)).toEqual([three.id, two.id, one.id]);
    expect(await due(NOW + 20)).toEqual([three.id, two.id]);
    expect(await due(NOW, { limit: 1 })).toEqual([three.id]);
    expect(await due(NOW + 21, { askedSince: NOW + 1 })).toEqual([]);
    expect(await due(NOW + 21, { venue: 'w' })).toEqual([]);
  });

  it('forgets what has long been empty or unasked', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    const [emptied, full, old] = [pool(a, b), pool(a, b), pool(a, c)];
    await store.record(key(a, b), [emptied, full], NOW, 'whole');
    await store.record(key(a, c), [old], NOW - 10, 'whole');
    await store.saveSeen([{ id: emptied.id, slot: 1n, reserves: [0n, 0n] }], NOW + 5);
    const trim = (more: { readonly emptyBefore: number; readonly askedBefore: number }) =>
      store.trim({ ...more, maxPools: 100, maxSearches: 100 });
    expect(await trim({ emptyBefore: NOW + 5, askedBefore: NOW - 10 })).toBe(0);
    expect(await trim({ emptyBefore: NOW + 6, askedBefore: NOW - 10 })).toBe(1);
    expect(await idsOf(a, b)).toEqual([full.id]);
    // The pool and its question.
    expect(await trim({ emptyBefore: 0, askedBefore: NOW })).toBe(2);
    expect(await idsOf(a, c)).toBeUndefined();
    expect(await idsOf(a, b)).toEqual([full.id]);
    // An empty answer is an answer: it goes when it is not asked for, and not for its emptiness.
    await store.record(key(b, c, 'nowhere'), [], NOW, 'whole');
    await trim({ emptyBefore: NOW + 100, askedBefore: NOW - 10 });
    expect(await idsOf(b, c, 'nowhere')).toEqual([]);
  });

  it('stays within its bounds, and asks anew about what it had to forget', async () => {
    const questions = Array.from({ length: 6 }, () => [fresh(), fresh()] as const);
    for (const [n, [a, b]] of questions.entries()) {
      await store.record(key(a, b), [pool(a, b), pool(a, b)], NOW + n, 'whole');
    }
    const bounds = { emptyBefore: 0, askedBefore: 0, maxSearches: 100 };
    expect(await store.trim({ ...bounds, maxPools: 12 })).toBe(0);
    // Five pools go, and with them the three questions that had found them.
    expect(await store.trim({ ...bounds, maxPools: 7 })).toBe(8);
    const left = await Promise.all(questions.map(([a, b]) => idsOf(a, b)));
    expect(left.map((ids) => ids?.length)).toEqual([undefined, undefined, undefined, 2, 2, 2]);
    expect(await store.trim({ ...bounds, maxPools: 100, maxSearches: 1 })).toBe(2);
  });

  it('finds tokens of known pools by what they are called, and forgets names with their pools', async () => {
    const [a, b, c, d] = [fresh(), fresh(), fresh(), fresh()];
    const due = async (readBefore = NOW, limit = 10) =>
      (await store.dueNames({ readBefore, limit })).toSorted();
    await store.record(key(a, b), [pool(a, b)], NOW - 10, 'whole');
    const second = pool(c, a);
    await store.record(key(c, a), [second], NOW, 'whole');
    expect(await due()).toEqual([a, b, c].toSorted());
    expect(await due(NOW, 2)).toHaveLength(2);
    await store.saveNames(
      [
        { mint: a, symbol: 'dogwif', name: 'a hat' },
        { mint: b, symbol: 'dog', name: '%' },
        { mint: c, symbol: 'cat', name: 'not a dog' },
        { mint: d, symbol: 'dog', name: 'without a pool' },
      ],
      NOW,
    );
    expect(await store.findNames('dog', 10)).toEqual([b, a, c]);
    expect(await store.findNames('dog', 2)).toEqual([b, a]);
    // No pattern: only the text itself.
    expect(await store.findNames('%', 10)).toEqual([b]);
    expect(await store.findNames('_', 10)).toEqual([]);
    expect(await due()).toEqual([]);
    await store.saveNames([{ mint: a, symbol: '', name: '' }], NOW + 1);
    expect(await due(NOW + 1)).toEqual([b, c].toSorted());
    expect(await store.findNames('dogwif', 10)).toEqual([]);
    await store.remove([second.id]);
    expect(await store.findNames('cat', 10)).toEqual([]);
    await store.trim({ emptyBefore: 0, askedBefore: 0, maxPools: 100, maxSearches: 100 });
    await store.record(key(c, d), [pool(c, d)], NOW, 'whole');
    expect(await store.findNames('cat', 10)).toEqual([]);
    await store.saveNames([], NOW);
  });

  it('takes the same discovery by many at once', async () => {
    const [a, b] = [fresh(), fresh()];
    const found = Array.from({ length: 20 }, () => pool(a, b));
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        await store.record(key(a, b), n % 2 === 0 ? found : found.toReversed(), NOW + n, 'whole');
        await store.find([key(a, b), key(b, null)], NOW + 2 * MINUTE);
        await store.saveSeen(
          found.map(({ id }) => ({ id, slot: BigInt(n), reserves: [1n, 1n] })),
          NOW,
        );
      }),
    );
    expect(await idsOf(a, b)).toHaveLength(20);
  });
}
