import { z } from 'zod';
import { unitsText } from '../../market/api/fields.ts';
import { ORDER_TYPES, type Order } from '../../orders/rules/order.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';

/** An id of an order, for examples. */
export const EXAMPLE_ORDER_ID = '01KAZ3C8T5Q0V7N2M4R6W8Y1D3';

/** An order of the wallet of a key, in one of these states. */
const shapeOf = <S extends z.ZodType>(status: S, reason: string) =>
  z.object({
    id: z.string(),
    number: z.int().describe('the name that the chat shows'),
    groupId: z.string().describe('orders of one group share its units'),
    mint: z.string(),
    side: z.enum(['buy', 'sell']),
    type: z.enum(ORDER_TYPES),
    status,
    reason: z.string().nullable().describe(reason),
    amount: z
      .object({
        kind: z
          .enum(['fixed', 'share', 'rest'])
          .describe('`fixed`: `units`; `share`: `bps` of the group; `rest`: all that the others leave'),
        units: z.string().optional().describe('lamports of a purchase, units of a sale'),
        bps: z.int().optional(),
      })
      .describe('its part of the group'),
    filled: unitsText('given so far'),
    received: unitsText('got for them'),
    trigger: z
      .object({
        got: z.string(),
        given: z.string(),
        unit: z.enum(['SOL', 'USD']).describe('`USD`: millionths of a dollar stand in the place of lamports'),
      })
      .nullable()
      .describe('an exact rate: units got for units given; null of an order that waits for no price'),
    expiresAt: z.string().describe('ISO 8601'),
    createdAt: z.string().describe('ISO 8601'),
  });

export const openOrderShape = shapeOf(z.enum(['WAITING', 'OPEN', 'TRIGGERED', 'PAUSED']), 'why it is paused');
export const orderShape = shapeOf(
  z
    .enum(['WAITING', 'OPEN', 'TRIGGERED', 'PAUSED', 'FILLED', 'CANCELLED', 'EXPIRED'])
    .describe('`FILLED`, `CANCELLED` and `EXPIRED` are final'),
  'why it is paused, or was cancelled',
);

export const ORDER_EXAMPLE: z.infer<typeof orderShape> = {
  id: EXAMPLE_ORDER_ID,
  number: 1,
  groupId: '01KAZ3C8T5Q0V7N2M4R6W8Y1D2',
  mint: EXAMPLE_MINT,
  side: 'buy',
  type: 'LIMIT',
  status: 'OPEN',
  reason: null,
  amount: { kind: 'fixed', units: '100000000' },
  filled: '0',
  received: '0',
  trigger: { got: '5000000', given: '100000000', unit: 'SOL' },
  expiresAt: '2026-12-28T12:00:00.000Z',
  createdAt: '2026-11-28T12:00:00.000Z',
};

/** The record of an order. */
export function orderRecord({ id, number, groupId, mint, side, type, status, reason, unit, ...rest }: Order) {
  const { amount, trigger, filled, received, expiresAt, createdAt } = rest;
  return {
    id,
    number,
    groupId,
    mint,
    side,
    type,
    status,
    reason,
    amount: amount.kind === 'fixed' ? { kind: amount.kind, units: amount.units.toString() } : amount,
    filled: filled.toString(),
    received: received.toString(),
    trigger: trigger === null ? null : { got: trigger.got.toString(), given: trigger.given.toString(), unit },
    expiresAt: new Date(expiresAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
  };
}
