import { MAX_U64 } from '@tradepost/solana';
import { z } from 'zod';
import type { Detail } from '../../../platform/http/errors/api-error.ts';
import { answerIdempotently } from '../../../platform/http/idempotency.ts';
import { route } from '../../../platform/http/route.ts';
import { addressField, amountField } from '../../market/api/fields.ts';
import { PLACEMENT } from '../../orders/rules/placement.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { QUOTE_ERRORS } from '../../trading/api/quote-data.ts';
import {
  KEYED_ORDER_TYPES,
  MOST_WARNINGS,
  momentOf,
  readKeyedOrder,
  WARNING_CODE,
} from '../rules/keyed-order.ts';
import { SHARED_CODES, sharedFields, signedBody } from './desk-body.ts';
import { signedBy } from './desk-route.ts';
import { ORDER_EXAMPLE, orderRecord, orderShape } from './order-record.ts';
import { ORDER_REFUSALS, refusedOrder, refusedPlacing } from './order-refusals.ts';

const SIDE = 'expected buy or sell';
const TYPE = `expected one of ${KEYED_ORDER_TYPES.join(', ')}`;
const RATE = `expected {"got", "given"}, each a whole number as a string, from 1 to ${MAX_U64}`;
const MOMENT = 'expected a moment in UTC, like 2026-12-24T18:00:00Z';
const SHARE = 'expected a whole number from 1 to 10000';
const TOLERANCE = `expected a whole number from 0 to ${PLACEMENT.maxToleranceBps}`;
const PARTIAL = 'expected true or false';
const WARNINGS = `expected at most ${MOST_WARNINGS} codes of warnings`;

const part = z
  .string({ error: RATE })
  .regex(/^[1-9][0-9]{0,19}$/, { error: RATE, abort: true })
  .refine((text) => BigInt(text) <= MAX_U64, { error: RATE });
const rateField = (description: string) =>
  z.strictObject({ got: part, given: part }, { error: RATE }).describe(description);

const body = z.strictObject({
  side: z.enum(['buy', 'sell'], { error: SIDE }),
  type: z
    .enum(KEYED_ORDER_TYPES, { error: TYPE })
    .describe('`LIMIT` buys or sells; `TAKE_PROFIT` and `STOP_LOSS` sell what the wallet holds'),
  mint: addressField('the token that is bought or sold, for SOL'),
  amount: amountField('lamports of a purchase, units of a sale; this or `shareBps`').optional(),
  shareBps: z
    .int({ error: SHARE })
    .min(1, { error: SHARE })
    .max(10_000, { error: SHARE })
    .optional()
    .describe(
      'of a `TAKE_PROFIT` or `STOP_LOSS`: its share of the units that the wallet holds when it fires. It joins the other exits of the token, and the sale of one cuts the others',
    ),
  trigger: rateField(
    'units got for units given, as `/desk/orders` shows it. A limit and a take profit fire when the whole amount brings as much or more, a stop when it brings as little or less',
  ),
  floor: rateField(
    'of a `STOP_LOSS`: it never sells below; a quarter below the trigger where it is left out',
  ).optional(),
  toleranceBps: z
    .int({ error: TOLERANCE })
    .min(0, { error: TOLERANCE })
    .max(PLACEMENT.maxToleranceBps, { error: TOLERANCE })
    .optional()
    .describe('how much worse than its trigger a limit or a take profit may end; 0 where it is left out'),
  partial: z
    .boolean({ error: PARTIAL })
    .optional()
    .describe('whether a part may be bought or sold; not of a stop'),
  acceptedWarnings: z
    .array(z.string({ error: WARNINGS }).regex(WARNING_CODE, { error: WARNINGS }), { error: WARNINGS })
    .max(MOST_WARNINGS, { error: WARNINGS })
    .optional()
    .describe('codes of warnings of a bought token that do not pause the order'),
  expiresAt: z
    .string({ error: MOMENT })
    .refine((text) => momentOf(text) !== null, { error: MOMENT })
    .describe('its end, in UTC, at most 30 days ahead'),
  ...sharedFields('order'),
});

const placed = z.object({ id: z.string() });

/** Places a standing order of the wallet of the key. */
export const placeDeskOrder = route<z.infer<typeof body>>({
  act: 'order-place',
  method: 'POST',
  host: 'pro',
  scope: 'any',
  signed: 'place',
  path: '/desk/orders',
  operationId: 'placeDeskOrder',
  summary: 'Place a standing order of the wallet that the key was added for',
  description:
    'The whole amount of a purchase counts for the key’s day when it is placed. The order lives on when its key ends; a lock of trades or `/panic` in the chat pauses it. What the chat would ask a PIN for is `PIN_REQUIRED`. The signer compares the order with the signed body by itself. `GET /desk/orders/{orderId}` has the final word. Each request is signed by a personal key with the right `place`: `/docs/signatures`.',
  input: { in: 'body', name: 'PlaceDeskOrderRequest', schema: body },
  inputExample: {
    side: 'buy',
    type: 'LIMIT',
    mint: EXAMPLE_MINT,
    amount: '100000000',
    trigger: { got: '5000000', given: '100000000' },
    expiresAt: '2026-12-24T18:00:00Z',
    idempotencyKey: 'dip-2026-11-28-1',
  },
  output: { name: 'PlacedDeskOrder', schema: orderShape, example: ORDER_EXAMPLE },
  codes: {
    side: 'VALIDATION_FAILED',
    type: 'VALIDATION_FAILED',
    mint: 'ADDRESS_INVALID',
    amount: 'AMOUNT_INVALID',
    shareBps: 'AMOUNT_INVALID',
    trigger: 'TRIGGER_INVALID',
    floor: 'TRIGGER_INVALID',
    toleranceBps: 'SLIPPAGE_OUT_OF_RANGE',
    partial: 'VALIDATION_FAILED',
    acceptedWarnings: 'VALIDATION_FAILED',
    expiresAt: 'TIME_INVALID',
    ...SHARED_CODES,
  },
  errors: [...QUOTE_ERRORS, ...ORDER_REFUSALS, 'FIELDS_EXCLUSIVE'],
  across,
  fieldsOf: ({ mint }) => ({ [mint]: 'mint' }),
  handle: async (deps, _input, caller) => {
    const { desk, key, signed } = signedBy(deps, caller);
    const order = signedBody(signed, readKeyedOrder, 'an order');
    const { data } = await answerIdempotently(
      deps,
      { operation: 'POST /desk/orders', caller, key: order.idempotencyKey, input: order },
      async () => {
        const made = await desk.placeOrder(key, { order, signed }).catch(refusedPlacing);
        if (made.kind !== 'order') throw refusedOrder(made);
        return { id: made.order.id };
      },
    );
    const found = await desk.order(key, placed.parse(data).id);
    if (found === null) throw new Error('an order that was placed is gone');
    return orderRecord(found);
  },
});

type Raw = Readonly<Record<string, unknown>>;
const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** The fields that one kind of order has, and another has not. */
function across(raw: Raw): readonly Detail[] {
  const { side, type } = raw;
  const refuse = (field: string, code: Detail['code'], message: string): readonly Detail[] => [
    { field, code, message },
  ];
  const isStop = type === 'STOP_LOSS';
  const extra = (isStop ? ['toleranceBps', 'partial'] : ['floor']).filter((field) => isThere(raw[field]));
  const kind = isStop ? 'STOP_LOSS' : 'LIMIT or TAKE_PROFIT';
  return [
    ...(side === 'buy' && (isStop || type === 'TAKE_PROFIT')
      ? refuse('side', 'VALIDATION_FAILED', `expected sell: a ${String(type)} sells`)
      : []),
    ...(isThere(raw['amount']) && isThere(raw['shareBps'])
      ? refuse('shareBps', 'FIELDS_EXCLUSIVE', 'expected amount or shareBps, and not both')
      : []),
    ...(isThere(raw['amount']) || isThere(raw['shareBps'])
      ? []
      : refuse('amount', 'FIELD_REQUIRED', 'expected amount, or shareBps of a TAKE_PROFIT or STOP_LOSS')),
    ...(type === 'LIMIT' && isThere(raw['shareBps'])
      ? refuse('shareBps', 'VALIDATION_FAILED', 'expected amount: a LIMIT has no share')
      : []),
    ...extra.flatMap((field) => refuse(field, 'VALIDATION_FAILED', `a ${kind} has no ${field}`)),
  ];
}
