import {
  CONFIG,
  CONFIG_AT,
  CURVE_POINT_BYTES,
  DBC_PROGRAM,
  POOL,
  POOL_AT,
} from '../../src/meteora-dbc/layout.ts';
import type { MintFacts } from '../../src/pool.ts';
import { accountBytes, buildMint, type PoolFixture, testAddress } from '../shared/build.ts';

const Q64 = 1n << 64n;

export type DbcFixture = {
  readonly sqrtPrice?: bigint;
  readonly sqrtStartPrice?: bigint;
  readonly sqrtEndPrice?: bigint;
  readonly curve?: readonly (readonly [bigint, bigint])[];
  readonly quoteReserve?: bigint;
  readonly threshold?: bigint;
  readonly cliffFeeNumerator?: bigint;
  readonly baseFeeMode?: number;
  readonly schedule?: { readonly periods: number; readonly length: bigint; readonly reduction: bigint };
  readonly dynamic?: { readonly control: number; readonly binStep: number; readonly volatility: bigint };
  readonly collectFeeMode?: number;
  readonly activationType?: number;
  readonly activationPoint?: bigint;
  readonly isMigrated?: number;
  readonly finishCurveTimestamp?: bigint;
  readonly mints?: readonly [MintFacts, MintFacts];
  /** What a launch reads besides. */
  readonly launch?: {
    readonly supply: bigint;
    readonly tokenType?: number;
    readonly updateAuthority?: number;
    readonly fixedSupply?: number;
    readonly creationFee?: bigint;
  };
};

export const CONFIG_ID = testAddress(2);
export const VAULTS = [testAddress(3), testAddress(4)] as const;
/** Three steps: price 1 to 4, 4 to 9, 9 to 16, with less liquidity each time. */
export const STEPS = [
  [2n * Q64, 9_000_000_000n * Q64],
  [3n * Q64, 5_000_000_000n * Q64],
  [4n * Q64, 2_000_000_000n * Q64],
] as const;

export function buildDbc(input: DbcFixture = {}): PoolFixture {
  const id = testAddress(1);
  const mints = input.mints ?? [buildMint(testAddress(10)), buildMint(testAddress(11))];
  const curve = input.curve ?? STEPS;
  const end = input.sqrtEndPrice ?? curve.at(-1)?.[0] ?? 0n;
  const sqrtPrice = input.sqrtPrice ?? (5n * Q64) / 2n;
  const config = accountBytes(CONFIG)
    .address(CONFIG_AT.quoteMint, mints[1].mint)
    .u64(CONFIG_AT.cliffFeeNumerator, input.cliffFeeNumerator ?? 10_000_000n)
    .u64(CONFIG_AT.feePeriodLength, input.schedule?.length ?? 0n)
    .u64(CONFIG_AT.feeReduction, input.schedule?.reduction ?? 0n)
    .u16(CONFIG_AT.feePeriods, input.schedule?.periods ?? 0)
    .u8(CONFIG_AT.baseFeeMode, input.baseFeeMode ?? 0)
    .u8(CONFIG_AT.collectFeeMode, input.collectFeeMode ?? 0)
    .u8(CONFIG_AT.activationType, input.activationType ?? 1)
    .u64(CONFIG_AT.migrationQuoteThreshold, input.threshold ?? 2n ** 60n)
    .u128(CONFIG_AT.migrationSqrtPrice, end)
    .u128(CONFIG_AT.sqrtStartPrice, input.sqrtStartPrice ?? Q64);
  if (input.launch !== undefined) {
    const { supply, tokenType = 0, updateAuthority = 1, fixedSupply = 1, creationFee = 0n } = input.launch;
    config
      .u8(CONFIG_AT.tokenDecimal, mints[0].decimals)
      .u8(CONFIG_AT.tokenType, tokenType)
      .u8(CONFIG_AT.fixedSupply, fixedSupply)
      .u8(CONFIG_AT.tokenUpdateAuthority, updateAuthority)
      .u64(CONFIG_AT.supply, supply)
      .u64(CONFIG_AT.creationFee, creationFee)
      // All liquidity stays locked in the pool that the token migrates to; less than a tenth of it and the program refuses.
      .u8(239, 100);
  }
  curve.forEach(([price, liquidity], index) => {
    const at = CONFIG_AT.curve + index * CURVE_POINT_BYTES;
    config.u128(at, price).u128(at + 16, liquidity);
  });
  const pool = accountBytes(POOL)
    .address(POOL_AT.config, CONFIG_ID)
    .address(POOL_AT.baseMint, mints[0].mint)
    .address(POOL_AT.baseVault, VAULTS[0])
    .address(POOL_AT.quoteVault, VAULTS[1])
    .u64(232, 2n ** 60n)
    .u64(POOL_AT.quoteReserve, input.quoteReserve ?? 2n ** 59n)
    .u128(POOL_AT.sqrtPrice, sqrtPrice)
    .u64(POOL_AT.activationPoint, input.activationPoint ?? 0n)
    .u8(POOL_AT.isMigrated, input.isMigrated ?? 0)
    .u64(POOL_AT.finishCurveTimestamp, input.finishCurveTimestamp ?? 0n);
  if (input.dynamic !== undefined) {
    config
      .u8(CONFIG_AT.dynamicFee, 1)
      .u32(144, 14_460_000)
      .u32(CONFIG_AT.variableFeeControl, input.dynamic.control)
      .u16(CONFIG_AT.binStep, input.dynamic.binStep)
      .u16(154, 10)
      .u16(156, 120)
      .u16(158, 5_000)
      .u128(168, 1_844_674_407_370_955n);
    pool.u128(POOL_AT.volatilityAccumulator, input.dynamic.volatility).u128(24, sqrtPrice);
  }
  return {
    id,
    mints,
    accounts: new Map([
      [id, pool.ownedBy(DBC_PROGRAM)],
      [CONFIG_ID, config.ownedBy(DBC_PROGRAM)],
    ]),
  };
}
