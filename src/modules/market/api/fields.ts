import { isAddress, MAX_U64 } from '@tradepost/solana';
import { z } from 'zod';
import { bps } from '../../../core/amounts/bps.ts';

const ADDRESS = 'expected a base58 address of 32 bytes';
const AMOUNT =
  'expected a whole number of smallest units as a string, at least 1 and at most 18446744073709551615';

/** A base58 public key. */
export const addressField = (description: string) =>
  z
    .string({ error: ADDRESS })
    .max(64, { error: ADDRESS })
    .transform((text, context) => (isAddress(text) ? text : refuse(context, ADDRESS)))
    .describe(description);

/** A count of smallest units, written as a string because JSON numbers lose digits. */
export const amountField = (description: string) =>
  z
    .string({ error: AMOUNT })
    .regex(/^[1-9][0-9]{0,19}$/, { error: AMOUNT })
    .transform((text, context) => {
      const units = BigInt(text);
      return units <= MAX_U64 ? units : refuse(context, AMOUNT);
    })
    .describe(description);

export const bpsField = (max: number, description: string) => {
  const error = `expected a whole number from 0 to ${max}`;
  return z
    .number({ error })
    .int({ error })
    .min(0, { error })
    .max(max, { error })
    .transform((rate) => bps(rate))
    .describe(description);
};

function refuse(context: z.core.$RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

export const unitsText = (description: string) =>
  z
    .string()
    .regex(/^\d{1,20}$/)
    .describe(description);

/** Beside the `tx` of each answer that built a transaction. */
export const submittable = {
  txBase64: z.string().describe('the bytes of `tx` in base64'),
  submitToken: z
    .string()
    .nullable()
    .describe(
      'lets `POST /transactions` take it without a key for five minutes; null where this service submits nothing for callers',
    ),
};
