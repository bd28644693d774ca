import { TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { meteoraDbc } from '../../src/meteora-dbc/index.ts';
import { SWAP } from '../../src/meteora-dbc/instruction.ts';
import {
  CONFIG,
  DBC_AUTHORITY,
  DBC_EVENT_AUTHORITY,
  DBC_PROGRAM,
  POOL,
} from '../../src/meteora-dbc/layout.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildDbc, CONFIG_ID, STEPS, VAULTS } from './build.ts';

const Q64 = 1n << 64n;

describe('a Meteora launch curve', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([213, 224, 5, 209, 98, 69, 119, 92]);
    expect([...(CONFIG.discriminator ?? [])]).toEqual([26, 108, 14, 123, 116, 230, 129, 43]);
    expect([...SWAP]).toEqual([248, 198, 158, 145, 225, 117, 135, 200]);
    expect(programAddress(DBC_PROGRAM, [textSeed('pool_authority')])).toBe(DBC_AUTHORITY);
    expect(programAddress(DBC_PROGRAM, [textSeed('__event_authority')])).toBe(DBC_EVENT_AUTHORITY);
  });

  it('walks every step of the curve up to the price at which it is complete', () => {
    const pool = poolOf(meteoraDbc, buildDbc({ sqrtPrice: Q64, cliffFeeNumerator: 0n }));
    // Quote to the top: 9·10^9·1 + 5·10^9·1 + 2·10^9·1; base out: L(1/s0 − 1/s1) of each step.
    const all = 16_000_000_000n;
    const base = 4_500_000_000n + 833_333_333n + 166_666_666n;
    expect(pool.quote(pool.mints[1], all)).toBe(base);
    expect(pool.quote(pool.mints[1], all + 1n)).toBe(0n);
  });

  it('sells back no further than the start of the curve', () => {
    const pool = poolOf(meteoraDbc, buildDbc({ sqrtPrice: 2n * Q64, cliffFeeNumerator: 0n }));
    expect(pool.quote(pool.mints[0], 4_500_000_000n)).toBe(9_000_000_000n);
    expect(pool.quote(pool.mints[0], 4_500_000_001n)).toBe(0n);
  });

  it('takes the fee in quote on both sides, or on whatever comes out', () => {
    const inQuote = poolOf(meteoraDbc, buildDbc());
    const onOutput = poolOf(meteoraDbc, buildDbc({ collectFeeMode: 1 }));
    const free = poolOf(meteoraDbc, buildDbc({ cliffFeeNumerator: 0n }));
    const [base, quote] = free.mints;
    expect(inQuote.quote(quote, 1_000_000n)).toBe(free.quote(quote, 990_000n));
    const gross = free.quote(quote, 1_000_000n);
    expect(onOutput.quote(quote, 1_000_000n)).toBe(gross - (gross + 99n) / 100n);
    const sold = free.quote(base, 1_000_000n);
    expect(inQuote.quote(base, 1_000_000n)).toBe(sold - (sold + 99n) / 100n);
  });

  it('is monotone, concave and below its spot price across its steps', () => {
    const amounts = Array.from(
      { length: 42 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    for (const sqrtPrice of [Q64, 2n * Q64, (5n * Q64) / 2n, (7n * Q64) / 2n]) {
      for (const collectFeeMode of [0, 1])
        expectPoolProperties(
          poolOf(meteoraDbc, buildDbc({ sqrtPrice, collectFeeMode })),
          [2n ** 60n, 2n ** 60n],
          amounts,
        );
    }
  });

  it('shows the router the same steps as ticks', () => {
    const { shape } = poolOf(meteoraDbc, buildDbc());
    expect(shape).toEqual({
      kind: 'concentrated',
      sqrtPrice: 2.5,
      liquidity: 5_000_000_000n,
      ticks: [
        { sqrtPrice: 1, liquidityNet: 9_000_000_000n },
        { sqrtPrice: 2, liquidityNet: -4_000_000_000n },
        { sqrtPrice: 3, liquidityNet: -3_000_000_000n },
        { sqrtPrice: 4, liquidityNet: -2_000_000_000n },
      ],
    });
  });

  it('builds swap with its configuration and no referral', () => {
    const fixture = buildDbc();
    const pool = poolOf(meteoraDbc, fixture);
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
      DBC_AUTHORITY,
      CONFIG_ID,
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
      DBC_PROGRAM,
      DBC_EVENT_AUTHORITY,
      DBC_PROGRAM,
    ]);
  });

  it('knows its quote mint from the configuration only', () => {
    const fixture = buildDbc();
    const ask = (readable: boolean) =>
      meteoraDbc.mints({
        id: fixture.id,
        asked: [],
        get: (key) => (readable || key === fixture.id ? (fixture.accounts.get(key) ?? null) : null),
      });
    expect(ask(true)).toEqual([testAddress(10), testAddress(11)]);
    expect(ask(false)).toMatchObject({ reason: 'missing-account' });
  });

  it.each([
    ['not-trading', buildDbc({ isMigrated: 1 })],
    ['not-trading', buildDbc({ finishCurveTimestamp: 5n })],
    ['not-trading', buildDbc({ quoteReserve: 10n, threshold: 10n })],
    ['not-trading', buildDbc({ activationPoint: 1_790_000_001n })],
    ['unmodelled', buildDbc({ baseFeeMode: 2 })],
    ['unmodelled', buildDbc({ collectFeeMode: 2 })],
    ['unmodelled', buildDbc({ activationType: 2 })],
    ['bad-state', buildDbc({ curve: [], sqrtEndPrice: 4n * Q64 })],
    ['bad-state', buildDbc({ sqrtPrice: Q64 - 1n })],
    ['bad-state', buildDbc({ sqrtPrice: STEPS[2][0] + 1n })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(meteoraDbc, fixture)).toMatchObject({ kind: 'refusal', reason });
  });
});
