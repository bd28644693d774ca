import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { DESK_READ, signedBy } from './desk-route.ts';
import { openOrderShape, orderRecord } from './order-record.ts';

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
    schema: z.array(openOrderShape),
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
    return (await desk.orders(key)).map(orderRecord);
  },
});
