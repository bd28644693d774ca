import { type Instruction, isAddress, MAX_U64 } from '@tradepost/solana';
import { z } from 'zod';

export const addressField = z.string().refine(isAddress, { error: 'expected a base58 address' });

/** A count of smallest units as decimal text. */
export const unitsField = z
  .string()
  .regex(/^\d{1,20}$/, { error: 'expected a whole number as text' })
  .transform(BigInt)
  .refine((value) => value <= MAX_U64, { error: 'expected at most 2^64 − 1' });

const base64 = z
  .string()
  .max(4_096)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, { error: 'expected base64' });

export const base64Field = base64.transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

/** An instruction as Jupiter and OKX write it: keys in base58, data in base64. */
export const instructionField = z
  .object({
    programId: addressField,
    accounts: z
      .array(z.object({ pubkey: addressField, isSigner: z.boolean(), isWritable: z.boolean() }))
      .max(128),
    data: base64Field,
  })
  .transform(
    ({ programId, accounts, data }): Instruction => ({
      programId,
      accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey,
        signer: isSigner,
        writable: isWritable,
      })),
      data,
    }),
  );

/** Programs and labels in a route line: text of others, so short and without control characters. */
export const labelField = z.string().transform((text) => text.replace(/[\p{C}]/gu, '').slice(0, 40));

/** Hundredths of a percent of a ratio (0.01 = 1 %), rounded up, 0 to 10,000. */
export function impactBps(ratio: number): number {
  return Number.isFinite(ratio) ? Math.min(10_000, Math.ceil(Math.abs(ratio) * 10_000)) : 10_000;
}
