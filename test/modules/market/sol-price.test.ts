import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { expect, it } from 'vitest';
import type { UsdPrice } from '../../../src/modules/market/rules/usd-price.ts';
import { createSolPrice, type SolPriceDeps } from '../../../src/modules/market/use/sol-price.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';

const USD = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

/** SOL against dollars, `sol` and `usd` in whole tokens on its sides, without a fee. */
function pool(id: string, sol: bigint, usd: bigint): Pool {
  const [a, b] = [sol * 1_000_000_000n, usd * 1_000_000n];
  return {
    id: id as Address,
    venue: 'test',
    label: id,
    mints: [WSOL_MINT, USD],
    slot: 1n,
    quote: (mintIn, amount) =>
      mintIn === WSOL_MINT ? (b * amount) / (a + amount) : (a * amount) / (b + amount),
    spot: (mintIn) =>
      mintIn === WSOL_MINT ? { numerator: b, denominator: a } : { numerator: a, denominator: b },
    swap: () => [],
  };
}

function price(pools: readonly Pool[], changes: Partial<SolPriceDeps> = {}) {
  let asked = 0;
  const venue = { name: 'test', pools: async () => pools, counterparts: async () => [] } satisfies Venue;
  const token = { decimals: 6 } as never;
  const solPrice = createSolPrice({
    chain: { token: async () => token },
    venues: [
      {
        ...venue,
        pools: async () => {
          asked += 1;
          return pools;
        },
      },
    ],
    clock: { now: () => 1_000 },
    usdMint: USD,
    ...changes,
  });
  return { solPrice, asked: () => asked };
}
const kept = (stale: boolean): UsdPrice => ({
  usd: 123.456_789_9,
  confidence: 'high',
  stale,
  liquidityUsd: 1,
  at: 0,
});

it('is what the markets say, and asks no pool then', async () => {
  const { solPrice, asked } = price([pool('a', 1_000n, 150_000n)], {
    usdPrices: async () => new Map([[WSOL_MINT, kept(false)]]),
  });
  expect([await solPrice(), asked()]).toEqual([123_456_789n, 0]);
});

it('is the median of the pools as they are now where the markets do not say it, or long ago', async () => {
  const pools = [pool('a', 1_000n, 150_000n), pool('b', 1_000n, 151_000n), pool('liar', 100n, 100_000n)];
  for (const usdPrices of [
    undefined,
    async () => new Map(),
    async () => new Map([[WSOL_MINT, kept(true)]]),
    () => Promise.reject(new Error('no database')),
  ]) {
    const { solPrice } = price(pools, usdPrices === undefined ? {} : { usdPrices });
    expect(await solPrice()).toBe(151_000_000n);
  }
});

it('is not known from thin pools, without a dollar, or when nobody answers', async () => {
  expect(await price([pool('thin', 3n, 450n)]).solPrice()).toBeNull();
  expect(await price([pool('a', 1_000n, 150_000n)], { usdMint: null }).solPrice()).toBeNull();
  expect(await price([], {}).solPrice()).toBeNull();
});

it('rests on no older look than is asked for, wherever it is kept', async () => {
  const time = { now: 100_000 };
  const lookedAt = { at: 95_000 };
  const { solPrice, asked } = price([pool('a', 1_000n, 150_000n)], {
    clock: { now: () => time.now },
    usdPrices: async () => new Map([[WSOL_MINT, { ...kept(false), ...lookedAt }]]),
    atMostMs: 10_000,
  });
  expect([await solPrice(), asked()]).toEqual([123_456_789n, 0]);
  time.now = 104_999;
  expect([await solPrice(), asked()]).toEqual([123_456_789n, 0]);
  time.now = 105_000;
  expect([await solPrice(), asked()]).toEqual([150_000_000n, 1]);
});
