import { type Address, known } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { meteoraDbc } from './forms.ts';

export const DBC_PROGRAM: Address = meteoraDbc.program;
/** PDA of "pool_authority": owns every vault. */
export const DBC_AUTHORITY: Address = known('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM');
/** PDA of "__event_authority". */
export const DBC_EVENT_AUTHORITY: Address = known('8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF');

/** Source of truth: the program's IDL, as published with its SDK. */
export const POOL: Layout = {
  what: 'VirtualPool',
  programId: DBC_PROGRAM,
  discriminator: accountDiscriminator('VirtualPool'),
  minBytes: 424,
  maxBytes: 424,
};

export const POOL_AT = {
  volatilityAccumulator: 40,
  config: 72,
  baseMint: 136,
  baseVault: 168,
  quoteVault: 200,
  quoteReserve: 240,
  sqrtPrice: 280,
  activationPoint: 296,
  isMigrated: 305,
  finishCurveTimestamp: 344,
} as const;

export const CONFIG: Layout = {
  what: 'PoolConfig',
  programId: DBC_PROGRAM,
  discriminator: accountDiscriminator('PoolConfig'),
  minBytes: 1048,
  maxBytes: 1048,
};

export const CONFIG_AT = {
  quoteMint: 8,
  cliffFeeNumerator: 104,
  feePeriodLength: 112,
  feeReduction: 120,
  feePeriods: 128,
  baseFeeMode: 130,
  dynamicFee: 136,
  variableFeeControl: 148,
  binStep: 152,
  collectFeeMode: 232,
  activationType: 234,
  tokenDecimal: 235,
  tokenType: 237,
  fixedSupply: 244,
  tokenUpdateAuthority: 246,
  migrationQuoteThreshold: 264,
  migrationSqrtPrice: 280,
  /** Smallest units, where it is fixed. */
  supply: 344,
  creationFee: 368,
  sqrtStartPrice: 392,
  curve: 408,
} as const;

export const CURVE_POINTS = 20;
export const CURVE_POINT_BYTES = 32;

export const ACTIVATION_SLOT = 0;
export const ACTIVATION_TIMESTAMP = 1;
/** Fees in the quote token in both directions, or in the output token. */
export const COLLECT_IN_QUOTE = 0;
export const COLLECT_ON_OUTPUT = 1;

export const FEE_DENOMINATOR = 1_000_000_000n;
export const MAX_FEE_NUMERATOR = 990_000_000n;
