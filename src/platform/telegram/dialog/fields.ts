import { type Address, isAddress } from '@tradepost/solana';
import { z } from 'zod';
import { bps } from '../../../core/amounts/bps.ts';
import type { TypedAmount } from '../ui/read-amount.ts';

/** Fields of drafts, as they are read back between two answers. */

export const text = z.string();
export const units = z.bigint();
export const address: z.ZodType<Address, unknown> = z.string().refine(isAddress);

export const typedAmount: z.ZodType<TypedAmount, unknown> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exact'), units }),
  z.object({ kind: z.literal('max') }),
  z.object({ kind: z.literal('share'), bps: z.int().transform((rate) => bps(rate)) }),
]);

/** An answer that a later question reads. Throws where the questions were asked in another order: a fault of the form. */
export function answered<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a question is asked before the one that it builds on');
  return value;
}
