import { describe, expect, it } from 'vitest';
import {
  createRaydiumCpmmVenue,
  raydiumCpmm,
} from '../../../../../src/adapters/venues/raydium-cpmm/index.ts';
import { POOL_AT } from '../../../../../src/adapters/venues/raydium-cpmm/layout.ts';
import type { ProgramSearch } from '../../../../../src/adapters/venues/shared/exchange/exchange-venue.ts';
import type { Refusal } from '../../../../../src/adapters/venues/shared/exchange/refusal.ts';
import { type Address, address, addressBytes } from '../../../../../src/core/address/address.ts';
import type { ChainAccount } from '../../../../../src/core/ports/chain.ts';
import type { Token } from '../../../../../src/core/tokens/token.ts';
import { buildCpmm } from '../../raydium-cpmm/build.ts';
import { AccountBytes, type PoolFixture, testAddress } from './build.ts';

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

describe('a venue over an exchange program', () => {
  it('finds a pool whichever way round its mints are asked for, at the slot of one read', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n] });
    const world = chainOf([fixture], 1_790_000_000n);
    const venue = createRaydiumCpmmVenue(world);
    const [mintA, mintB] = [fixture.mints[0].mint, fixture.mints[1].mint];
    for (const pools of [await venue.pools(mintA, mintB), await venue.pools(mintB, mintA)]) {
      expect(pools.map((pool) => [pool.id, pool.venue, pool.slot])).toEqual([
        [fixture.id, 'raydium-cpmm', 77n],
      ]);
      expect(pools[0]?.quote(mintA, 1_000n)).toBeGreaterThan(0n);
    }
    // Clock, pool, two vaults, configuration.
    expect(world.reads).toEqual([5, 5]);
    expect(await venue.counterparts(mintB)).toEqual([mintA]);
    expect(await venue.pools(mintA, testAddress(99))).toEqual([]);
  });

  it('judges opening times by the chain clock and tells why a pool is left out', async () => {
    const fixture = buildCpmm({ reserves: [1_000_000n, 2_000_000n], openTime: 500n });
    const refusals: [Address, Refusal][] = [];
    const ask = (unixSeconds: bigint) =>
      createRaydiumCpmmVenue({
        ...chainOf([fixture], unixSeconds),
        onRefusal: (pool, refusal) => refusals.push([pool, refusal]),
      }).pools(fixture.mints[0].mint, fixture.mints[1].mint);
    expect(await ask(499n)).toEqual([]);
    expect(refusals).toEqual([
      [fixture.id, { kind: 'refusal', reason: 'not-trading', detail: 'opens at 500' }],
    ]);
    expect(await ask(500n)).toHaveLength(1);
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
