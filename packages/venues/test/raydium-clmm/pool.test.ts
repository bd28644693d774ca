import { MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { raydiumClmm } from '../../src/raydium-clmm/index.ts';
import { SWAP_V2 } from '../../src/raydium-clmm/instruction.ts';
import { CLMM_PROGRAM, POOL } from '../../src/raydium-clmm/layout.ts';
import { bitmapExtensionAddress, tickArrayAddress } from '../../src/raydium-clmm/tick-arrays.ts';
import { MAX_TICK, sqrtPriceOfTick } from '../../src/raydium-clmm/tick-price.ts';
import { u64 } from '../../src/shared/instruction-data.ts';
import { AccountBytes, decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildClmm, CONFIG_ID, OBSERVATION, VAULTS } from './build.ts';

const positions = [
  [-600, 600, 10n ** 12n],
  [-7_200, 1_200, 5n * 10n ** 11n],
  [-120, 60, 10n ** 13n],
] as const;

describe('a Raydium CLMM pool', () => {
  it('is recognised by the pinned discriminators', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([247, 237, 227, 245, 215, 195, 222, 70]);
    expect([...SWAP_V2]).toEqual([43, 4, 237, 11, 26, 201, 30, 98]);
  });

  it('prices the outermost ticks at the limits of the program', () => {
    expect(sqrtPriceOfTick(0)).toBe(1n << 64n);
    expect(sqrtPriceOfTick(-MAX_TICK)).toBe(4_295_048_016n);
    expect(sqrtPriceOfTick(MAX_TICK)).toBe(79_226_673_521_066_979_257_578_248_091n);
    expect(() => sqrtPriceOfTick(-MAX_TICK - 1)).toThrow(RangeError);
  });

  it('takes the fee first and gives what one range gives', () => {
    const pool = poolOf(raydiumClmm, buildClmm());
    expect(pool.quote(pool.mints[0], 1_000_000n)).toBe(997_499n);
    expect(pool.quote(pool.mints[1], 1_000_000n)).toBe(997_499n);
  });

  it('passes initialised ticks, jumps to the next array that has any, and stops at the last', () => {
    const pool = poolOf(raydiumClmm, buildClmm({ positions }));
    const near = pool.quote(pool.mints[0], 10n ** 10n);
    expect(pool.quote(pool.mints[0], 10n ** 11n)).toBeGreaterThan(near * 8n);
    expect(pool.quote(pool.mints[0], 10n ** 13n)).toBe(0n);
    const fixture = buildClmm({ positions });
    fixture.accounts.delete(tickArrayAddress(fixture.id, -7_200));
    const cut = poolOf(raydiumClmm, fixture);
    expect(cut.quote(cut.mints[0], 2n * 10n ** 11n)).toBe(0n);
    expect(pool.quote(pool.mints[0], 2n * 10n ** 11n)).toBeGreaterThan(0n);
  });

  it('is monotone, concave and below its spot price across ticks', () => {
    const amounts = Array.from(
      { length: 48 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    for (const tickCurrent of [-500, -7, 0, 59, 599])
      expectPoolProperties(
        poolOf(raydiumClmm, buildClmm({ positions, tickCurrent })),
        [2n ** 64n, 2n ** 64n],
        amounts,
      );
  });

  it('builds swap_v2 with the arrays in walking order, the bitmap extension first where there is one', () => {
    const fixture = buildClmm({ positions });
    const extension = bitmapExtensionAddress(fixture.id);
    fixture.accounts.set(extension, new AccountBytes(1832).ownedBy(CLMM_PROGRAM));
    const pool = poolOf(raydiumClmm, fixture);
    const [instruction] = pool.swap({
      owner: testAddress(90),
      source: testAddress(91),
      destination: testAddress(92),
      mintIn: pool.mints[0],
      amountIn: 7n,
      amountOut: 6n,
      minOut: 5n,
    });
    expect([...(instruction?.data ?? [])]).toEqual([
      ...SWAP_V2,
      ...u64(7n),
      ...u64(5n),
      ...new Uint8Array(16),
      1,
    ]);
    expect(
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      ),
    ).toEqual([
      `${testAddress(90)}!`,
      CONFIG_ID,
      `${fixture.id}*`,
      `${testAddress(91)}*`,
      `${testAddress(92)}*`,
      `${VAULTS[0]}*`,
      `${VAULTS[1]}*`,
      `${OBSERVATION}*`,
      TOKEN_PROGRAM,
      TOKEN_2022_PROGRAM,
      MEMO_PROGRAM,
      pool.mints[0],
      pool.mints[1],
      `${extension}*`,
      `${tickArrayAddress(fixture.id, 0)}*`,
      `${tickArrayAddress(fixture.id, -3_600)}*`,
      `${tickArrayAddress(fixture.id, -7_200)}*`,
    ]);
  });

  it.each([
    ['not-trading', buildClmm({ status: 16 })],
    ['not-trading', buildClmm({ openTime: 1_790_000_000n })],
    ['unmodelled', buildClmm({ feeOn: 1 })],
    ['unmodelled', buildClmm({ dynamicFee: true })],
    ['unmodelled', buildClmm({ ordersAt: 600 })],
    ['bad-state', buildClmm({ feeRate: 1_000_000 })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(raydiumClmm, fixture)).toMatchObject({ kind: 'refusal', reason });
  });
});
