import { type Address, known } from '@tradepost/solana';
import { accountDiscriminator } from '../shared/discriminator.ts';
import type { Layout } from '../shared/pool-checks.ts';
import { meteoraDlmm } from './forms.ts';

export const DLMM_PROGRAM: Address = meteoraDlmm.program;
/** PDA of "__event_authority". */
export const DLMM_EVENT_AUTHORITY: Address = known('D1ZN9Wj1fRSUQfCjhvnu1hqDMT7hzjzBBpi12nVniYD6');

/** Source of truth: MeteoraAg/dlmm-sdk idls/dlmm.json. */
export const PAIR: Layout = {
  what: 'LbPair',
  programId: DLMM_PROGRAM,
  discriminator: accountDiscriminator('LbPair'),
  minBytes: 904,
  maxBytes: 904,
};

export const PAIR_AT = {
  baseFactor: 8,
  filterPeriod: 10,
  decayPeriod: 12,
  reductionFactor: 14,
  variableFeeControl: 16,
  maxVolatilityAccumulator: 20,
  baseFeePowerFactor: 34,
  functionType: 35,
  collectFeeMode: 36,
  volatilityAccumulator: 40,
  volatilityReference: 44,
  indexReference: 48,
  lastUpdateTimestamp: 56,
  activeId: 76,
  binStep: 80,
  status: 82,
  activationType: 86,
  mintX: 88,
  mintY: 120,
  reserveX: 152,
  reserveY: 184,
  oracle: 552,
  bitmap: 584,
  activationPoint: 816,
} as const;

export const BIN_ARRAY: Layout = {
  what: 'BinArray',
  programId: DLMM_PROGRAM,
  discriminator: accountDiscriminator('BinArray'),
  minBytes: 10136,
  maxBytes: 10136,
};

export const BIN_ARRAY_AT = { index: 8, pair: 24, bins: 56 } as const;
export const BINS_PER_ARRAY = 70;
export const BIN_BYTES = 144;
export const BIN_AT = {
  amountX: 0,
  amountY: 8,
  price: 16,
  openOrders: 112,
  processedOrders: 128,
  ordersAskSide: 140,
} as const;

/** Arrays −512 to 511 are marked in the pair itself; those beyond, in an account of their own that is not read. */
export const BITMAP_ARRAYS = 512;

export const FEE_PRECISION = 1_000_000_000n;
export const MAX_FEE_RATE = 100_000_000n;

/** Fees in the input token, or in Y in both directions. */
export const COLLECT_ON_INPUT = 0;
export const COLLECT_IN_Y = 1;

/** A pair's other functions beside trading. Undetermined pairs take limit orders unless they pay rewards. */
export const FUNCTION_UNDETERMINED = 0;
export const FUNCTION_LIMIT_ORDERS = 2;
export const REWARD_MINTS_AT = [264, 408] as const;
