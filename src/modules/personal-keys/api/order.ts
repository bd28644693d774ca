import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';
import { DESK_READ, signedBy } from './desk-route.ts';
import { EXAMPLE_ORDER_ID, ORDER_EXAMPLE, orderRecord, orderShape } from './order-record.ts';

const query = z.strictObject({
  orderId: z
    .string()
    .max(64, { error: 'expected the id of an order' })
    .describe('as `POST /desk/orders` answers it'),
});

/** One order of the wallet of the key, open or over. */
export const deskOrder = route<z.infer<typeof query>>({
  ...DESK_READ,
  path: '/desk/orders/:orderId',
  operationId: 'getDeskOrder',
  summary: 'One order of the wallet that the key was added for',
  description:
    'Also one that is over: `FILLED`, `CANCELLED` and `EXPIRED` are final. Its trades name it at `/desk/trades`. Each request is signed by a personal key with the right `read`: `/docs/signatures`.',
  pathFields: ['orderId'],
  input: { in: 'query', name: 'DeskOrderRequest', schema: query },
  inputExample: { orderId: EXAMPLE_ORDER_ID },
  output: { name: 'DeskOrder', schema: orderShape, example: ORDER_EXAMPLE },
  codes: { orderId: 'VALIDATION_FAILED' },
  errors: ['ORDER_UNKNOWN'],
  handle: async (deps, { orderId }, caller) => {
    const { desk, key } = signedBy(deps, caller);
    const order = await desk.order(key, orderId);
    if (order !== null) return orderRecord(order);
    throw new ApiError({
      status: 404,
      code: 'ORDER_UNKNOWN',
      message: 'no order of this wallet has this id; GET /desk/orders lists those that are open',
      field: 'orderId',
    });
  },
});
