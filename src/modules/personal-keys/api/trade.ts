import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';
import { DESK_READ, signedBy } from './desk-route.ts';
import { EXAMPLE_ID, TRADE_EXAMPLE, tradeRecord, tradeShape } from './trade-record.ts';

const query = z.strictObject({
  tradeId: z
    .string()
    .max(64, { error: 'expected the id of a trade' })
    .describe('as `POST /desk/trades` answers it'),
});

/** One trade of the wallet of the key, as it is now. */
export const deskTrade = route<z.infer<typeof query>>({
  ...DESK_READ,
  path: '/desk/trades/:tradeId',
  operationId: 'getDeskTrade',
  summary: 'One trade of the wallet that the key was added for',
  description:
    'Ask until `status` is not `open`: that word is final. Each request is signed by a personal key with the right `read`: `/docs/signatures`.',
  pathFields: ['tradeId'],
  input: { in: 'query', name: 'DeskTradeRequest', schema: query },
  inputExample: { tradeId: EXAMPLE_ID },
  output: { name: 'DeskTrade', schema: tradeShape, example: TRADE_EXAMPLE },
  codes: { tradeId: 'VALIDATION_FAILED' },
  errors: ['TRADE_UNKNOWN'],
  handle: async (deps, { tradeId }, caller) => {
    const { desk, key } = signedBy(deps, caller);
    const intent = await desk.trade(key, tradeId);
    const record = intent === null ? null : tradeRecord(intent);
    if (record !== null) return record;
    throw new ApiError({
      status: 404,
      code: 'TRADE_UNKNOWN',
      message: 'no trade of this wallet has this id; GET /desk/trades lists them',
      field: 'tradeId',
    });
  },
});
