import { TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { meteoraDammV2 } from '../../src/meteora-damm-v2/index.ts';
import { SWAP } from '../../src/meteora-damm-v2/instruction.ts';
import {
  DAMM_V2_AUTHORITY,
  DAMM_V2_EVENT_AUTHORITY,
  DAMM_V2_PROGRAM,
  POOL,
} from '../../src/meteora-damm-v2/layout.ts';
import { powQ64, scheduledFee } from '../../src/shared/fee-schedule.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildDamm, VAULTS } from './build.ts';

const Q64 = 1n << 64n;

describe('a Meteora DAMM v2 pool', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([241, 154, 109, 4, 17, 177, 109, 188]);
    expect([...SWAP]).toEqual([248, 198, 158, 145, 225, 117, 135, 200]);
    expect(programAddress(DAMM_V2_PROGRAM, [textSeed('pool_authority')])).toBe(DAMM_V2_AUTHORITY);
    expect(programAddress(DAMM_V2_PROGRAM, [textSeed('__event_authority')])).toBe(DAMM_V2_EVENT_AUTHORITY);
  });

  it('gives what the curve gives, less a fee on the output rounded up', () => {
    // Price 1, liquidity 10^6 units: 1,000 in gives floor(10^6 · 1000 / 1,001,000) = 999 before the fee.
    const pool = poolOf(meteoraDammV2, buildDamm({ liquidity: 1_000_000n * Q64 }));
    expect(pool.quote(pool.mints[0], 1_000n)).toBe(999n - 3n);
    expect(pool.quote(pool.mints[1], 1_000n)).toBe(999n - 3n);
  });

  it('takes the fee from the input when it collects in B and B comes in', () => {
    const pool = poolOf(meteoraDammV2, buildDamm({ liquidity: 1_000_000n * Q64, collectFeeMode: 1 }));
    expect(pool.quote(pool.mints[1], 1_000n)).toBe((1_000_000n * 997n) / 1_000_997n);
    expect(pool.quote(pool.mints[0], 1_000n)).toBe(999n - 3n);
  });

  it('answers 0 to an amount that would push the price out of its range', () => {
    const pool = poolOf(
      meteoraDammV2,
      buildDamm({ liquidity: 1_000_000n * Q64, range: [(Q64 * 9n) / 10n, (Q64 * 11n) / 10n] }),
    );
    expect(pool.quote(pool.mints[0], 100_000n)).toBeGreaterThan(0n);
    expect(pool.quote(pool.mints[0], 112_000n)).toBe(0n);
    expect(pool.quote(pool.mints[1], 99_999n)).toBeGreaterThan(0n);
    expect(pool.quote(pool.mints[1], 100_002n)).toBe(0n);
  });

  it('charges less as its schedule runs and more while it is volatile', () => {
    const schedule = { periods: 10, length: 60n, reduction: 10_000_000n };
    const fixture = buildDamm({ cliffFeeNumerator: 200_000_000n, schedule, activationPoint: 1_789_999_000n });
    const early = poolOf(meteoraDammV2, fixture, { unixSeconds: 1_789_999_059n });
    const later = poolOf(meteoraDammV2, fixture, { unixSeconds: 1_789_999_060n });
    const last = poolOf(meteoraDammV2, fixture, { unixSeconds: 1_799_999_060n });
    const out = (pool: typeof early) => pool.quote(pool.mints[0], 1_000_000_000n);
    expect([out(early), out(later), out(last)].map((value) => value / 1_000_000n)).toEqual([
      799n,
      809n,
      899n,
    ]);
    const calm = poolOf(meteoraDammV2, buildDamm());
    const wild = poolOf(
      meteoraDammV2,
      buildDamm({ dynamic: { control: 40_000, binStep: 1, volatility: 1_000_000n } }),
    );
    // 40,000 · 10^12 / 10^11 = 400,000 parts of a billion on top of 2,500,000.
    expect(calm.quote(calm.mints[0], 10n ** 9n) - wild.quote(wild.mints[0], 10n ** 9n)).toBe(399_600n);
  });

  it('raises to powers the way the program truncates', () => {
    expect(powQ64(Q64 / 2n, 3n)).toBe(Q64 / 8n);
    expect(powQ64(Q64 * 2n, 0n)).toBe(Q64);
    expect(powQ64(Q64 * 2n, -1n)).toBe(Q64 / 2n - 1n);
    expect(
      scheduledFee(
        {
          kind: 'exponential',
          cliffNumerator: 500_000_000n,
          periods: 5n,
          periodLength: 1n,
          reduction: 5_000n,
        },
        12n,
        10n,
      ),
    ).toBe(125_000_000n);
  });

  it.each([0, 1])(
    'is monotone, concave and below its spot price when it collects in mode %i',
    (collectFeeMode) => {
      const amounts = Array.from(
        { length: 50 },
        (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
      );
      for (const sqrtPrice of [Q64 / 50_000n, Q64, Q64 * 77n]) {
        const pool = poolOf(meteoraDammV2, buildDamm({ sqrtPrice, collectFeeMode }));
        expectPoolProperties(pool, [2n ** 80n, 2n ** 80n], amounts);
      }
    },
  );

  it('builds swap with the pool order of vaults and no referral', () => {
    const fixture = buildDamm();
    const pool = poolOf(meteoraDammV2, fixture);
    const [owner, source, destination] = [testAddress(90), testAddress(91), testAddress(92)];
    const [instruction] = pool.swap({
      owner,
      source,
      destination,
      mintIn: pool.mints[1],
      amountIn: 7n,
      amountOut: 6n,
      minOut: 5n,
    });
    expect([...(instruction?.data ?? [])]).toEqual([...SWAP, 7, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    expect(
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      ),
    ).toEqual([
      DAMM_V2_AUTHORITY,
      `${fixture.id}*`,
      `${source}*`,
      `${destination}*`,
      `${VAULTS[0]}*`,
      `${VAULTS[1]}*`,
      pool.mints[0],
      pool.mints[1],
      `${owner}!`,
      TOKEN_PROGRAM,
      TOKEN_PROGRAM,
      DAMM_V2_PROGRAM,
      DAMM_V2_EVENT_AUTHORITY,
      DAMM_V2_PROGRAM,
    ]);
  });

  it.each([
    ['not-trading', buildDamm({ status: 1 })],
    ['not-trading', buildDamm({ activationPoint: 1_790_000_001n })],
    ['not-trading', buildDamm({ activationType: 0, activationPoint: 400_000_001n })],
    ['unmodelled', buildDamm({ activationType: 2 })],
    ['unmodelled', buildDamm({ collectFeeMode: 2 })],
    ['unmodelled', buildDamm({ baseFeeMode: 2 })],
    ['unmodelled', buildDamm({ feeVersion: 2 })],
    ['bad-state', buildDamm({ liquidity: 0n })],
    ['bad-state', buildDamm({ sqrtPrice: 1n })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(meteoraDammV2, fixture)).toMatchObject({ kind: 'refusal', reason });
  });
});
