import { MEMO_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { arrayIndexOf, binArrayAddress } from '../../src/meteora-dlmm/bin-arrays.ts';
import { meteoraDlmm } from '../../src/meteora-dlmm/index.ts';
import { SWAP2 } from '../../src/meteora-dlmm/instruction.ts';
import { BIN_ARRAY, DLMM_EVENT_AUTHORITY, DLMM_PROGRAM, PAIR } from '../../src/meteora-dlmm/layout.ts';
import { priceOfBin } from '../../src/meteora-dlmm/quote.ts';
import { u64 } from '../../src/shared/instruction-data.ts';
import { programAddress, textSeed } from '../../src/shared/program-address.ts';
import { decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import { buildDlmm, ORACLE, RESERVES } from './build.ts';

describe('a Meteora DLMM pair', () => {
  it('is recognised by the pinned discriminators and addresses', () => {
    expect([...(PAIR.discriminator ?? [])]).toEqual([33, 11, 49, 98, 181, 101, 177, 13]);
    expect([...(BIN_ARRAY.discriminator ?? [])]).toEqual([92, 142, 92, 220, 5, 148, 70, 181]);
    expect([...SWAP2]).toEqual([65, 75, 63, 76, 235, 91, 91, 136]);
    expect(programAddress(DLMM_PROGRAM, [textSeed('__event_authority')])).toBe(DLMM_EVENT_AUTHORITY);
  });

  it('puts bins below zero into the arrays below zero', () => {
    expect([-71, -70, -1, 0, 69, 70].map(arrayIndexOf)).toEqual([-2, -1, -1, 0, 0, 1]);
  });

  it('sells within the active bin at its price, the fee taken first and rounded up', () => {
    // Base fee 10,000 · 10 · 10 = 0.1 %; the price of bin 0 is 1.
    const pool = poolOf(meteoraDlmm, buildDlmm());
    expect(pool.quote(pool.mints[0], 1_001n)).toBe(999n);
    expect(pool.quote(pool.mints[1], 1_001n)).toBe(999n);
  });

  it('empties bins in order and stops where the bins that are known end', () => {
    const pool = poolOf(meteoraDlmm, buildDlmm({ baseFactor: 0 }));
    const below = (1n << 128n) / priceOfBin(-1, 10);
    expect(pool.quote(pool.mints[0], 800_000n)).toBe(800_000n);
    expect(pool.quote(pool.mints[0], 900_000n)).toBe(800_000n + (100_000n * (1n << 64n)) / below);
    expect(pool.quote(pool.mints[0], 5_000_000n)).toBe(0n);
  });

  it('reaches the next array with liquidity across a gap, and no further than it was read', () => {
    const fixture = buildDlmm({ baseFactor: 0 });
    const pool = poolOf(meteoraDlmm, fixture);
    expect(pool.quote(pool.mints[1], 1_700_000n)).toBeGreaterThan(1_600_000n);
    fixture.accounts.delete(binArrayAddress(fixture.id, 1));
    const short = poolOf(meteoraDlmm, fixture);
    expect(short.quote(short.mints[1], 1_700_000n)).toBe(0n);
    expect(short.quote(short.mints[1], 1_500_000n)).toBeGreaterThan(1_400_000n);
  });

  it('charges for volatility: from the distance walked, and from recent swaps until they decay', () => {
    const volatility = { accumulator: 100_000, reference: 60_000, index: 3 };
    const out = (idleSeconds: bigint) => {
      const pool = poolOf(meteoraDlmm, buildDlmm({ variableFeeControl: 40_000, volatility, idleSeconds }));
      return pool.quote(pool.mints[0], 100_000n);
    };
    // 40,000 · (volatility · 10)² / 10^11: 90,000 within the filter period gives 0.0324 %, 50,000
    // while decaying 0.01 %, and nothing is left after.
    expect([out(5n), out(100n), out(600n)]).toEqual([100_000n - 133n, 100_000n - 110n, 100_000n - 100n]);
  });

  it('takes the fee in Y on both sides when the pair says so', () => {
    const pool = poolOf(meteoraDlmm, buildDlmm({ collectFeeMode: 1 }));
    expect(pool.quote(pool.mints[0], 10_000n)).toBe(10_000n - 10n);
    expect(pool.quote(pool.mints[1], 10_000n)).toBe(9_990n);
  });

  it('is monotone, concave, below its spot price and within its bins', () => {
    const bins = Array.from({ length: 60 }, (_, index) => {
      const id = index - 30;
      const size = 1_000_000n + BigInt((index * 7919) % 1000) * 5_000n;
      return [id, id >= 0 ? size : 0n, id <= 0 ? size : 0n] as const;
    });
    const amounts = Array.from(
      { length: 34 },
      (_, index) => 1n + 3n ** BigInt(index >> 1) * BigInt(1 + (index & 1)),
    );
    const cap = (side: 1 | 2) => bins.reduce((sum, bin) => sum + bin[side], 0n);
    for (const collectFeeMode of [0, 1]) {
      const pool = poolOf(meteoraDlmm, buildDlmm({ bins, variableFeeControl: 40_000, collectFeeMode }));
      expectPoolProperties(pool, [cap(1), cap(2)], amounts);
    }
  });

  it('takes limit orders after the makers, on their own side only, where the pair has them', () => {
    const orders = [[0, 30n, 20n, false]] as const;
    const ask = (functionType: number, direction: 0 | 1) => {
      const pool = poolOf(
        meteoraDlmm,
        buildDlmm({ baseFactor: 0, orders, functionType, bins: [[0, 1_000n, 1_000n]] }),
      );
      return [1_000n, 1_050n, 1_051n].map((amount) => pool.quote(pool.mints[direction], amount));
    };
    expect(ask(2, 0)).toEqual([1_000n, 1_050n, 0n]);
    expect(ask(2, 1)).toEqual([1_000n, 0n, 0n]);
    expect(ask(1, 0)).toEqual([1_000n, 0n, 0n]);
  });

  it('shows the router its bins', () => {
    const { shape } = poolOf(meteoraDlmm, buildDlmm());
    expect(shape).toMatchObject({ kind: 'bins', activeBin: 2, activeIsExact: true });
    expect(shape.kind === 'bins' && shape.bins.map((bin) => bin.reserves)).toEqual([
      [0n, 500_000n],
      [0n, 1_000_000n],
      [700_000n, 800_000n],
      [900_000n, 0n],
      [400_000n, 0n],
    ]);
  });

  it('builds swap2 with the arrays on the way and one beyond', () => {
    const fixture = buildDlmm();
    const pool = poolOf(meteoraDlmm, fixture);
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
    expect([...(instruction?.data ?? [])]).toEqual([...SWAP2, ...u64(7n), ...u64(5n), ...new Uint8Array(4)]);
    expect(
      instruction?.accounts.map(
        (meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`,
      ),
    ).toEqual([
      `${fixture.id}*`,
      DLMM_PROGRAM,
      `${RESERVES[0]}*`,
      `${RESERVES[1]}*`,
      `${source}*`,
      `${destination}*`,
      pool.mints[0],
      pool.mints[1],
      `${ORACLE}*`,
      DLMM_PROGRAM,
      `${owner}!`,
      TOKEN_PROGRAM,
      TOKEN_PROGRAM,
      MEMO_PROGRAM,
      DLMM_EVENT_AUTHORITY,
      DLMM_PROGRAM,
      `${binArrayAddress(fixture.id, 0)}*`,
      `${binArrayAddress(fixture.id, 1)}*`,
    ]);
  });

  it.each([
    ['not-trading', buildDlmm({ status: 1 })],
    ['not-trading', buildDlmm({ activationPoint: 1_790_000_001n })],
    ['unmodelled', buildDlmm({ activationType: 2 })],
    ['unmodelled', buildDlmm({ collectFeeMode: 2 })],
    ['unmodelled', buildDlmm({ functionType: 3 })],
  ] as const)('is refused as %s', (reason, fixture) => {
    expect(decodeFixture(meteoraDlmm, fixture)).toMatchObject({ kind: 'refusal', reason });
  });
});
