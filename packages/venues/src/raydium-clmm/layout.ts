import type { Address } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { raydiumClmm } from './forms.ts';

export const CLMM_PROGRAM: Address = raydiumClmm.program;

/** Source of truth: raydium-io/raydium-clmm states/pool.rs. */
export const POOL: Layout = {
  what: 'PoolState',
  programId: CLMM_PROGRAM,
  discriminator: accountDiscriminator('PoolState'),
  minBytes: 1544,
  maxBytes: 1544,
};

export const POOL_AT = {
  config: 9,
  mintA: 73,
  mintB: 105,
  vaultA: 137,
  vaultB: 169,
  observation: 201,
  tickSpacing: 235,
  liquidity: 237,
  sqrtPrice: 253,
  tickCurrent: 269,
  status: 389,
  feeOn: 390,
  bitmap: 904,
  openTime: 1080,
  dynamicFee: 1096,
} as const;

/** A set bit switches the function off. */
export const STATUS_SWAP_OFF = 0b1_0000;
export const FEE_ON_INPUT = 0;
/** Parameters and state of a fee that follows volatility; all zero where there is none. */
export const DYNAMIC_FEE_BYTES = 34;

export const CONFIG: Layout = {
  what: 'AmmConfig',
  programId: CLMM_PROGRAM,
  discriminator: accountDiscriminator('AmmConfig'),
  minBytes: 117,
  maxBytes: 117,
};

export const CONFIG_AT = { tradeFeeRate: 47 } as const;

export const TICK_ARRAY: Layout = {
  what: 'TickArrayState',
  programId: CLMM_PROGRAM,
  discriminator: accountDiscriminator('TickArrayState'),
  minBytes: 10240,
  maxBytes: 10240,
};

export const TICK_ARRAY_AT = { pool: 8, start: 40, ticks: 44 } as const;
export const TICKS_PER_ARRAY = 60;
export const TICK_BYTES = 168;
export const TICK_AT = {
  index: 0,
  liquidityNet: 4,
  liquidityGross: 20,
  orders: 124,
  partFilledOrders: 132,
} as const;

/** Arrays −512 to 511 are marked in the pool itself; those beyond, in an account of their own that is not read. */
export const BITMAP_ARRAYS = 512;
