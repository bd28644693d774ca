import { DAMM_V2_PROGRAM, POOL, POOL_AT } from '../../src/meteora-damm-v2/layout.ts';
import type { MintFacts } from '../../src/pool.ts';
import { accountBytes, buildMint, type PoolFixture, testAddress } from '../shared/build.ts';

export type DammFixture = {
  readonly sqrtPrice?: bigint;
  readonly range?: readonly [bigint, bigint];
  readonly liquidity?: bigint;
  readonly cliffFeeNumerator?: bigint;
  readonly baseFeeMode?: number;
  readonly schedule?: { readonly periods: number; readonly length: bigint; readonly reduction: bigint };
  readonly dynamic?: { readonly control: number; readonly binStep: number; readonly volatility: bigint };
  readonly collectFeeMode?: number;
  readonly feeVersion?: number;
  readonly status?: number;
  readonly activationType?: number;
  readonly activationPoint?: bigint;
  readonly mints?: readonly [MintFacts, MintFacts];
};

/** The whole range that the program allows. */
export const FULL_RANGE = [4_295_048_016n, 79_226_673_521_066_979_257_578_248_091n] as const;
export const VAULTS = [testAddress(3), testAddress(4)] as const;

export function buildDamm(input: DammFixture = {}): PoolFixture {
  const id = testAddress(1);
  const mints = input.mints ?? [buildMint(testAddress(10)), buildMint(testAddress(11))];
  const range = input.range ?? FULL_RANGE;
  const bytes = accountBytes(POOL)
    .u64(POOL_AT.cliffFeeNumerator, input.cliffFeeNumerator ?? 2_500_000n)
    .u8(POOL_AT.baseFeeMode, input.baseFeeMode ?? 0)
    .u16(POOL_AT.feePeriods, input.schedule?.periods ?? 0)
    .u64(POOL_AT.feePeriodLength, input.schedule?.length ?? 0n)
    .u64(POOL_AT.feeReduction, input.schedule?.reduction ?? 0n)
    .u8(POOL_AT.protocolFeePercent, 20)
    .u8(50, 20)
    .address(POOL_AT.mintA, mints[0].mint)
    .address(POOL_AT.mintB, mints[1].mint)
    .address(POOL_AT.vaultA, VAULTS[0])
    .address(POOL_AT.vaultB, VAULTS[1])
    .u128(POOL_AT.liquidity, input.liquidity ?? (10n ** 12n) << 64n)
    .u128(POOL_AT.sqrtMinPrice, range[0])
    .u128(POOL_AT.sqrtMaxPrice, range[1])
    .u128(POOL_AT.sqrtPrice, input.sqrtPrice ?? 1n << 64n)
    .u128(152, input.sqrtPrice ?? 1n << 64n)
    .u64(POOL_AT.activationPoint, input.activationPoint ?? 0n)
    .u8(POOL_AT.activationType, input.activationType ?? 1)
    .u8(POOL_AT.status, input.status ?? 0)
    .u8(POOL_AT.collectFeeMode, input.collectFeeMode ?? 0)
    .u8(POOL_AT.feeVersion, input.feeVersion ?? 0);
  if (input.dynamic !== undefined) {
    const { dynamic } = input;
    bytes
      .u8(POOL_AT.dynamicFee, 1)
      .u32(64, 14_460_000)
      .u32(POOL_AT.variableFeeControl, dynamic.control)
      .u16(POOL_AT.binStep, dynamic.binStep)
      .u16(74, 10)
      .u16(76, 120)
      .u16(78, 5_000)
      .u128(88, 1_844_674_407_370_955n)
      .u128(104, input.sqrtPrice ?? 1n << 64n)
      .u128(POOL_AT.volatilityAccumulator, dynamic.volatility);
  }
  return { id, mints, accounts: new Map([[id, bytes.ownedBy(DAMM_V2_PROGRAM)]]) };
}
