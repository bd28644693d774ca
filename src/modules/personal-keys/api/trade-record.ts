import { z } from 'zod';
import { orderOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent, IntentStatus } from '../../../engine/intents/rules/intent.ts';
import { unitsText } from '../../market/api/fields.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';

/** An id of a trade, for examples. */
export const EXAMPLE_ID = '01KAZ3C8T5Q0V7N2M4R6W8Y1D3';

const STATUSES = {
  CREATED: 'open',
  ACTIVE: 'open',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  REJECTED: 'rejected',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  NEEDS_REVIEW: 'review',
} as const satisfies Record<IntentStatus, string>;

/** A purchase or a sale of the wallet of a key. */
export const tradeShape = z.object({
  id: z.string(),
  receipt: z.string().describe('the code that the chat shows'),
  side: z.enum(['buy', 'sell']),
  mint: z.string(),
  amountIn: unitsText('lamports of a purchase, units of a sale, as ordered'),
  status: z
    .enum(['open', 'succeeded', 'failed', 'rejected', 'expired', 'cancelled', 'review'])
    .describe('`review`: neither success nor death can be proven, and an operator looks at it'),
  orderId: z.string().nullable().describe('the order that wanted it; null where a person did'),
  lamports: z
    .string()
    .nullable()
    .describe('change of the wallet’s lamports, every fee and deposit included; null before it landed'),
  units: z.string().nullable().describe('change of its units of the token; null before it landed'),
  signature: z.string().nullable(),
  reason: z.string().nullable().describe('why it did not succeed'),
  createdAt: z.string().describe('ISO 8601'),
});

type TradeRecord = z.infer<typeof tradeShape>;

export const TRADE_EXAMPLE: TradeRecord = {
  id: EXAMPLE_ID,
  receipt: 'R-7F3K2',
  side: 'buy',
  mint: EXAMPLE_MINT,
  amountIn: '100000000',
  status: 'succeeded',
  orderId: null,
  lamports: '-102105280',
  units: '5000000',
  signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  reason: null,
  createdAt: '2026-11-28T12:00:00.000Z',
};

/** The record of an intent that is a trade; null for any other. */
export function tradeRecord({
  id,
  receipt: code,
  params,
  status,
  outcome,
  createdAt,
}: Intent): TradeRecord | null {
  const agreed = tradeOf(params);
  if (agreed === null) return null;
  const { side, mint, amountIn } = agreed;
  const receipt = outcome?.receipt ?? null;
  const moved = receipt?.tokenDeltas.find((one) => one.mint === mint)?.delta ?? 0n;
  return {
    id,
    receipt: code,
    side,
    mint,
    amountIn: amountIn.toString(),
    status: STATUSES[status],
    orderId: orderOf(params)?.id ?? null,
    lamports: receipt === null ? null : receipt.walletLamportsDelta.toString(),
    units: receipt === null ? null : moved.toString(),
    signature: receipt?.signature ?? null,
    reason: outcome?.reason ?? null,
    createdAt: new Date(createdAt).toISOString(),
  };
}
