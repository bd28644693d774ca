import { z } from 'zod';
import { bps } from '../../../core/amounts/bps.ts';
import { route } from '../../../platform/http/route.ts';
import { addressField, amountField } from '../../market/api/fields.ts';
import { QUOTE_ERRORS, quoteData, quoteShape } from './quote-data.ts';
import {
  FILTER_CODES,
  filterAcross,
  filterOf,
  filterQuery,
  VERSION_CODES,
  versionOf,
  versionQuery,
} from './route-options.ts';
import { quoteExample, SOL, USDC } from './swap-examples.ts';

const SLIPPAGE = 'expected a whole number from 0 to 10000';

const query = z.strictObject({
  fromTokenAddress: addressField('public key of the token sold'),
  toTokenAddress: addressField('public key of the token bought'),
  amount: amountField('amount to swap in smallest units'),
  slippageBps: z
    .string({ error: SLIPPAGE })
    .regex(/^\d{1,5}$/, { error: SLIPPAGE })
    .refine((text) => Number(text) <= 10_000, { error: SLIPPAGE })
    .transform((text) => bps(Number(text)))
    .prefault('500')
    .describe('basis points'),
  ...filterQuery,
  ...versionQuery,
});

/** A price without a wallet and without a transaction. */
export const dexQuote = route({
  act: 'reads',
  method: 'GET',
  scope: 'swap',
  path: '/dex/quote',
  operationId: 'quoteSwap',
  summary: 'What a swap would bring now',
  description: 'The same route that POST /dex/swap would take, without a wallet and without a transaction.',
  input: { in: 'query', name: 'QuoteRequest', schema: query },
  inputExample: { fromTokenAddress: SOL, toTokenAddress: USDC, amount: '1000000000', slippageBps: '500' },
  output: {
    name: 'QuoteResponse',
    schema: z.object(quoteShape),
    example: quoteExample({ name: 'Orca Whirlpool', percent: '62' }, { name: 'Raydium CPMM', percent: '38' }),
  },
  codes: {
    fromTokenAddress: 'ADDRESS_INVALID',
    toTokenAddress: 'ADDRESS_INVALID',
    amount: 'AMOUNT_INVALID',
    slippageBps: 'SLIPPAGE_OUT_OF_RANGE',
    ...FILTER_CODES,
    ...VERSION_CODES,
  },
  errors: [...QUOTE_ERRORS, 'FIELDS_EXCLUSIVE'],
  across: ({ fromTokenAddress, toTokenAddress, ...more }) => [
    ...filterAcross(more),
    ...(typeof fromTokenAddress === 'string' && fromTokenAddress === toTokenAddress
      ? [
          {
            field: 'toTokenAddress',
            code: 'SAME_TOKEN',
            message: 'expected another token than fromTokenAddress',
          },
        ]
      : []),
  ],
  fieldsOf: (input) => ({
    [input.fromTokenAddress]: 'fromTokenAddress',
    [input.toTokenAddress]: 'toTokenAddress',
  }),
  handle: async (deps, input) => {
    const filter = filterOf(input, deps.venues);
    const { value, cost } = await deps.rpcMeter.measure(() =>
      deps.quoteSwap({
        mintIn: input.fromTokenAddress,
        mintOut: input.toTokenAddress,
        amount: input.amount,
        slippageBps: input.slippageBps,
        filter,
        ...versionOf(input),
      }),
    );
    deps.log.debug({ quoteId: value.quoteId, rpc: cost }, 'quoted');
    return quoteData(value, cost);
  },
});
