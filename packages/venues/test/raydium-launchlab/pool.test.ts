import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { raydiumLaunchlab } from '../../src/raydium-launchlab/index.ts';
import { BUY_EXACT_IN, feeVaultAddress, SELL_EXACT_IN } from '../../src/raydium-launchlab/instruction.ts';
import {
  LAUNCHLAB_AUTHORITY,
  LAUNCHLAB_EVENT_AUTHORITY,
  LAUNCHLAB_PROGRAM,
  POOL,
} from '../../src/raydium-launchlab/layout.ts';
import { u64 } from '../../src/shared/instruction-data.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildLaunch, CONFIG_ID, CREATOR, PLATFORM_ID, VAULTS } from './build.ts';

const SMALL = { virtual: [11_000n, 9_000n], real: [1_000n, 1_000n], totalSell: 5_000n } as const;

describe('a Raydium LaunchLab launch', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([247, 237, 227, 245, 215, 195, 222, 70]);
    expect([...BUY_EXACT_IN]).toEqual([250, 234, 13, 123, 213, 156, 19, 236]);
    expect([...SELL_EXACT_IN]).toEqual([149, 39, 222, 155, 211, 124, 152, 26]);
    expect(programAddress(LAUNCHLAB_PROGRAM, [textSeed('vault_auth_seed')])).toBe(LAUNCHLAB_AUTHORITY);
    expect(programAddress(LAUNCHLAB_PROGRAM, [textSeed('__event_authority')])).toBe(
      LAUNCHLAB_EVENT_AUTHORITY,
    );
  });

  it('takes the sum of the fees before a purchase and after a sale, rounded up', () => {
    // 10,000 each side; 1 % of 101 is 1.01, two units.
    const pool = poolOf(raydiumLaunchlab, buildLaunch(SMALL));
    expect(pool.quote(pool.mints[1], 101n)).toBe((99n * 10_000n) / 10_099n);
    const gross = (103n * 10_000n) / 10_103n;
    expect(pool.quote(pool.mints[0], 103n)).toBe(gross - 2n);
  });

  it('adds the creator fee of the platform', () => {
    const pool = poolOf(raydiumLaunchlab, buildLaunch({ ...SMALL, creatorFeeRate: 10_000n }));
    expect(pool.quote(pool.mints[1], 101n)).toBe((98n * 10_000n) / 10_098n);
  });

  it('answers 0 to more than is left for sale or was raised', () => {
    const pool = poolOf(raydiumLaunchlab, buildLaunch(SMALL));
    expect(pool.quote(pool.mints[1], 6_000n)).toBeGreaterThan(3_000n);
    expect(pool.quote(pool.mints[1], 7_000n)).toBe(0n);
    expect(pool.quote(pool.mints[0], 1_100n)).toBeGreaterThan(0n);
    expect(pool.quote(pool.mints[0], 1_200n)).toBe(0n);
  });

  it('is monotone, concave, below its spot price and within what it holds', () => {
    const amounts = Array.from(
      { length: 50 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    expectPoolProperties(
      poolOf(raydiumLaunchlab, buildLaunch()),
      [693_100_000_000_000n, 3_000_000_000n],
      amounts,
    );
  });

  it('builds purchases and sales with the same accounts', () => {
    const fixture = buildLaunch();
    const pool = poolOf(raydiumLaunchlab, fixture);
    const order = (mintIn: (typeof pool.mints)[0]) => ({
      owner: testAddress(90),
      source: testAddress(91),
      destination: testAddress(92),
      mintIn,
      amountIn: 7n,
      amountOut: 6n,
      minOut: 5n,
    });
    const [buy] = pool.swap(order(pool.mints[1]));
    const [sell] = pool.swap(order(pool.mints[0]));
    const metas = (instruction: typeof buy) =>
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      );
    const expected = (userA: string, userB: string) => [
      `${testAddress(90)}!*`,
      LAUNCHLAB_AUTHORITY,
      CONFIG_ID,
      PLATFORM_ID,
      `${fixture.id}*`,
      `${userA}*`,
      `${userB}*`,
      `${VAULTS[0]}*`,
      `${VAULTS[1]}*`,
      pool.mints[0],
      pool.mints[1],
      TOKEN_PROGRAM,
      TOKEN_PROGRAM,
      LAUNCHLAB_EVENT_AUTHORITY,
      LAUNCHLAB_PROGRAM,
      SYSTEM_PROGRAM,
      `${feeVaultAddress(PLATFORM_ID, pool.mints[1])}*`,
      `${feeVaultAddress(CREATOR, pool.mints[1])}*`,
    ];
    expect(metas(buy)).toEqual(expected(testAddress(92), testAddress(91)));
    expect(metas(sell)).toEqual(expected(testAddress(91), testAddress(92)));
    expect([...(buy?.data ?? [])]).toEqual([...BUY_EXACT_IN, ...u64(7n), ...u64(5n), ...u64(0n)]);
    expect([...(sell?.data ?? [])]).toEqual([...SELL_EXACT_IN, ...u64(7n), ...u64(5n), ...u64(0n)]);
  });

  it.each([
    ['not-trading', buildLaunch({ status: 1 })],
    ['unmodelled', buildLaunch({ curveType: 1 })],
    ['unmodelled', buildLaunch({ curveType: 2 })],
    ['bad-state', buildLaunch({ tradeFeeRate: 1_000_000n })],
    ['bad-state', buildLaunch({ real: [800_000_000_000_000n, 1n] })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(raydiumLaunchlab, fixture)).toMatchObject({ kind: 'refusal', reason });
  });
});
