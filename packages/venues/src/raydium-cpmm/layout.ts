import { type Address, known } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { raydiumCpmm } from './forms.ts';

export const RAYDIUM_CPMM_PROGRAM: Address = raydiumCpmm.program;
/** PDA of "vault_and_lp_mint_auth_seed": owns every vault. */
export const RAYDIUM_CPMM_AUTHORITY: Address = known('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL');

/** Source of truth: raydium-io/raydium-cp-swap states/pool.rs. */
export const POOL: Layout = {
  what: 'PoolState',
  programId: RAYDIUM_CPMM_PROGRAM,
  discriminator: accountDiscriminator('PoolState'),
  minBytes: 637,
  maxBytes: 637,
};

export const POOL_AT = {
  config: 8,
  vaultA: 72,
  vaultB: 104,
  mintA: 168,
  mintB: 200,
  programA: 232,
  programB: 264,
  observation: 296,
  status: 329,
  protocolFeesA: 341,
  protocolFeesB: 349,
  fundFeesA: 357,
  fundFeesB: 365,
  openTime: 373,
  creatorFeeOn: 389,
  enableCreatorFee: 390,
  creatorFeesA: 397,
  creatorFeesB: 405,
} as const;

/** A set bit switches the function off. */
export const STATUS_SWAP_OFF = 0b100;

/** Source of truth: raydium-io/raydium-cp-swap states/config.rs. */
export const CONFIG: Layout = {
  what: 'AmmConfig',
  programId: RAYDIUM_CPMM_PROGRAM,
  discriminator: accountDiscriminator('AmmConfig'),
  minBytes: 236,
  maxBytes: 236,
};

export const CONFIG_AT = { tradeFeeRate: 12, creatorFeeRate: 108 } as const;
