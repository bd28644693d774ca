import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { unitsText } from '../../market/api/fields.ts';
import { ORDER_TYPES, type Order } from '../../orders/rules/order.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { DESK_READ, signedBy } from './desk-route.ts';

const order = z.object({
  id: z.string(),
  number: z.int().describe('the name that the chat shows'),
  groupId: z.string().describe('orders of one group share its units'),
  mint: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.enum(ORDER_TYPES),
  status: z.enum(['WAITING', 'OPEN', 'TRIGGERED', 'PAUSED']),
  reason: z.string().nullable().describe('why it is paused'),
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

/** Open orders of the wallet of the key. */
export const deskOrders = route<Record<string, never>>({
  ...DESK_READ,
  path: '/desk/orders',
  operationId: 'listDeskOrders',
  summary: 'Open orders of the wallet that the key was added for',
  description:
    'Orders that wait, are open or paused, oldest group first. What they traded is at `/desk/trades`. Each request is signed by a personal key with the right `read`: `/docs/signatures`.',
  input: { in: 'query', name: 'DeskOrdersRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: {
    name: 'DeskOrders',
    schema: z.array(order),
    example: [
      {
        id: '01KAZ3C8T5Q0V7N2M4R6W8Y1D3',
        number: 1,
        groupId: '01KAZ3C8T5Q0V7N2M4R6W8Y1D2',
        mint: EXAMPLE_MINT,
        side: 'sell',
        type: 'TAKE_PROFIT',
        status: 'OPEN',
        reason: null,
        amount: { kind: 'share', bps: 5_000 },
        filled: '0',
        received: '0',
        trigger: { got: '40', given: '1', unit: 'SOL' },
        expiresAt: '2026-12-28T12:00:00.000Z',
        createdAt: '2026-11-28T12:00:00.000Z',
      },
    ],
  },
  codes: {},
  handle: async (deps, _input, caller) => {
    const { desk, key } = signedBy(deps, caller);
    return (await desk.orders(key)).map(recordOf);
  },
});

function recordOf({ id, number, groupId, mint, side, type, status, reason, unit, ...rest }: Order) {
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
