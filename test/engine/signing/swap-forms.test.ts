import { readdirSync } from 'node:fs';
import { type Instruction, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { openbookV2 } from '../../../packages/venues/src/openbook-v2/index.ts';
import { pumpFun } from '../../../packages/venues/src/pump-fun/index.ts';
import { CURVE_AT } from '../../../packages/venues/src/pump-fun/layout.ts';
import { raydiumAmmV4 } from '../../../packages/venues/src/raydium-amm-v4/index.ts';
import { raydiumLaunchlab } from '../../../packages/venues/src/raydium-launchlab/index.ts';
import { buildMarket } from '../../../packages/venues/test/openbook-v2/build.ts';
import { buildCurve, DOLLARS } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildAmmV4 } from '../../../packages/venues/test/raydium-amm-v4/build.ts';
import { buildLaunch } from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { buildMint, poolOf, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { readSwapCall } from '../../../src/engine/signing/rules/swap-forms.ts';
import {
  BOUGHT,
  DESTINATION,
  OWNER,
  SOLD,
  SOURCE,
  STEP_POOLS,
} from '../../modules/trading/router-program/real-swaps.ts';

/** One pool of each venue, and of each form that its instruction has. */
const POOLS: Readonly<Record<string, () => Pool>> = {
  ...Object.fromEntries(
    Object.entries(STEP_POOLS).map(([name, make]) => [name, () => make([SOLD, BOUGHT], 0)] as const),
  ),
  'raydium-amm-v4, short form': () =>
    poolOf(raydiumAmmV4('short'), buildAmmV4({ mints: [SOLD, BOUGHT], reserves: [10n ** 12n, 10n ** 12n] })),
  'raydium-launchlab': () => poolOf(raydiumLaunchlab, buildLaunch()),
  'pump-fun': () => poolOf(pumpFun, buildCurve()),
  'pump-fun, mayhem coin': () => poolOf(pumpFun, buildCurve({ flagAt: CURVE_AT.isMayhem })),
  'pump-fun, dollar curve': () => poolOf(pumpFun, buildCurve({ quote: DOLLARS })),
  'openbook-v2': () =>
    poolOf(
      openbookV2,
      buildMarket({
        asks: [{ price: 3n, lots: 10n ** 12n }],
        bids: [{ price: 2n, lots: 10n ** 12n }],
        baseLotSize: 1n,
        mints: [buildMint(testAddress(10)), buildMint(testAddress(11))],
      }),
    ),
};
const [AMOUNT_IN, MIN_OUT] = [1_000_000n, 77n];

const swapOf = (pool: Pool, direction: 0 | 1): Instruction => {
  const made = pool.swap({
    owner: OWNER,
    mintIn: pool.mints[direction],
    amountIn: AMOUNT_IN,
    amountOut: 100n,
    minOut: MIN_OUT,
    source: SOURCE,
    destination: DESTINATION,
    destinationHolds: 0n,
    tokenAccountRent: 2_039_280n,
  });
  const [swap, ...more] = made.filter((one) => readSwapCall(one) !== null);
  if (swap === undefined || more.length > 0) throw new Error('one swap of a known form was expected');
  return swap;
};

describe.each(Object.keys(POOLS))('the swap of %s', (name) => {
  const pool = POOLS[name]!();

  it.each([0, 1] as const)(
    'says whose it is, from where to where, and how much, in direction %i',
    (direction) => {
      const call = readSwapCall(swapOf(pool, direction))!;
      const takesLamports = name === 'pump-fun' || name === 'pump-fun, mayhem coin';
      expect(call.owner).toBe(OWNER);
      expect(call.source).toBe(takesLamports && direction === 1 ? 'lamports' : SOURCE);
      expect(call.destination).toBe(takesLamports && direction === 0 ? 'lamports' : DESTINATION);
      const hides = name === 'openbook-v2';
      expect([call.amountIn, call.minOut]).toEqual(hides ? [null, null] : [AMOUNT_IN, MIN_OUT]);
      expect(call.others).not.toContain(SOURCE);
      expect(call.others).not.toContain(DESTINATION);
      expect(call.others).not.toContain(OWNER);
      expect(call.others.length).toBeGreaterThan(3);
    },
  );

  it.each([0, 1] as const)(
    'is none with another program, fewer accounts, other or more bytes, in direction %i',
    (direction) => {
      const swap = swapOf(pool, direction);
      const { programId, accounts, data } = swap;
      expect(readSwapCall({ ...swap, programId: testAddress(1) })).toBeNull();
      expect(readSwapCall({ ...swap, data: data.subarray(0, -1) })).toBeNull();
      expect(readSwapCall({ ...swap, data: new Uint8Array([...data, 0]) })).toBeNull();
      expect(readSwapCall({ ...swap, data: data.with(0, (data[0] ?? 0) ^ 0x80) })).toBeNull();
      expect(readSwapCall({ programId, accounts: accounts.slice(0, 7), data })).toBeNull();
    },
  );
});

describe('the forms of swaps', () => {
  it('know every venue that trades by a program', () => {
    const folders = readdirSync('packages/venues/src', { withFileTypes: true })
      .filter((one) => one.isDirectory() && one.name !== 'shared')
      .map(({ name }) => name);
    expect(folders.length).toBeGreaterThan(8);
    expect(folders.filter((folder) => !(folder in POOLS))).toEqual([]);
  });

  it.each<[string, number, number]>([
    // The amount would be what comes out, the minimum what may go in at most.
    ['orca-whirlpool', 40, 0],
    ['raydium-clmm', 40, 0],
    ['raydium-launchlab', 24, 1],
    ['raydium-launchlab', 31, 1],
    ['openbook-v2', 8, 2],
    ['openbook-v2', 33, 0],
  ])('refuse what changes the meaning of the amounts, or shares them: %s, byte %i', (name, at, byte) => {
    const swap = swapOf(POOLS[name]!(), 0);
    expect(readSwapCall({ ...swap, data: swap.data.with(at, byte) })).toBeNull();
  });

  it('refuse an order on a book that somebody else pays the storage of', () => {
    const swap = swapOf(POOLS['openbook-v2']!(), 0);
    const accounts = swap.accounts.with(1, { address: WSOL_MINT, signer: true, writable: true });
    expect(readSwapCall({ ...swap, accounts })).toBeNull();
  });
});
