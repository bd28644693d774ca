import { type Address, known } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { raydiumLaunchlab } from './forms.ts';

export const LAUNCHLAB_PROGRAM: Address = raydiumLaunchlab.program;
/** PDA of "vault_auth_seed": owns every vault. */
export const LAUNCHLAB_AUTHORITY: Address = known('WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh');
/** PDA of "__event_authority". */
export const LAUNCHLAB_EVENT_AUTHORITY: Address = known('2DPAtwB8L12vrMRExbLuyGnC7n2J5LNoZQSejeQGpwkr');

/** Source of truth: raydium-io/raydium-sdk-V2 src/raydium/launchpad/layout.ts. */
export const POOL: Layout = {
  what: 'PoolState',
  programId: LAUNCHLAB_PROGRAM,
  discriminator: accountDiscriminator('PoolState'),
  minBytes: 429,
  maxBytes: 429,
};

export const POOL_AT = {
  status: 17,
  totalSellA: 29,
  virtualA: 37,
  virtualB: 45,
  realA: 53,
  realB: 61,
  config: 141,
  platform: 173,
  mintA: 205,
  mintB: 237,
  vaultA: 269,
  vaultB: 301,
  creator: 333,
} as const;

/** Coins are for sale; later states wait for migration or have migrated. */
export const STATUS_TRADING = 0;
/** The migration is over: the coin trades in its pool. */
export const STATUS_MOVED = 2;

export const CONFIG: Layout = {
  what: 'GlobalConfig',
  programId: LAUNCHLAB_PROGRAM,
  discriminator: accountDiscriminator('GlobalConfig'),
  minBytes: 371,
  maxBytes: 371,
};

export const CONFIG_AT = {
  curveType: 16,
  migrateFee: 19,
  tradeFeeRate: 27,
  minFundRaisingB: 75,
  mintB: 83,
} as const;
export const CURVE_CONSTANT_PRODUCT = 0;

export const PLATFORM: Layout = {
  what: 'PlatformConfig',
  programId: LAUNCHLAB_PROGRAM,
  discriminator: accountDiscriminator('PlatformConfig'),
  minBytes: 944,
  maxBytes: 944,
};

export const PLATFORM_AT = {
  feeRate: 104,
  creatorFeeRate: 720,
  restrictGlobalConfig: 832,
  restrictCurveParam: 833,
} as const;

export const FEE_DENOMINATOR = 1_000_000n;
