import { QUOTE_ERRORS } from './quote-data.ts';
import { PARTY_ERRORS } from './swap-options.ts';
import { TIP_ERRORS } from './tip-options.ts';

/** Every refusal of a swap that is built and simulated for a wallet. */
export const SWAP_ERRORS = [
  ...QUOTE_ERRORS,
  'REFERRER_FEE_REQUIRED',
  'REFERRER_FEE_TOO_HIGH',
  'REFERRER_WALLET_REQUIRED',
  'REFERRER_NOT_A_WALLET',
  'REFERRER_UNFUNDED',
  'INSUFFICIENT_LAMPORTS',
  'INSUFFICIENT_TOKENS',
  'RENT_REMAINDER',
  'SIMULATION_FAILED',
  'FIELDS_EXCLUSIVE',
  ...PARTY_ERRORS,
  ...TIP_ERRORS,
] as const;

/** Of a quote of the same request: no balance and no party is looked at. */
export const SWAP_QUOTE_ERRORS = [
  ...QUOTE_ERRORS,
  'REFERRER_FEE_REQUIRED',
  'REFERRER_FEE_TOO_HIGH',
  'REFERRER_WALLET_REQUIRED',
  'FIELDS_EXCLUSIVE',
  ...PARTY_ERRORS,
  ...TIP_ERRORS,
] as const;
