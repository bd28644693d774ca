import { PublicKey } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { raydiumAmmV4 } from '../../src/raydium-amm-v4/index.ts';
import { RAYDIUM_AMM_V4_AUTHORITY, RAYDIUM_AMM_V4_PROGRAM } from '../../src/raydium-amm-v4/layout.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { buildMint, decodeFixture, type PoolFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildAmmV4, MARKET, MARKET_PROGRAM } from './build.ts';

const RESERVES = [77_000_000_000n, 3_141_592_653n] as const;
const exchange = raydiumAmmV4('long');

const order = (pool: ReturnType<typeof poolOf>) => ({
  owner: testAddress(90),
  source: testAddress(91),
  destination: testAddress(92),
  mintIn: pool.mints[0],
  amountIn: 258n,
  amountOut: 3n,
  minOut: 2n,
});

/** The first nonce that makes an address off the curve, as a market's creator picks it. */
function marketNonce(): bigint {
  for (let nonce = 0; ; nonce++) {
    const seed = Buffer.alloc(8);
    seed.writeUInt32LE(nonce);
    try {
      PublicKey.createProgramAddressSync(
        [new PublicKey(MARKET).toBytes(), seed],
        new PublicKey(MARKET_PROGRAM),
      );
      return BigInt(nonce);
    } catch {}
  }
}

describe('a Raydium AMM v4 pool', () => {
  it('knows the authority that owns its vaults', () => {
    expect(programAddress(RAYDIUM_AMM_V4_PROGRAM, [textSeed('amm authority')])).toBe(
      RAYDIUM_AMM_V4_AUTHORITY,
    );
  });

  it('takes the fee rounded up and gives the curve rounded down', () => {
    const pool = poolOf(exchange, buildAmmV4({ reserves: [100_000n, 100_000n] }));
    // 25/10000 of 1,001 is 2.5025.
    expect(pool.quote(pool.mints[0], 1_001n)).toBe((998n * 100_000n) / 100_998n);
  });

  it('rounds a fee below one unit to the nearest, as the program does', () => {
    const pool = poolOf(exchange, buildAmmV4({ reserves: [10n ** 9n, 10n ** 12n] }));
    expect(pool.quote(pool.mints[0], 1n)).toBe(999n);
    expect(pool.quote(pool.mints[0], 199n)).toBe((199n * 10n ** 12n) / (10n ** 9n + 199n));
    expect(pool.quote(pool.mints[0], 200n)).toBe((199n * 10n ** 12n) / (10n ** 9n + 199n));
  });

  it('reads the fee from the pool', () => {
    const pool = poolOf(exchange, buildAmmV4({ reserves: [10_000n, 10_000n], fee: [1n, 100n] }));
    expect(pool.quote(pool.mints[0], 1_000n)).toBe((990n * 10_000n) / 10_990n);
  });

  it('leaves profit owed to the protocol out of the reserves', () => {
    const clean = poolOf(exchange, buildAmmV4({ reserves: RESERVES }));
    const owing = poolOf(exchange, buildAmmV4({ reserves: RESERVES, pnl: [55_555n, 666n] }));
    expect(owing.quote(owing.mints[0], 9_999_999n)).toBe(clean.quote(clean.mints[0], 9_999_999n));
  });

  it('is monotone, concave, below its spot price and within its reserves', () => {
    const amounts = Array.from(
      { length: 60 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    expectPoolProperties(poolOf(exchange, buildAmmV4({ reserves: RESERVES })), RESERVES, amounts);
  });

  it('builds the long form with the accounts of its market', () => {
    const nonce = marketNonce();
    const fixture = buildAmmV4({ reserves: RESERVES, marketNonce: nonce });
    const pool = poolOf(exchange, fixture);
    const [instruction] = pool.swap(order(pool));
    const seed = Buffer.alloc(8);
    seed.writeBigUInt64LE(nonce);
    const signer = PublicKey.createProgramAddressSync(
      [new PublicKey(MARKET).toBytes(), seed],
      new PublicKey(MARKET_PROGRAM),
    ).toBase58();
    expect([...(instruction?.data ?? [])]).toEqual([9, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    expect(
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      ),
    ).toEqual([
      TOKEN_PROGRAM,
      `${fixture.id}*`,
      RAYDIUM_AMM_V4_AUTHORITY,
      `${testAddress(4)}*`,
      `${testAddress(2)}*`,
      `${testAddress(3)}*`,
      MARKET_PROGRAM,
      `${MARKET}*`,
      `${testAddress(23)}*`,
      `${testAddress(24)}*`,
      `${testAddress(22)}*`,
      `${testAddress(20)}*`,
      `${testAddress(21)}*`,
      signer,
      `${testAddress(91)}*`,
      `${testAddress(92)}*`,
      `${testAddress(90)}!`,
    ]);
  });

  it('names its own address where there is no market any more', () => {
    const fixture = buildAmmV4({ reserves: RESERVES });
    const pool = poolOf(exchange, fixture);
    const accounts = pool.swap(order(pool))[0]?.accounts.map((meta) => meta.address) ?? [];
    expect(accounts).toHaveLength(17);
    expect(accounts.slice(8, 14)).toEqual(Array(6).fill(fixture.id));
  });

  it('builds the short form with eight accounts', () => {
    const pool = poolOf(raydiumAmmV4('short'), buildAmmV4({ reserves: RESERVES }));
    const [instruction] = pool.swap(order(pool));
    expect(instruction?.data[0]).toBe(16);
    expect(instruction?.accounts.map((meta) => meta.address)).toEqual([
      TOKEN_PROGRAM,
      testAddress(1),
      RAYDIUM_AMM_V4_AUTHORITY,
      testAddress(2),
      testAddress(3),
      testAddress(91),
      testAddress(92),
      testAddress(90),
    ]);
  });

  it.each([
    ['unmodelled', buildAmmV4({ reserves: RESERVES, status: 1n })],
    ['unmodelled', buildAmmV4({ reserves: RESERVES, status: 5n })],
    ['not-trading', buildAmmV4({ reserves: RESERVES, status: 7n, openTime: 1_790_000_001n })],
    ['bad-state', buildAmmV4({ reserves: [0n, 1n] })],
    ['bad-state', buildAmmV4({ reserves: RESERVES, fee: [1n, 0n] })],
    [
      'mint',
      buildAmmV4({
        reserves: RESERVES,
        mints: [buildMint(testAddress(10), { tokenProgram: TOKEN_2022_PROGRAM }), buildMint(testAddress(11))],
      }),
    ],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(exchange, fixture)).toMatchObject({ kind: 'refusal', reason });
  });

  it('trades from its opening time on', () => {
    const fixture = buildAmmV4({ reserves: RESERVES, status: 7n, openTime: 1_790_000_000n });
    expect(poolOf(exchange, fixture).quote(testAddress(10), 100_000n)).toBeGreaterThan(0n);
  });

  it('is refused when owner or length is wrong or a vault is missing', () => {
    const spoil = (change: (fixture: PoolFixture) => void) => {
      const fixture = buildAmmV4({ reserves: RESERVES });
      change(fixture);
      return decodeFixture(exchange, fixture);
    };
    const pool = (fixture: PoolFixture) => fixture.accounts.get(fixture.id)!;
    expect(spoil((f) => f.accounts.set(f.id, { ...pool(f), owner: testAddress(66) }))).toMatchObject({
      reason: 'not-a-pool',
    });
    expect(spoil((f) => f.accounts.set(f.id, { ...pool(f), data: pool(f).data.slice(1) }))).toMatchObject({
      reason: 'not-a-pool',
    });
    expect(spoil((f) => void f.accounts.delete(testAddress(3)))).toMatchObject({ reason: 'missing-account' });
  });
});
