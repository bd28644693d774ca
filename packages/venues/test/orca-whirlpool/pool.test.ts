import { MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { orcaWhirlpool } from '../../src/orca-whirlpool/index.ts';
import { SWAP, SWAP_V2 } from '../../src/orca-whirlpool/instruction.ts';
import {
  DYNAMIC_TICK_ARRAY,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  ORACLE,
  POOL,
  TICK_ARRAY,
  WHIRLPOOL_PROGRAM,
} from '../../src/orca-whirlpool/layout.ts';
import { arrayStarts, oracleAddress, tickArrayAddress } from '../../src/orca-whirlpool/tick-arrays.ts';
import { MAX_TICK, MIN_TICK, sqrtPriceOfTick } from '../../src/orca-whirlpool/tick-price.ts';
import { u64, u128 } from '../../src/shared/instruction-data.ts';
import { accountBytes, buildMint, decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildWhirlpool, VAULTS } from './build.ts';

const positions = [
  [-640, 640, 10n ** 12n],
  [-6_400, 1_280, 5n * 10n ** 11n],
  [-128, 64, 10n ** 13n],
] as const;
const order = (pool: ReturnType<typeof poolOf>, direction: 0 | 1) => ({
  owner: testAddress(90),
  source: testAddress(91),
  destination: testAddress(92),
  mintIn: pool.mints[direction],
  amountIn: 7n,
  amountOut: 6n,
  minOut: 5n,
});

describe('an Orca Whirlpool', () => {
  it('is recognised by the pinned discriminators', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([63, 149, 209, 12, 225, 128, 99, 9]);
    expect([...(TICK_ARRAY.discriminator ?? [])]).toEqual([69, 97, 189, 190, 110, 7, 66, 187]);
    expect([...(DYNAMIC_TICK_ARRAY.discriminator ?? [])]).toEqual([17, 216, 246, 142, 225, 199, 218, 56]);
    expect([...(ORACLE.discriminator ?? [])]).toEqual([139, 194, 131, 179, 140, 179, 229, 244]);
    expect([...SWAP]).toEqual([248, 198, 158, 145, 225, 117, 135, 200]);
    expect([...SWAP_V2]).toEqual([43, 4, 237, 11, 26, 201, 30, 98]);
  });

  it('prices the outermost ticks at the limits of the program', () => {
    expect(sqrtPriceOfTick(0)).toBe(1n << 64n);
    expect(sqrtPriceOfTick(MIN_TICK)).toBe(MIN_SQRT_PRICE);
    expect(sqrtPriceOfTick(MAX_TICK)).toBe(MAX_SQRT_PRICE);
    expect(() => sqrtPriceOfTick(MAX_TICK + 1)).toThrow(RangeError);
  });

  it('names arrays downwards from the current tick and upwards from one spacing ahead', () => {
    expect(arrayStarts(-1, 64, 0)).toEqual([-5_632, -11_264, -16_896]);
    expect(arrayStarts(-1, 64, 1)).toEqual([0, 5_632, 11_264]);
    expect(arrayStarts(5_631, 64, 0)[0]).toBe(0);
  });

  it('takes the fee first and gives what one range gives', () => {
    const pool = poolOf(orcaWhirlpool, buildWhirlpool());
    expect(pool.quote(pool.mints[0], 1_000_000n)).toBe(996_999n);
    expect(pool.quote(pool.mints[1], 1_000_000n)).toBe(996_999n);
  });

  it('passes initialised ticks and answers 0 beyond the arrays that were read', () => {
    const pool = poolOf(orcaWhirlpool, buildWhirlpool({ positions }));
    const near = pool.quote(pool.mints[0], 10n ** 10n);
    const far = pool.quote(pool.mints[0], 10n ** 11n);
    expect(far).toBeGreaterThan(near * 8n);
    expect(pool.quote(pool.mints[0], 10n ** 13n)).toBe(0n);
  });

  it('stops at a missing array even if another lies behind it', () => {
    const fixture = buildWhirlpool({ positions: [[-12_800, 640, 10n ** 12n]] });
    const whole = poolOf(orcaWhirlpool, fixture);
    const amount = 5n * 10n ** 11n;
    expect(whole.quote(whole.mints[0], amount)).toBeGreaterThan(0n);
    fixture.accounts.delete(tickArrayAddress(fixture.id, -5_632));
    const cut = poolOf(orcaWhirlpool, fixture);
    expect(cut.quote(cut.mints[0], amount)).toBe(0n);
  });

  it('reads both kinds of tick array alike', () => {
    const [fixed, dynamic] = [false, true].map((kind) =>
      poolOf(orcaWhirlpool, buildWhirlpool({ positions, dynamic: kind, tickCurrent: -7 })),
    );
    for (const amount of [1n, 999n, 10n ** 9n, 10n ** 11n])
      for (const direction of [0, 1] as const)
        expect(dynamic!.quote(dynamic!.mints[direction], amount)).toBe(
          fixed!.quote(fixed!.mints[direction], amount),
        );
    expect(dynamic!.shape).toEqual(fixed!.shape);
  });

  it('is monotone, concave and below its spot price across ticks', () => {
    const amounts = Array.from(
      { length: 48 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    for (const tickCurrent of [-500, -7, 0, 63, 600])
      expectPoolProperties(
        poolOf(orcaWhirlpool, buildWhirlpool({ positions, tickCurrent })),
        [2n ** 64n, 2n ** 64n],
        amounts,
      );
  });

  it('builds swap with three arrays, the last that exists standing in', () => {
    const fixture = buildWhirlpool({ arrays: 1 });
    const pool = poolOf(orcaWhirlpool, fixture);
    const [instruction] = pool.swap(order(pool, 1));
    expect([...(instruction?.data ?? [])]).toEqual([
      ...SWAP,
      ...u64(7n),
      ...u64(5n),
      ...u128(MAX_SQRT_PRICE),
      1,
      0,
    ]);
    const [here, above] = [0, 5_632].map((start) => tickArrayAddress(fixture.id, start));
    expect(
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      ),
    ).toEqual([
      TOKEN_PROGRAM,
      `${testAddress(90)}!`,
      `${fixture.id}*`,
      `${testAddress(92)}*`,
      `${VAULTS[0]}*`,
      `${testAddress(91)}*`,
      `${VAULTS[1]}*`,
      `${here}*`,
      `${above}*`,
      `${above}*`,
      oracleAddress(fixture.id),
    ]);
  });

  it('builds swap_v2 when a mint is under Token-2022', () => {
    const mints = [
      buildMint(testAddress(10), { tokenProgram: TOKEN_2022_PROGRAM }),
      buildMint(testAddress(11)),
    ] as const;
    const pool = poolOf(orcaWhirlpool, buildWhirlpool({ mints }));
    const [instruction] = pool.swap(order(pool, 0));
    expect([...(instruction?.data ?? [])]).toEqual([
      ...SWAP_V2,
      ...u64(7n),
      ...u64(5n),
      ...u128(MIN_SQRT_PRICE),
      1,
      1,
      0,
    ]);
    expect(instruction?.accounts.slice(0, 7).map((meta) => meta.address)).toEqual([
      TOKEN_2022_PROGRAM,
      TOKEN_PROGRAM,
      MEMO_PROGRAM,
      testAddress(90),
      testAddress(1),
      mints[0].mint,
      mints[1].mint,
    ]);
    expect(instruction?.accounts).toHaveLength(15);
  });

  it('is refused when its fee adapts to volatility or an array is torn', () => {
    expect(decodeFixture(orcaWhirlpool, buildWhirlpool({ feeTierIndex: 1_024 }))).toMatchObject({
      reason: 'unmodelled',
    });
    const watched = buildWhirlpool();
    watched.accounts.set(oracleAddress(watched.id), accountBytes(ORACLE, 254).ownedBy(WHIRLPOOL_PROGRAM));
    expect(decodeFixture(orcaWhirlpool, watched)).toMatchObject({ reason: 'unmodelled' });
    const torn = buildWhirlpool({ positions, dynamic: true });
    const key = tickArrayAddress(torn.id, 0);
    const account = torn.accounts.get(key)!;
    torn.accounts.set(key, { ...account, data: account.data.slice(0, -3) });
    expect(decodeFixture(orcaWhirlpool, torn)).toMatchObject({ reason: 'bad-state' });
  });
});
