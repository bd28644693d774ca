import { arrayIndexOf, binArrayAddress } from '../../src/meteora-dlmm/bin-arrays.ts';
import {
  BIN_ARRAY,
  BIN_ARRAY_AT,
  BIN_AT,
  BIN_BYTES,
  BINS_PER_ARRAY,
  DLMM_PROGRAM,
  PAIR,
  PAIR_AT,
} from '../../src/meteora-dlmm/layout.ts';
import type { MintFacts } from '../../src/pool.ts';
import {
  type AccountBytes,
  accountBytes,
  buildMint,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type DlmmFixture = {
  readonly activeId?: number;
  readonly binStep?: number;
  /** Bin id → amounts of X and Y. */
  readonly bins?: readonly (readonly [number, bigint, bigint])[];
  readonly baseFactor?: number;
  readonly variableFeeControl?: number;
  readonly volatility?: { readonly accumulator: number; readonly reference: number; readonly index: number };
  /** Seconds since the last swap, at the fixtures' time. */
  readonly idleSeconds?: bigint;
  readonly collectFeeMode?: number;
  readonly status?: number;
  readonly activationType?: number;
  readonly activationPoint?: bigint;
  /** Bin id → orders being filled, open orders, and whether they sell X. */
  readonly orders?: readonly (readonly [number, bigint, bigint, boolean])[];
  readonly functionType?: number;
  readonly mints?: readonly [MintFacts, MintFacts];
};

export const RESERVES = [testAddress(3), testAddress(4)] as const;
export const ORACLE = testAddress(5);

export function buildDlmm(input: DlmmFixture = {}): PoolFixture {
  const id = testAddress(1);
  const mints = input.mints ?? [buildMint(testAddress(10)), buildMint(testAddress(11))];
  const bins = input.bins ?? [
    [-2, 0n, 500_000n],
    [-1, 0n, 1_000_000n],
    [0, 700_000n, 800_000n],
    [1, 900_000n, 0n],
    [75, 400_000n, 0n],
  ];
  const pair = accountBytes(PAIR)
    .u16(PAIR_AT.baseFactor, input.baseFactor ?? 10_000)
    .u16(PAIR_AT.filterPeriod, 30)
    .u16(PAIR_AT.decayPeriod, 600)
    .u16(PAIR_AT.reductionFactor, 5_000)
    .u32(PAIR_AT.variableFeeControl, input.variableFeeControl ?? 0)
    .u32(PAIR_AT.maxVolatilityAccumulator, 350_000)
    .i32(24, -443_636)
    .i32(28, 443_636)
    .u16(32, 500)
    .u8(PAIR_AT.functionType, input.functionType ?? 0)
    .u8(PAIR_AT.collectFeeMode, input.collectFeeMode ?? 0)
    .u32(PAIR_AT.volatilityAccumulator, input.volatility?.accumulator ?? 0)
    .u32(PAIR_AT.volatilityReference, input.volatility?.reference ?? 0)
    .i32(PAIR_AT.indexReference, input.volatility?.index ?? input.activeId ?? 0)
    .u64(PAIR_AT.lastUpdateTimestamp, 1_790_000_000n - (input.idleSeconds ?? 10_000n))
    .i32(PAIR_AT.activeId, input.activeId ?? 0)
    .u16(PAIR_AT.binStep, input.binStep ?? 10)
    .u8(PAIR_AT.status, input.status ?? 0)
    .u8(PAIR_AT.activationType, input.activationType ?? 1)
    .u64(PAIR_AT.activationPoint, input.activationPoint ?? 0n)
    .address(PAIR_AT.mintX, mints[0].mint)
    .address(PAIR_AT.mintY, mints[1].mint)
    .address(PAIR_AT.reserveX, RESERVES[0])
    .address(PAIR_AT.reserveY, RESERVES[1])
    .address(PAIR_AT.oracle, ORACLE);
  const arrays = new Map<number, AccountBytes>();
  for (const [binId, amountX, amountY] of bins) {
    const index = arrayIndexOf(binId);
    const array =
      arrays.get(index) ??
      accountBytes(BIN_ARRAY).u64(BIN_ARRAY_AT.index, BigInt(index)).address(BIN_ARRAY_AT.pair, id);
    arrays.set(index, array);
    const at = BIN_ARRAY_AT.bins + (binId - index * BINS_PER_ARRAY) * BIN_BYTES;
    array.u64(at + BIN_AT.amountX, amountX).u64(at + BIN_AT.amountY, amountY);
    const order = input.orders?.find(([bin]) => bin === binId);
    if (order !== undefined) {
      const [, processed, open, asks] = order;
      array.u64(at + BIN_AT.processedOrders, processed).u64(at + BIN_AT.openOrders, open);
      array.u8(at + BIN_AT.ordersAskSide, asks ? 1 : 0);
    }
    const bit = index + 512;
    const byte = PAIR_AT.bitmap + (bit >> 3);
    pair.u8(byte, (pair.data[byte] ?? 0) | (1 << (bit & 7)));
  }
  return {
    id,
    mints,
    accounts: new Map([
      [id, pair.ownedBy(DLMM_PROGRAM)],
      ...[...arrays].map(
        ([index, array]) => [binArrayAddress(id, index), array.ownedBy(DLMM_PROGRAM)] as const,
      ),
    ]),
  };
}
