import { z } from 'zod';
import { hasCode } from '../../../core/errors/app-error.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';
import { signedBy } from './desk-route.ts';

const query = z.strictObject({
  orderId: z
    .string()
    .max(64, { error: 'expected the id of an order' })
    .describe('as `/desk/orders` lists it'),
});

const response = z.object({
  id: z.string(),
  status: z
    .enum(['WAITING', 'OPEN', 'TRIGGERED', 'PAUSED', 'FILLED', 'CANCELLED', 'EXPIRED'])
    .describe('`CANCELLED`; another one where it was over before, or fires at this moment'),
  sent: z
    .boolean()
    .describe('true: its trade was signed before and cannot be recalled; the order ends with it'),
});

/** Ends an order of the wallet of the key. */
export const endDeskOrder = route<z.infer<typeof query>>({
  act: 'order-stop',
  method: 'DELETE',
  host: 'pro',
  scope: 'any',
  signed: 'orders',
  path: '/desk/orders/:orderId',
  operationId: 'endDeskOrder',
  summary: 'End an order of the wallet that the key was added for',
  description:
    'Its person gets a message. Asked again, the answer is the same and nothing more happens. Each request is signed by a personal key with the right `orders`: `/docs/signatures`.',
  pathFields: ['orderId'],
  input: { in: 'query', name: 'EndDeskOrderRequest', schema: query },
  inputExample: { orderId: '01KAZ3C8T5Q0V7N2M4R6W8Y1D3' },
  output: {
    name: 'EndedDeskOrder',
    schema: response,
    example: { id: '01KAZ3C8T5Q0V7N2M4R6W8Y1D3', status: 'CANCELLED', sent: false },
  },
  codes: { orderId: 'VALIDATION_FAILED' },
  errors: ['ORDER_UNKNOWN', 'PERSONAL_KEY_TOKEN'],
  across: () => [],
  fieldsOf: () => ({}),
  handle: async (deps, { orderId }, caller) => {
    const { desk, key } = signedBy(deps, caller);
    const ended = await desk.endOrder(key, orderId).catch(refused);
    if (ended.kind === 'token')
      throw new ApiError({
        status: 403,
        code: 'PERSONAL_KEY_TOKEN',
        message: 'the order is of a token that is not in the list of this key',
      });
    const { order, sent } = ended;
    return { id: order.id, status: order.status, sent } satisfies z.infer<typeof response>;
  },
});

function refused(error: unknown): never {
  if (!hasCode(error, 'ORDER_NOT_FOUND')) throw error;
  throw new ApiError({
    status: 404,
    code: 'ORDER_UNKNOWN',
    message: 'no order of this wallet has this id; GET /desk/orders lists those that are open',
    field: 'orderId',
  });
}
