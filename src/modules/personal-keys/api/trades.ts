import { z } from 'zod';
import { orderOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent, IntentStatus } from '../../../engine/intents/rules/intent.ts';
import { route } from '../../../platform/http/route.ts';
import { unitsText } from '../../market/api/fields.ts';
import { cursorField, cursorInvalid, cursorText, readCursor } from '../../market/api/market-input.ts';
import { limitField } from '../../tokens/api/token-input.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { DESK_READ, signedBy } from './desk-route.ts';

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const EXAMPLE_ID = '01KAZ3C8T5Q0V7N2M4R6W8Y1D3';

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

const query = z.strictObject({ limit: limitField(100, 50), cursor: cursorField });

const trade = z.object({
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

const response = z.object({
  trades: z.array(trade).describe('the newest first'),
  next: z.string().nullable().describe('the cursor of the next page; null where there is none'),
});

/** Purchases and sales of the wallet of the key. */
export const deskTrades = route<z.infer<typeof query>>({
  ...DESK_READ,
  path: '/desk/trades',
  operationId: 'listDeskTrades',
  summary: 'Trades of the wallet that the key was added for',
  description:
    'Purchases and sales that were ordered here, by a person or by an order, under way or over. Each request is signed by a personal key with the right `read`: `/docs/signatures`.',
  input: { in: 'query', name: 'DeskTradesRequest', schema: query },
  inputExample: { limit: '50' },
  output: {
    name: 'DeskTrades',
    schema: response,
    example: {
      trades: [
        {
          id: EXAMPLE_ID,
          receipt: 'R-7F3K2',
          side: 'buy',
          mint: EXAMPLE_MINT,
          amountIn: '100000000',
          status: 'succeeded',
          orderId: null,
          lamports: '-102105280',
          units: '5000000',
          signature:
            '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
          reason: null,
          createdAt: '2026-11-28T12:00:00.000Z',
        },
      ],
      next: null,
    },
  },
  codes: { limit: 'LIMIT_INVALID', cursor: 'CURSOR_INVALID' },
  handle: async (deps, { limit, cursor }, caller) => {
    const { desk, key } = signedBy(deps, caller);
    // A place is one of this wallet's list alone.
    const list = `desk-trades ${key.walletId}`;
    const before = cursor === undefined ? null : readCursor(list, cursor);
    if (before !== null && !ID.test(before)) throw cursorInvalid();
    const wanted = Number(limit);
    const found = await desk.trades(key, { limit: wanted + 1, before });
    const page = found.slice(0, wanted);
    const last = page.at(-1);
    return {
      trades: page.flatMap(recordOf),
      next: found.length > wanted && last !== undefined ? cursorText(list, last.id) : null,
    } satisfies z.infer<typeof response>;
  },
});

function recordOf({
  id,
  receipt: code,
  params,
  status,
  outcome,
  createdAt,
}: Intent): readonly z.infer<typeof trade>[] {
  const agreed = tradeOf(params);
  if (agreed === null) return [];
  const { side, mint, amountIn } = agreed;
  const receipt = outcome?.receipt ?? null;
  const moved = receipt?.tokenDeltas.find((one) => one.mint === mint)?.delta ?? 0n;
  return [
    {
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
    },
  ];
}
