import { type Address, type ChainAccount, WSOL_MINT } from '@tradepost/solana';
import { LAUNCH_CONFIG } from '../../src/raydium-launchlab/launchpad.ts';
import {
  CONFIG,
  CONFIG_AT,
  LAUNCHLAB_PROGRAM,
  PLATFORM,
  PLATFORM_AT,
  POOL,
  POOL_AT,
} from '../../src/raydium-launchlab/layout.ts';
import {
  type AccountBytes,
  accountBytes,
  buildMint,
  type PoolFixture,
  testAddress,
} from '../shared/build.ts';

export type LaunchFixture = {
  readonly virtual?: readonly [bigint, bigint];
  readonly real?: readonly [bigint, bigint];
  readonly totalSell?: bigint;
  readonly tradeFeeRate?: bigint;
  readonly platformFeeRate?: bigint;
  readonly creatorFeeRate?: bigint;
  readonly status?: number;
  readonly curveType?: number;
};

export const CONFIG_ID = testAddress(2);
export const PLATFORM_ID = testAddress(3);
export const VAULTS = [testAddress(4), testAddress(5)] as const;
export const CREATOR = testAddress(6);

export function buildLaunch(input: LaunchFixture = {}): PoolFixture {
  const id = testAddress(1);
  const mints = [buildMint(testAddress(10)), buildMint(testAddress(11))] as const;
  const [virtualA, virtualB] = input.virtual ?? [1_073_025_605_596_382n, 30_000_852_951n];
  const [realA, realB] = input.real ?? [100_000_000_000_000n, 3_000_000_000n];
  const pool = accountBytes(POOL)
    .u8(POOL_AT.status, input.status ?? 0)
    .u64(POOL_AT.totalSellA, input.totalSell ?? 793_100_000_000_000n)
    .u64(POOL_AT.virtualA, virtualA)
    .u64(POOL_AT.virtualB, virtualB)
    .u64(POOL_AT.realA, realA)
    .u64(POOL_AT.realB, realB)
    .address(POOL_AT.config, CONFIG_ID)
    .address(POOL_AT.platform, PLATFORM_ID)
    .address(POOL_AT.mintA, mints[0].mint)
    .address(POOL_AT.mintB, mints[1].mint)
    .address(POOL_AT.vaultA, VAULTS[0])
    .address(POOL_AT.vaultB, VAULTS[1])
    .address(POOL_AT.creator, CREATOR);
  const config = accountBytes(CONFIG)
    .u8(CONFIG_AT.curveType, input.curveType ?? 0)
    .u64(CONFIG_AT.tradeFeeRate, input.tradeFeeRate ?? 2_500n);
  const platform = accountBytes(PLATFORM)
    .u64(PLATFORM_AT.feeRate, input.platformFeeRate ?? 7_500n)
    .u64(PLATFORM_AT.creatorFeeRate, input.creatorFeeRate ?? 0n);
  return {
    id,
    mints,
    accounts: new Map([
      [id, pool.ownedBy(LAUNCHLAB_PROGRAM)],
      [CONFIG_ID, config.ownedBy(LAUNCHLAB_PROGRAM)],
      [PLATFORM_ID, platform.ownedBy(LAUNCHLAB_PROGRAM)],
    ]),
  };
}

type Change = (bytes: AccountBytes) => AccountBytes;
const same: Change = (bytes) => bytes;

/** The usual configuration, and a platform without restrictions. */
export function launchWorld(
  config: Change = same,
  platform: Change = same,
): ReadonlyMap<Address, ChainAccount> {
  return new Map([
    [
      LAUNCH_CONFIG,
      config(
        accountBytes(CONFIG)
          .u64(CONFIG_AT.tradeFeeRate, 2_500n)
          .u64(CONFIG_AT.minFundRaisingB, 30_000_000_000n)
          .address(CONFIG_AT.mintB, WSOL_MINT),
      ).ownedBy(LAUNCHLAB_PROGRAM),
    ],
    [
      PLATFORM_ID,
      platform(accountBytes(PLATFORM).u64(PLATFORM_AT.feeRate, 7_500n)).ownedBy(LAUNCHLAB_PROGRAM),
    ],
  ]);
}
