import { type Address, known } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { meteoraDammV2 } from './forms.ts';

export const DAMM_V2_PROGRAM: Address = meteoraDammV2.program;
/** PDA of "pool_authority": owns every vault. */
export const DAMM_V2_AUTHORITY: Address = known('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC');
/** PDA of "__event_authority". */
export const DAMM_V2_EVENT_AUTHORITY: Address = known('3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet');

/** Source of truth: the program's IDL, as published with its SDK. */
export const POOL: Layout = {
  what: 'Pool',
  programId: DAMM_V2_PROGRAM,
  discriminator: accountDiscriminator('Pool'),
  minBytes: 1112,
  maxBytes: 1112,
};

export const POOL_AT = {
  cliffFeeNumerator: 8,
  baseFeeMode: 16,
  feePeriods: 22,
  feePeriodLength: 24,
  feeReduction: 32,
  protocolFeePercent: 48,
  dynamicFee: 56,
  variableFeeControl: 68,
  binStep: 72,
  volatilityAccumulator: 120,
  mintA: 168,
  mintB: 200,
  vaultA: 232,
  vaultB: 264,
  liquidity: 360,
  sqrtMinPrice: 424,
  sqrtMaxPrice: 440,
  sqrtPrice: 456,
  activationPoint: 472,
  activationType: 480,
  status: 481,
  collectFeeMode: 484,
  feeVersion: 486,
} as const;

/** The unit of `activationPoint`. */
export const ACTIVATION_SLOT = 0;
export const ACTIVATION_TIMESTAMP = 1;

/** Fees in the output token, or in B in both directions. The third mode, compounding, is refused. */
export const COLLECT_ON_OUTPUT = 0;
export const COLLECT_IN_B = 1;

export const FEE_DENOMINATOR = 1_000_000_000n;
/** The most a pool may charge, by fee version. */
export const MAX_FEE_NUMERATOR = [500_000_000n, 990_000_000n] as const;
