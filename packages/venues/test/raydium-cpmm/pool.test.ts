import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { raydiumCpmm } from '../../src/raydium-cpmm/index.ts';
import { SWAP_BASE_INPUT } from '../../src/raydium-cpmm/instruction.ts';
import { POOL, RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_PROGRAM } from '../../src/raydium-cpmm/layout.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { buildMint, decodeFixture, flatTransferFee, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildCpmm } from './build.ts';

const RESERVES = [5_000_000_000n, 123_456_789_012n] as const;

describe('a Raydium CPMM pool', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(POOL.discriminator ?? [])]).toEqual([247, 237, 227, 245, 215, 195, 222, 70]);
    expect([...SWAP_BASE_INPUT]).toEqual([143, 190, 90, 218, 196, 30, 51, 222]);
    expect(programAddress(RAYDIUM_CPMM_PROGRAM, [textSeed('vault_and_lp_mint_auth_seed')])).toBe(
      RAYDIUM_CPMM_AUTHORITY,
    );
  });

  it('takes the fee rounded up and gives the curve rounded down', () => {
    const pool = poolOf(raydiumCpmm, buildCpmm({ reserves: [1_000n, 1_000n] }));
    // Fee of 100 units at 0.25 % is 1; floor(99 · 1000 / 1099) = 90.
    expect(pool.quote(pool.mints[0], 100n)).toBe(90n);
    expect(pool.quote(pool.mints[0], 1n)).toBe(0n);
  });

  it('leaves accrued fees out of the reserves', () => {
    const clean = poolOf(raydiumCpmm, buildCpmm({ reserves: RESERVES }));
    const accrued = poolOf(
      raydiumCpmm,
      buildCpmm({ reserves: RESERVES, accrued: [77_777n, 1_234_567n], enableCreatorFee: true }),
    );
    expect(accrued.quote(accrued.mints[0], 1_000_000n)).toBe(clean.quote(clean.mints[0], 1_000_000n));
  });

  it('rounds both fees as one on the input side and the creator fee alone on the output side', () => {
    const fees = { tradeFeeRate: 2_500n, creatorFeeRate: 1_500n, enableCreatorFee: true };
    const both = poolOf(raydiumCpmm, buildCpmm({ reserves: [10_000n, 10_000n], ...fees, creatorFeeOn: 0 }));
    // 4,000 ppm of 101 is 0.404: one unit for both fees together, not one each.
    expect(both.quote(both.mints[0], 101n)).toBe((100n * 10_000n) / 10_100n);
    const onSecond = poolOf(
      raydiumCpmm,
      buildCpmm({ reserves: [10_000n, 10_000n], ...fees, creatorFeeOn: 2 }),
    );
    expect(onSecond.quote(onSecond.mints[0], 101n)).toBe((100n * 10_000n) / 10_100n - 1n);
    expect(onSecond.quote(onSecond.mints[1], 101n)).toBe((100n * 10_000n) / 10_100n);
  });

  it('withholds transfer fees on the way in and on the way out', () => {
    const taxed = buildMint(
      testAddress(10),
      { tokenProgram: TOKEN_2022_PROGRAM },
      { transferFee: flatTransferFee(100, 10n ** 18n) },
    );
    const pool = poolOf(
      raydiumCpmm,
      buildCpmm({ reserves: [1_000_000n, 1_000_000n], mints: [taxed, buildMint(testAddress(11))] }),
    );
    const plain = poolOf(raydiumCpmm, buildCpmm({ reserves: [1_000_000n, 1_000_000n] }));
    expect(pool.quote(pool.mints[0], 10_000n)).toBe(plain.quote(plain.mints[0], 9_900n));
    const gross = plain.quote(plain.mints[1], 10_000n);
    expect(pool.quote(pool.mints[1], 10_000n)).toBe(gross - (gross * 100n + 9_999n) / 10_000n);
  });

  it('is monotone, concave, below its spot price and within its reserves', () => {
    const pool = poolOf(
      raydiumCpmm,
      buildCpmm({ reserves: RESERVES, creatorFeeRate: 1_000n, enableCreatorFee: true, creatorFeeOn: 1 }),
    );
    const amounts = Array.from(
      { length: 60 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    expectPoolProperties(pool, RESERVES, amounts);
  });

  it('builds swap_base_input with the vaults in swap order', () => {
    const fixture = buildCpmm({ reserves: RESERVES });
    const pool = poolOf(raydiumCpmm, fixture);
    const [owner, source, destination] = [testAddress(90), testAddress(91), testAddress(92)];
    const [instruction] = pool.swap({
      owner,
      source,
      destination,
      mintIn: pool.mints[1],
      amountIn: 500n,
      amountOut: 20n,
      minOut: 19n,
    });
    expect(instruction?.programId).toBe(RAYDIUM_CPMM_PROGRAM);
    expect([...(instruction?.data ?? [])]).toEqual([
      ...SWAP_BASE_INPUT,
      0xf4,
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      19,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    ]);
    expect(
      instruction?.accounts.map((meta) => [
        meta.address,
        `${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      ]),
    ).toEqual([
      [owner, '!'],
      [RAYDIUM_CPMM_AUTHORITY, ''],
      [testAddress(2), ''],
      [fixture.id, '*'],
      [source, '*'],
      [destination, '*'],
      [testAddress(4), '*'],
      [testAddress(3), '*'],
      [TOKEN_PROGRAM, ''],
      [TOKEN_PROGRAM, ''],
      [pool.mints[1], ''],
      [pool.mints[0], ''],
      [testAddress(5), '*'],
    ]);
  });

  it.each([
    ['not-trading', buildCpmm({ reserves: RESERVES, status: 4 })],
    ['not-trading', buildCpmm({ reserves: RESERVES, openTime: 1_790_000_001n })],
    ['unmodelled', buildCpmm({ reserves: RESERVES, creatorFeeOn: 3 })],
    ['bad-state', buildCpmm({ reserves: [0n, 5n] })],
    ['bad-state', buildCpmm({ reserves: RESERVES, tradeFeeRate: 1_000_000n })],
    [
      'mint',
      buildCpmm({
        reserves: RESERVES,
        mints: [
          buildMint(testAddress(10), {}, { transferHook: testAddress(50) }),
          buildMint(testAddress(11)),
        ],
      }),
    ],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(raydiumCpmm, fixture)).toMatchObject({ kind: 'refusal', reason });
  });

  it('still trades when only deposits and withdrawals are off', () => {
    expect(
      poolOf(raydiumCpmm, buildCpmm({ reserves: RESERVES, status: 3 })).quote(testAddress(10), 1_000n),
    ).toBeGreaterThan(0n);
  });

  it('is refused when owner, discriminator, length, a vault or the configuration is wrong', () => {
    const spoil = (change: (fixture: ReturnType<typeof buildCpmm>) => void) => {
      const fixture = buildCpmm({ reserves: RESERVES });
      change(fixture);
      return decodeFixture(raydiumCpmm, fixture);
    };
    const pool = (fixture: ReturnType<typeof buildCpmm>) => fixture.accounts.get(fixture.id)!;
    expect(spoil((f) => f.accounts.set(f.id, { ...pool(f), owner: testAddress(66) }))).toMatchObject({
      reason: 'not-a-pool',
    });
    expect(
      spoil((f) => f.accounts.set(f.id, { ...pool(f), data: pool(f).data.slice(0, 636) })),
    ).toMatchObject({ reason: 'not-a-pool' });
    expect(spoil((f) => void pool(f).data.fill(0, 0, 1))).toMatchObject({ reason: 'not-a-pool' });
    expect(spoil((f) => void f.accounts.delete(testAddress(3)))).toMatchObject({ reason: 'missing-account' });
    expect(spoil((f) => void f.accounts.delete(testAddress(2)))).toMatchObject({ reason: 'missing-account' });
    expect(spoil((f) => f.accounts.set(testAddress(3), f.accounts.get(testAddress(4))!))).toMatchObject({
      reason: 'bad-state',
    });
  });

  it('refuses to price a mint it does not hold', () => {
    const pool = poolOf(raydiumCpmm, buildCpmm({ reserves: RESERVES }));
    expect(() => pool.quote(testAddress(77), 1n)).toThrow(RangeError);
  });
});
