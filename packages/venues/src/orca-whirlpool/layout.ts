import type { Address } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { orcaWhirlpool } from './forms.ts';

export const WHIRLPOOL_PROGRAM: Address = orcaWhirlpool.program;

/** Source of truth: the program's IDL. */
export const POOL: Layout = {
  what: 'Whirlpool',
  programId: WHIRLPOOL_PROGRAM,
  discriminator: accountDiscriminator('Whirlpool'),
  minBytes: 653,
  maxBytes: 653,
};

export const POOL_AT = {
  tickSpacing: 41,
  feeTierIndex: 43,
  feeRate: 45,
  liquidity: 49,
  sqrtPrice: 65,
  tickCurrent: 81,
  mintA: 101,
  vaultA: 133,
  mintB: 181,
  vaultB: 213,
} as const;

export const TICK_ARRAY: Layout = {
  what: 'TickArray',
  programId: WHIRLPOOL_PROGRAM,
  discriminator: accountDiscriminator('TickArray'),
  minBytes: 9988,
  maxBytes: 9988,
};

export const TICK_ARRAY_AT = { start: 8, ticks: 12, pool: 9956 } as const;
export const TICKS_PER_ARRAY = 88;
export const TICK_BYTES = 113;

/** The newer kind of array: a tick that was never used takes one byte. */
export const DYNAMIC_TICK_ARRAY: Layout = {
  what: 'DynamicTickArray',
  programId: WHIRLPOOL_PROGRAM,
  discriminator: accountDiscriminator('DynamicTickArray'),
  minBytes: 148,
  maxBytes: 10_004,
};

export const DYNAMIC_AT = { start: 8, pool: 12, ticks: 60 } as const;
export const DYNAMIC_TICK_BYTES = 112;

/** Present and written to only for pools whose fee adapts to volatility. */
export const ORACLE: Layout = {
  what: 'Oracle',
  programId: WHIRLPOOL_PROGRAM,
  discriminator: accountDiscriminator('Oracle'),
  minBytes: 8,
  maxBytes: null,
};

/** The furthest prices a swap may be limited to. */
export const MIN_SQRT_PRICE = 4_295_048_016n;
export const MAX_SQRT_PRICE = 79_226_673_515_401_279_992_447_579_055n;
