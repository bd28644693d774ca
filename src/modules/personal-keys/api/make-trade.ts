import { z } from 'zod';
import { answerIdempotently } from '../../../platform/http/idempotency.ts';
import { route } from '../../../platform/http/route.ts';
import { TRADES } from '../../guard/rules/acts.ts';
import { addressField, amountField } from '../../market/api/fields.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { QUOTE_ERRORS } from '../../trading/api/quote-data.ts';
import { readKeyedTrade } from '../rules/keyed-trade.ts';
import { SHARED_CODES, sharedFields, signedBody } from './desk-body.ts';
import { signedBy } from './desk-route.ts';
import { TRADE_EXAMPLE, tradeRecord, tradeShape } from './trade-record.ts';
import { refusedOutcome, refusedTrade, TRADE_REFUSALS } from './trade-refusals.ts';

const SIDE = 'expected buy or sell';

const body = z.strictObject({
  side: z.enum(['buy', 'sell'], { error: SIDE }),
  mint: addressField('the token that is bought or sold, for SOL'),
  amount: amountField('lamports of a purchase, units of a sale'),
  minReceived: amountField(
    'the least that may arrive: units of a purchase, lamports of a sale, after every fee but the network’s. Below it nothing is signed',
  ),
  ...sharedFields('trade'),
});

const placed = z.object({ id: z.string() });

/** Buys or sells from the wallet of the key. */
export const makeDeskTrade = route<z.infer<typeof body>>({
  act: TRADES,
  method: 'POST',
  host: 'pro',
  scope: 'any',
  signed: 'trade',
  path: '/desk/trades',
  operationId: 'makeDeskTrade',
  summary: 'Buy or sell from the wallet that the key was added for',
  description:
    'The trade is under way when this answers; `GET /desk/trades/{tradeId}` has the final word. The person’s slippage counts, and `minReceived` beside it; sales of the person’s settings are not placed with it. What the chat would ask a PIN for is `PIN_REQUIRED`. The signer compares the trade with the signed body by itself. Each request is signed by a personal key with the right `trade`: `/docs/signatures`.',
  input: { in: 'body', name: 'MakeDeskTradeRequest', schema: body },
  inputExample: {
    side: 'buy',
    mint: EXAMPLE_MINT,
    amount: '100000000',
    minReceived: '4900000',
    idempotencyKey: 'signal-2026-11-28-1',
  },
  output: {
    name: 'MadeDeskTrade',
    schema: tradeShape,
    example: { ...TRADE_EXAMPLE, status: 'open', lamports: null, units: null, signature: null },
  },
  codes: {
    side: 'VALIDATION_FAILED',
    mint: 'ADDRESS_INVALID',
    amount: 'AMOUNT_INVALID',
    minReceived: 'AMOUNT_INVALID',
    ...SHARED_CODES,
  },
  errors: [...QUOTE_ERRORS, ...TRADE_REFUSALS],
  across: () => [],
  fieldsOf: ({ mint }) => ({ [mint]: 'mint', toTokenAddress: 'mint', userWalletAddress: 'amount' }),
  handle: async (deps, _input, caller) => {
    const { desk, key, signed } = signedBy(deps, caller);
    const trade = signedBody(signed, readKeyedTrade, 'a trade');
    const { data } = await answerIdempotently(
      deps,
      { operation: 'POST /desk/trades', caller, key: trade.idempotencyKey, input: trade },
      async () => {
        const made = await desk.makeTrade(key, { trade, signed }).catch(refusedTrade);
        if (made.kind !== 'trade') throw refusedOutcome(made.kind);
        return { id: made.intent.id };
      },
    );
    const intent = await desk.trade(key, placed.parse(data).id);
    if (intent === null) throw new Error('a trade that was made is gone');
    return tradeRecord(intent);
  },
});
