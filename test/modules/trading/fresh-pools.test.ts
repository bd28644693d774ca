import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { freshPools, loadFreshPools } from '../../../src/modules/trading/use/fresh-pools.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { addressOf } from '../../engine/intents/build.ts';

const [A, B] = [addressOf(1), addressOf(2)];
const MAX_AGE_MS = 2_000;

/** A venue whose pool is at another slot at each read, and work beside it that takes `tookMs` by the clock. */
async function pricedAfter(tookMs: number) {
  let now = 1_000;
  let slot = 0n;
  let finish = (): void => undefined;
  const others = new Promise<string>((resolve) => {
    finish = () => resolve('offers');
  });
  const venue: Venue = {
    name: 'venue',
    pools: async () => {
      slot += 1n;
      return [{ id: addressOf(9), mints: [A, B], slot } as unknown as Pool];
    },
    counterparts: async () => [],
  };
  const loading = loadFreshPools(
    { venues: [venue], hubs: [], clock: { now: () => now }, maxStateAgeMs: MAX_AGE_MS },
    { mintIn: A, mintOut: B },
    others,
  );
  // The pools are there long before what else is waited for.
  await new Promise((resolve) => setImmediate(resolve));
  now += tookMs;
  finish();
  const loaded = await loading;
  expect(loaded.others).toBe('offers');
  return loaded.pools.map((pool) => pool.slot);
}

describe('the age of what a route is chosen over', () => {
  it('takes pools as they were read while the rest arrives in time', async () => {
    expect(await pricedAfter(0)).toEqual([1n]);
    expect(await pricedAfter(MAX_AGE_MS)).toEqual([1n]);
  });

  it('reads pools again that have waited too long for the rest', async () => {
    expect(await pricedAfter(MAX_AGE_MS + 1)).toEqual([2n]);
  });

  it('counts the age of a pool that was followed from when it was known, not from when it was asked for', async () => {
    let now = 10_000;
    let reads = 0;
    const venue: Venue = {
      name: 'venue',
      pools: async () => {
        reads += 1;
        const followed = reads === 1 ? { asOf: now - 1_500 } : {};
        return [
          { id: addressOf(9), mints: [A, B], slot: BigInt(reads), ...followed } as unknown as Pool,
          { id: addressOf(8), mints: [A, B], slot: BigInt(reads) } as unknown as Pool,
        ];
      },
      counterparts: async () => [],
    };
    const fresh = freshPools(
      { venues: [venue], hubs: [], clock: { now: () => now }, maxStateAgeMs: MAX_AGE_MS },
      { mintIn: A, mintOut: B },
    );
    const slots = async () => (await fresh()).pools.map((pool) => pool.slot);
    expect(await slots()).toEqual([1n, 1n]);
    now += 500;
    expect(await slots()).toEqual([1n, 1n]);
    now += 1;
    expect(await slots()).toEqual([2n, 2n]);
    now += MAX_AGE_MS;
    expect(await slots()).toEqual([2n, 2n]);
  });

  it('reads once for all who ask at a time, old or new, and anew after a failure', async () => {
    let [now, reads, fails] = [0, 0, false];
    const venue: Venue = {
      name: 'venue',
      pools: async () => {
        reads += 1;
        if (fails) throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'rpc', cause: 'down' });
        return [{ id: addressOf(9), mints: [A, B], slot: BigInt(reads) } as unknown as Pool];
      },
      counterparts: async () => [],
    };
    const deps = { venues: [venue], hubs: [], clock: { now: () => now }, maxStateAgeMs: MAX_AGE_MS };
    const fresh = freshPools(deps, { mintIn: A, mintOut: B });
    const slots = async () => (await fresh()).pools.map(({ slot }) => slot);
    expect(reads).toBe(0);
    expect(await Promise.all([slots(), slots()])).toEqual([[1n], [1n]]);
    now = MAX_AGE_MS + 1;
    expect(await Promise.all([slots(), slots(), slots()])).toEqual([[2n], [2n], [2n]]);
    now *= 3;
    fails = true;
    await expect(fresh()).rejects.toThrow('CHAIN_UNREACHABLE');
    fails = false;
    expect(await slots()).toEqual([4n]);
  });

  it('fails as what it waits for fails', async () => {
    const rejected = loadFreshPools(
      { venues: [], hubs: [], clock: { now: () => 0 }, maxStateAgeMs: MAX_AGE_MS },
      { mintIn: A, mintOut: B },
      Promise.reject(new Error('the node is gone')),
    );
    await expect(rejected).rejects.toThrow('the node is gone');
  });
});
