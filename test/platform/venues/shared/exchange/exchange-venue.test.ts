import { type Address, addressBytes, addressFromBytes, type ChainAccount } from '@tradepost/solana';
import type { Refusal } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { cpmmPools } from '../../../../../packages/venues/src/raydium-cpmm/derive.ts';
import { raydiumCpmm } from '../../../../../packages/venues/src/raydium-cpmm/index.ts';
import { POOL_AT } from '../../../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildCpmm } from '../../../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  AccountBytes,
  type PoolFixture,
  testAddress,
} from '../../../../../packages/venues/test/shared/build.ts';
import { address } from '../../../../../src/core/address/address.ts';
import type { FoundPool } from '../../../../../src/modules/market/store/pool-catalogue-port.ts';
import type { Token } from '../../../../../src/modules/tokens/rules/token.ts';
import {
  createExchangeVenue,
  type IndexedPool,
  type ProgramSearch,
} from '../../../../../src/platform/venues/exchange-venue.ts';

const CLOCK = address('SysvarC1ock11111111111111111111111111111111');

/** The fixtures' accounts as a chain: lists by the filters it is asked with, reads by address, counts its reads. */
function chainOf(fixtures: readonly PoolFixture[], unixSeconds: bigint) {
  const accounts = new Map<Address, ChainAccount>(fixtures.flatMap((fixture) => [...fixture.accounts]));
  const clock = new AccountBytes(40).u64(0, 55n).u64(16, 900n).u64(32, unixSeconds);
  accounts.set(CLOCK, clock.ownedBy(testAddress(0)));
  const reads: number[] = [];
  const token = (mint: Address): Token | null => {
    const facts = fixtures.flatMap((fixture) => fixture.mints).find((one) => one.mint === mint);
    const rest = { supply: 1n, symbol: null, name: null, mintAuthority: null, freezeAuthority: null };
    return facts === undefined ? null : { ...facts, ...rest };
  };
  const matches = (search: ProgramSearch, account: ChainAccount) =>
    account.owner === search.programId &&
    search.filters.every((filter) =>
      filter.kind === 'size'
        ? account.data.length === filter.bytes
        : filter.bytes.every((byte, index) => account.data[filter.offset + index] === byte),
    );
  return {
    reads,
    accounts,
    chain: {
      accounts: async (wanted: readonly Address[]) => {
        reads.push(wanted.length);
        return { slot: 77n, accounts: wanted.map((key) => accounts.get(key) ?? null) };
      },
      token: async (mint: Address) => token(mint),
    },
    programAccounts: {
      find: async (search: ProgramSearch) =>
        [...accounts].flatMap(([key, account]) =>
          matches(search, account) ? [{ address: key, account }] : [],
        ),
    },
  };
}

/** The first vault of a pool, as the chain has it. */
function vaultOf(accounts: ReadonlyMap<Address, ChainAccount>, pool: ChainAccount): ChainAccount {
  const vault = accounts.get(addressFromBytes(pool.data.slice(POOL_AT.vaultA, POOL_AT.vaultA + 32)));
  if (vault === undefined) throw new Error('the fixture has no vault');
  return vault;
}

const knowing = (pools: readonly IndexedPool[]) => ({ find: async () => ({ pools, isWhole: true }) });

describe('a venue over an exchange program', () => {
  it('finds a pool whichever way round its mints are asked for, at the slot of one read', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n] });
    const world = chainOf([fixture], 1_790_000_000n);
    const venue = createExchangeVenue(raydiumCpmm, world);
    const [mintA, mintB] = [fixture.mints[0].mint, fixture.mints[1].mint];
    for (const pools of [await venue.pools(mintA, mintB), await venue.pools(mintB, mintA)]) {
      expect(pools.map((pool) => [pool.id, pool.venue, pool.slot])).toEqual([
        [fixture.id, 'raydium-cpmm', 77n],
      ]);
      expect(pools[0]?.quote(mintA, 1_000n)).toBeGreaterThan(0n);
    }
    // The places that follow from the mints; then clock, pool, two vaults, configuration.
    expect(world.reads).toEqual([32, 5, 32, 5]);
    expect(await venue.counterparts(mintB)).toEqual([mintA]);
    expect(await venue.pools(mintA, testAddress(99))).toEqual([]);
  });

  it('judges opening times by the chain clock and tells why a pool is left out', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n], openTime: 500n });
    const refusals: [Address, Refusal][] = [];
    const ask = (unixSeconds: bigint) =>
      createExchangeVenue(raydiumCpmm, {
        ...chainOf([fixture], unixSeconds),
        onRefusal: (pool, refusal) => refusals.push([pool, refusal]),
      }).pools(fixture.mints[0].mint, fixture.mints[1].mint);
    expect(await ask(499n)).toEqual([]);
    expect(refusals).toEqual([
      [fixture.id, { kind: 'refusal', reason: 'not-trading', detail: 'opens at 500' }],
    ]);
    expect(await ask(500n)).toHaveLength(1);
  });

  it('reads a pool that it knows in one go, and again when what it depends on has moved', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n] });
    const world = chainOf([fixture], 1_790_000_000n);
    const [mintA, mintB] = [fixture.mints[0].mint, fixture.mints[1].mint];
    const poolIndex = knowing([{ id: fixture.id, mints: [mintA, mintB] }]);
    const venue = createExchangeVenue(raydiumCpmm, { ...world, poolIndex });
    // The first time nobody knows what it depends on: clock and pool, then everything.
    expect(await venue.pools(mintA, mintB)).toHaveLength(1);
    expect(world.reads.splice(0)).toEqual([2, 5]);
    expect(await venue.pools(mintA, mintB)).toHaveLength(1);
    expect(world.reads.splice(0)).toEqual([5]);
    const pool = world.accounts.get(fixture.id);
    if (pool === undefined) throw new Error('the fixture has no pool');
    const moved = Uint8Array.from(pool.data);
    moved.set(addressBytes(testAddress(98)), POOL_AT.vaultA);
    world.accounts.set(fixture.id, { ...pool, data: moved });
    world.accounts.set(testAddress(98), vaultOf(world.accounts, pool));
    expect((await venue.pools(mintA, mintB))[0]?.quote(mintA, 1_000n)).toBeGreaterThan(0n);
    expect(world.reads.splice(0)).toEqual([5, 5]);
  });

  it('takes a pool that is followed without a read, and reads what is not', async () => {
    const fixtures = [buildCpmm({ reserves: [1_000_000n, 2_000_000n] })];
    const world = chainOf(fixtures, 1_790_000_000n);
    const [fixture] = fixtures;
    if (fixture === undefined) throw new Error('there is no fixture');
    const [mintA, mintB] = [fixture.mints[0].mint, fixture.mints[1].mint];
    const wanted: [Address, readonly Address[]][] = [];
    const told = new Map<Address, ChainAccount | null>();
    const venue = createExchangeVenue(raydiumCpmm, {
      ...world,
      poolIndex: knowing([{ id: fixture.id, mints: [mintA, mintB] }]),
      hotAccounts: {
        snapshot: (keys) =>
          keys.every((key) => told.has(key))
            ? { slot: 90n, asOf: 1_234, accounts: keys.map((key) => told.get(key) ?? null) }
            : null,
        want: (pool, keys) => wanted.push([pool, keys]),
      },
    });
    const [read] = await venue.pools(mintA, mintB);
    expect([read?.slot, read?.asOf]).toEqual([77n, undefined]);
    expect(world.reads.splice(0)).toEqual([2, 5]);
    const [[pool, keys] = [null, []]] = wanted.splice(0);
    expect(pool).toBe(fixture.id);
    expect(keys).toHaveLength(5);
    expect(keys.slice(0, 2)).toEqual([CLOCK, fixture.id]);

    // What is followed has another state than what a read would show.
    for (const key of keys) told.set(key, world.accounts.get(key) ?? null);
    const account = world.accounts.get(fixture.id);
    if (account === undefined) throw new Error('the fixture has no pool');
    world.accounts.delete(fixture.id);
    const [hot] = await venue.pools(mintA, mintB);
    expect([hot?.slot, hot?.asOf]).toEqual([90n, 1_234]);
    expect(hot?.quote(mintA, 1_000n)).toBe(read?.quote(mintA, 1_000n));
    expect(world.reads).toEqual([]);
    expect(wanted.splice(0)).toEqual([[fixture.id, keys]]);

    // Whoever looks after the catalogue wants to know what is there, and makes nothing hot.
    expect(await venue.upkeep.look([{ id: fixture.id, mints: [mintA, mintB] }])).toEqual([
      { id: fixture.id, kind: 'gone' },
    ]);
    expect(world.reads.splice(0)).toEqual([5]);
    expect(wanted).toEqual([]);

    // The pool has moved on to a vault that nobody follows yet.
    const moved = Uint8Array.from(account.data);
    moved.set(addressBytes(testAddress(98)), POOL_AT.vaultA);
    told.set(fixture.id, { ...account, data: moved });
    world.accounts.set(testAddress(98), vaultOf(world.accounts, account));
    world.accounts.set(fixture.id, { ...account, data: moved });
    expect((await venue.pools(mintA, mintB))[0]?.slot).toBe(77n);
    expect(world.reads.splice(0)).toEqual([5, 5]);
    expect(wanted.at(-1)?.[1]).toContain(testAddress(98));
  });

  it('says what has become of pools: their depth, nothing to trade, or gone', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n] });
    const world = chainOf([fixture], 500n);
    const account = world.accounts.get(fixture.id);
    if (account === undefined) throw new Error('the fixture has no pool');
    const later = Uint8Array.from(account.data);
    new DataView(later.buffer).setBigUint64(POOL_AT.openTime, 501n, true);
    const [open, closed, taken, gone] = [fixture.id, testAddress(101), testAddress(102), testAddress(103)];
    world.accounts.set(closed, { ...account, data: later });
    world.accounts.set(taken, { ...account, owner: testAddress(1) });
    const mints = [fixture.mints[0].mint, fixture.mints[1].mint] as const;
    const found = [open, closed, taken, gone].map((id) => ({ id, mints }));
    expect(await createExchangeVenue(raydiumCpmm, world).upkeep.look(found)).toEqual([
      { id: open, kind: 'seen', slot: 77n, reserves: [1_000_000n, 2_000_000n] },
      { id: closed, kind: 'seen', slot: 77n, reserves: [0n, 0n] },
      { id: taken, kind: 'gone' },
      { id: gone, kind: 'gone' },
    ]);
    const { upkeep } = createExchangeVenue(raydiumCpmm, world);
    const held = await upkeep.search(mints[0], null);
    expect([held.outcome, held.pools.map(({ id }) => id)]).toEqual(['whole', [open, closed]]);
    expect(await upkeep.search(mints[0], testAddress(97))).toEqual({ pools: [], outcome: 'whole' });
  });

  it('reads a bounded number of pools of one pair: the deepest, and some that nobody has looked at', async () => {
    const [mintA, mintB] = [testAddress(10), testAddress(11)];
    const asked: Address[] = [];
    const chain = {
      token: async () => null,
      accounts: async (wanted: readonly Address[]) => {
        asked.push(...wanted.filter((one) => one !== CLOCK));
        return { slot: 1n, accounts: wanted.map(() => null) };
      },
    };
    const seen = Array.from({ length: 60 }, (_, n) => ({
      id: testAddress(100 + n),
      mints: [mintA, mintB] as const,
      seen: { at: 1, slot: 1n, reserves: [BigInt(n), 0n] as const },
    }));
    const unseen = Array.from({ length: 60 }, (_, n) => ({
      id: testAddress(200 + n),
      mints: [mintA, mintB] as const,
    }));
    const ask = async (known: readonly IndexedPool[]) => {
      asked.length = 0;
      const poolIndex = knowing(known);
      await createExchangeVenue(raydiumCpmm, { ...chainOf([], 1n), chain, poolIndex }).pools(mintA, mintB);
      return new Set(asked);
    };
    expect(await ask([...unseen, ...seen])).toEqual(
      new Set([...seen.slice(-16), ...unseen.slice(0, 8)].map(({ id }) => id)),
    );
    expect((await ask(unseen)).size).toBe(24);
    expect((await ask(seen)).size).toBe(24);
  });

  it('lists nothing for a quote: it looks where the mints say, and says that the rest is being searched', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n] });
    const world = chainOf([fixture], 1_790_000_000n);
    const [mintA, mintB] = [fixture.mints[0].mint, fixture.mints[1].mint];
    const listed: unknown[] = [];
    const programAccounts = {
      find: async (search: unknown) => {
        listed.push(search);
        return null;
      },
    };
    const [place] = cpmmPools.near(mintA, mintB);
    if (place === undefined) throw new Error('there is no place');
    const poolIndex = {
      find: async (_key: unknown, near: () => Promise<readonly FoundPool[]>) => ({
        pools: await near(),
        isWhole: false,
      }),
    };
    const venue = createExchangeVenue(raydiumCpmm, { ...world, programAccounts, poolIndex });
    await expect(venue.pools(mintA, mintB)).rejects.toMatchObject({ code: 'SEARCHING' });
    await expect(venue.counterparts(mintA)).rejects.toMatchObject({ code: 'SEARCHING' });
    const account = world.accounts.get(fixture.id);
    if (account === undefined) throw new Error('the fixture has no pool');
    // The same bytes under another program's rule are no pool there.
    world.accounts.set(place, { ...account, owner: testAddress(1) });
    await expect(venue.pools(mintA, mintB)).rejects.toMatchObject({ code: 'SEARCHING' });
    world.accounts.set(place, account);
    expect((await venue.pools(mintA, mintB)).map(({ id }) => id)).toEqual([place]);
    expect(listed).toEqual([]);
    // The worker's search lists where it may, and says so where no node lets it.
    expect(await venue.upkeep.search(mintA, mintB)).toEqual({
      outcome: 'refused',
      pools: [{ id: place, mints: [mintA, mintB] }],
    });
    expect(listed).toHaveLength(2);
  });

  it('names both mints and the length of the account in its searches', () => {
    const [mintA, mintB] = [testAddress(10), testAddress(11)];
    const [forward, backward] = raydiumCpmm.filters.pair(mintA, mintB);
    expect(forward?.kind === 'program' && forward.filters).toEqual([
      { kind: 'size', bytes: 637 },
      { kind: 'match', offset: POOL_AT.mintA, bytes: addressBytes(mintA) },
      { kind: 'match', offset: POOL_AT.mintB, bytes: addressBytes(mintB) },
    ]);
    expect(backward?.kind === 'program' && backward.filters[1]).toEqual({
      kind: 'match',
      offset: POOL_AT.mintA,
      bytes: addressBytes(mintB),
    });
  });
});
