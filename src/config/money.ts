import { z } from 'zod';
import { REFERRAL_ACTIONS } from '../modules/referrals/rules/required-for.ts';
import { actRates } from './act-rates.ts';
import { addressText, dated, integer, list } from './fields.ts';

/** Fees, their shares, and limits. */
export const moneyVariables = {
  FEE_BPS: dated(0, 1_000).optional(),
  CREATE_FEE_LAMPORTS: dated(0, 10_000_000_000).optional(),
  LAUNCH_FEE_LAMPORTS: dated(0, 10_000_000_000).optional(),
  REFERRAL_REQUIRED_FOR: z
    .union([z.literal('nothing').transform(() => []), list(z.enum(REFERRAL_ACTIONS))], {
      error: `expected "nothing" or a comma list of ${REFERRAL_ACTIONS.join(', ')}`,
    })
    .default(['create', 'launch']),
  REFERRAL_SHARE_BPS: dated(0, 9_999).optional(),
  METEORA_DBC_CONFIG: addressText.optional(),
  RAYDIUM_LAUNCHLAB_PLATFORM: addressText.optional(),
  CUSTOM_CODE: z.enum(['shop', 'free']).default('shop'),
  CONVERT: z.enum(['on', 'off']).default('off'),
  GAMES: z.enum(['on', 'off']).default('off'),
  PAYOUT_MIN_LAMPORTS: integer(0, 10_000_000_000).default(0),
  PAYOUTS_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(5_000_000_000),
  PAYOUTS_UNPROVED_LAMPORTS: integer(0, 1_000_000_000_000_000).default(500_000_000),
  MAX_WALLETS: integer(1, 100).default(5),
  ADDRESS_DELAY_SECONDS: integer(0, 2_592_000).optional(),
  LONG_DELAY_SECONDS: integer(0, 2_592_000).optional(),
  DAILY_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(5_000_000_000),
  SPENDING_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(5_000_000_000),
  ALL_SPENDING_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(50_000_000_000),
  DOUBTED_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(10_000_000_000),
  SINCE_PIN_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(15_000_000_000),
  ACT_RATES: actRates.default({}),
  ORDERS_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(10_000_000_000),
  COPY_TRADING: z.enum(['on', 'off']).optional(),
  PERSONAL_KEYS: z.enum(['on', 'off']).default('off'),
  PERSONAL_KEYS_HOST: z
    .string()
    .regex(/^[a-z0-9.-]{1,200}(:\d{1,5})?$/, {
      error: 'expected the host of your keyed API, like "desk.example.org"',
    })
    .optional(),
  ORDERS_RPC_PER_SECOND: integer(1, 10_000).default(20),
};
