import { type Address, addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { FoundPool } from '../../../src/modules/market/store/pool-catalogue-port.ts';
import { type RefreshPoolsDeps, refreshPools } from '../../../src/modules/market/use/refresh-pools.ts';
import { foldName } from '../../../src/modules/tokens/use/search-tokens.ts';
import type { PoolLook, PoolUpkeep, Venue } from '../../../src/platform/ports/venue.ts';
import { fakePoolCatalogue } from '../../support/fakes/pool-catalogue.ts';
import { buildToken } from '../tokens/build-token.ts';

const key = (n: number): Address => {
  const bytes = new Uint8Array(32).fill(3);
  new DataView(bytes.buffer).setUint32(0, n);
  return addressFromBytes(bytes);
};
const [A, B] = [key(1), key(2)];
const pool = (n: number): FoundPool => ({ id: key(100 + n), mints: [A, B] });
const seen = (id: Address, units = 5n, slot = 1n): PoolLook => ({
  id,
  kind: 'seen',
  slot,
  reserves: [units, units],
});
const tokenCalled = (mint: Address, symbol: string, name: string) => buildToken({ mint, symbol, name });
const MINUTE = 60_000;
const DAY = 86_400_000;

/** Venues over one market: `market` is what the cluster has, `looks` what each pool looks like (open unless said). */
function rig(names: readonly string[] = ['v']) {
  const state = { now: 1_790_000_000_000, searched: [] as string[], looked: [] as Address[], lists: true };
  const market = new Map<string, FoundPool[]>();
  const looks = new Map<Address, PoolLook>();
  const broken = new Set<string>();
  const warnings: string[] = [];
  const catalogue = fakePoolCatalogue();
  const upkeep = (name: string): PoolUpkeep => ({
    search: async (mintA, mintB) => {
      state.searched.push([name, mintA, mintB].join(' '));
      if (broken.has(name)) throw new TypeError('nonsense');
      return { pools: market.get(name) ?? [], outcome: state.lists ? 'whole' : 'refused' };
    },
    recognize: async () => [],
    look: async (pools) => {
      if (broken.has(name)) throw new TypeError('nonsense');
      state.looked.push(...pools.map(({ id }) => id));
      return pools.map(({ id }) => looks.get(id) ?? seen(id));
    },
  });
  const venues = names.map(
    (name): Venue => ({ name, pools: async () => [], counterparts: async () => [], upkeep: upkeep(name) }),
  );
  const run = async (more: Pick<RefreshPoolsDeps, 'searchHistory' | 'searchHolders' | 'hubs'> = {}) => {
    state.searched = [];
    state.looked = [];
    return refreshPools({
      ...more,
      venues,
      catalogue,
      chain: {
        token: async (mint) => {
          if (mint === B) throw new Error('no such mint now');
          return tokenCalled(mint, 'ＷIF', 'Dog with\u200b hat');
        },
      },
      clock: { now: () => state.now },
      rpcMeter: { measure: async (work) => ({ value: await work(), cost: { calls: 0, accounts: 0 } }) },
      log: { debug: () => undefined, warn: (_, text) => warnings.push(text) },
    });
  };
  const ask = (mintA = A, mintB: Address | null = B, venue = 'v') =>
    catalogue.find([{ venue, mintA, mintB }], state.now);
  const known = async (...given: Parameters<typeof ask>) =>
    (await ask(...given))[0]?.pools.map(({ id }) => id);
  const refuse = () => {
    state.lists = false;
  };
  return { run, ask, known, refuse, state, market, looks, broken, warnings, catalogue };
}

describe('refreshing the pool catalogue', () => {
  it('looks at pools that were found, and finds new ones of pairs that people ask about', async () => {
    const { run, ask, known, state, market, catalogue } = rig();
    const [one, two] = [pool(1), pool(2)];
    market.set('v', [one, two]);
    await catalogue.record({ venue: 'v', mintA: A, mintB: B }, [one], state.now, 'whole');
    expect(await run()).toEqual({ searches: 0, looks: 1, gone: 0, forgotten: 0 });
    expect((await ask())[0]?.pools[0]?.seen?.reserves).toEqual([5n, 5n]);
    state.now += MINUTE + 1;
    expect(await run()).toEqual({ searches: 1, looks: 2, gone: 0, forgotten: 0 });
    expect((await known())?.toSorted()).toEqual([one.id, two.id].toSorted());
  });

  it('spends nothing on what nobody has asked about for an hour but a look a day', async () => {
    const { run, state, catalogue } = rig();
    await catalogue.record({ venue: 'v', mintA: A, mintB: B }, [pool(1)], state.now, 'whole');
    await run();
    state.now += 60 * MINUTE + 1;
    expect(await run()).toMatchObject({ searches: 0, looks: 0 });
    state.now += DAY;
    expect(await run()).toMatchObject({ searches: 0, looks: 1 });
  });

  it('forgets pools that are gone at once, empty ones after a week, and others after a month', async () => {
    const { run, known, state, looks, catalogue } = rig();
    const [stays, goes, empties] = [pool(1), pool(2), pool(3)];
    await catalogue.record({ venue: 'v', mintA: A, mintB: B }, [stays, goes, empties], state.now, 'whole');
    looks.set(goes.id, { id: goes.id, kind: 'gone' });
    looks.set(empties.id, seen(empties.id, 0n));
    expect(await run()).toEqual({ searches: 0, looks: 3, gone: 1, forgotten: 0 });
    state.now += 7 * DAY + 1;
    expect((await known())?.toSorted()).toEqual([stays.id, empties.id].toSorted());
    expect(await run()).toMatchObject({ forgotten: 1 });
    expect(await known()).toEqual([stays.id]);
    state.now += 30 * DAY + 1;
    expect(await run()).toMatchObject({ forgotten: 2 });
    expect(await known()).toBeUndefined();
  });

  it('keeps the cost of one run within bounds, whatever is asked and found, and comes round to all', async () => {
    const { run, state, catalogue } = rig();
    for (let n = 0; n < 40; n += 1) {
      const mints = [A, key(1_000 + n)] as const;
      const found = Array.from({ length: 10 }, (_, m) => ({ id: key(10_000 + 10 * n + m), mints }));
      await catalogue.record({ venue: 'v', mintA: mints[0], mintB: mints[1] }, found, state.now, 'whole');
    }
    state.now += MINUTE + 1;
    const searched = new Set<string>();
    const looked = new Set<Address>();
    for (let turn = 0; turn < 4; turn += 1) {
      const { searches, looks } = await run();
      expect(searches).toBeLessThanOrEqual(16);
      expect(looks).toBeLessThanOrEqual(120);
      for (const one of state.searched) searched.add(one);
      for (const one of state.looked) looked.add(one);
      state.now += 1;
    }
    expect([searched.size, looked.size]).toEqual([40, 400]);
  });

  it('lets a venue that throws cost its own part alone', async () => {
    const { run, state, broken, warnings, catalogue } = rig(['bad', 'v']);
    await catalogue.record({ venue: 'bad', mintA: A, mintB: B }, [pool(1)], state.now - 1, 'whole');
    await catalogue.record({ venue: 'v', mintA: A, mintB: B }, [pool(2)], state.now, 'whole');
    broken.add('bad');
    state.now += MINUTE + 1;
    expect(await run()).toEqual({ searches: 1, looks: 1, gone: 0, forgotten: 0 });
    expect(warnings).toEqual([
      'a venue could not be searched for pools',
      'a venue could not look at its pools',
    ]);
    broken.clear();
    expect(await run()).toMatchObject({ looks: 1 });
  });

  it('writes an empty answer down as one, and a search that failed or was refused as none', async () => {
    const { run, state, broken, catalogue } = rig(['bad', 'v', 'w']);
    const questions = ['bad', 'v', 'w'].map((venue) => ({ venue, mintA: A, mintB: B }));
    const outcomes = async () => (await catalogue.find(questions, state.now)).map((one) => one?.outcome);
    for (const question of questions) await catalogue.record(question, [], state.now, 'partial');
    broken.add('bad');
    await run();
    expect(await outcomes()).toEqual(['failed', 'whole', 'whole']);
    // An empty answer is known: nothing is searched anew at once, and only what failed is no answer.
    expect(await run()).toMatchObject({ searches: 0 });
    state.lists = false;
    state.now += MINUTE + 1;
    await run();
    expect(await outcomes()).toEqual(['failed', 'refused', 'refused']);
  });

  it('believes no depth that a pool cannot have, and no word about pools that it did not ask for', async () => {
    const { run, ask, known, state, looks, catalogue } = rig();
    const [liar, meddler, other] = [pool(1), pool(2), pool(3)];
    await catalogue.record({ venue: 'v', mintA: A, mintB: B }, [liar, meddler], state.now, 'whole');
    await catalogue.record({ venue: 'w', mintA: A, mintB: B }, [other], state.now, 'whole');
    looks.set(liar.id, { id: liar.id, kind: 'seen', slot: 1n, reserves: [-1n, 1n << 64n] });
    looks.set(meddler.id, { id: other.id, kind: 'gone' });
    expect(await run()).toMatchObject({ gone: 0 });
    const pools = (await ask())[0]?.pools;
    expect(pools?.find(({ id }) => id === liar.id)?.seen?.reserves).toEqual([0n, 0n]);
    expect(await known(A, B, 'w')).toEqual([other.id]);
  });

  it('reads what tokens are called, once a day, and lets a mint that cannot be read cost nothing', async () => {
    const { run, state, catalogue } = rig();
    await catalogue.record({ venue: 'v', mintA: A, mintB: B }, [pool(1)], state.now, 'whole');
    await run();
    const token = tokenCalled(A, 'ＷIF', 'Dog with\u200b hat');
    expect(await catalogue.findNames(foldName(token.symbol) ?? '', 5)).toEqual([A]);
    expect(await catalogue.findNames('dog with hat', 5)).toEqual([A]);
    expect(await catalogue.dueNames({ readBefore: state.now, limit: 5 })).toEqual([]);
    state.now += DAY + 1;
    expect(await catalogue.dueNames({ readBefore: state.now - DAY, limit: 5 })).toHaveLength(2);
  });

  it('looks in the transactions of tokens whose venues no node lists, two a run, and never in those of a hub', async () => {
    const { run, state, catalogue, refuse } = rig();
    refuse();
    const [hub, ...tokens] = [key(60), key(61), key(62), key(63)];
    for (const token of tokens)
      await catalogue.record({ venue: 'v', mintA: hub ?? A, mintB: token }, [], state.now, 'partial');
    const asked: Address[] = [];
    const searchHistory = async (mint: Address) => {
      if (asked.includes(mint)) return false;
      asked.push(mint);
      if (mint === tokens[0]) throw new Error('no node answers');
      return true;
    };
    await run({ searchHistory, hubs: [hub ?? A] });
    expect(asked).toHaveLength(2);
    state.now += MINUTE + 1;
    expect(await run({ searchHistory, hubs: [hub ?? A] })).toMatchObject({ searches: 3 });
    expect(asked.toSorted()).toEqual(tokens.toSorted());
  });

  it('looks among their holders too, also where their transactions could not be read, and two a run in all', async () => {
    const { run, state, catalogue, refuse } = rig();
    refuse();
    const [hub, ...tokens] = [key(60), key(61), key(62), key(63)];
    for (const token of tokens)
      await catalogue.record({ venue: 'v', mintA: hub ?? A, mintB: token }, [], state.now, 'partial');
    const asked: Address[] = [];
    const searchHolders = async (mint: Address) => {
      if (asked.includes(mint)) return false;
      asked.push(mint);
      return true;
    };
    const searchHistory = async () => {
      throw new Error('no node answers');
    };
    await run({ searchHistory, searchHolders, hubs: [hub ?? A] });
    expect(asked).toHaveLength(2);
    state.now += MINUTE + 1;
    await run({ searchHolders, hubs: [hub ?? A] });
    expect(asked.toSorted()).toEqual(tokens.toSorted());
  });

  it('does nothing where no venue has pools to keep', async () => {
    const { state } = rig();
    const refuse = async () => {
      throw new Error('nobody should ask');
    };
    const none = new Proxy(fakePoolCatalogue(), { get: () => refuse });
    const quiet = { debug: () => undefined, warn: () => undefined };
    const outcome = await refreshPools({
      venues: [{ name: 'desk', pools: async () => [], counterparts: async () => [] }],
      catalogue: none,
      chain: { token: refuse },
      clock: { now: () => state.now },
      rpcMeter: { measure: refuse },
      log: quiet,
    });
    expect(outcome).toEqual({ searches: 0, looks: 0, gone: 0, forgotten: 0 });
  });
});
