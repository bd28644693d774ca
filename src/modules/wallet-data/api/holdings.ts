import { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import { Answer } from '../../../platform/http/answer.ts';
import { addressField, unitsText } from '../../market/api/fields.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import { EXAMPLE_MINT, USD_EXAMPLE, usdFields, usdOf } from '../../tokens/api/token-records.ts';

const query = z.strictObject({ address: addressField('any address; most are wallets') });
const dollars = z.number().nullable();

const response = z.object({
  address: z.string(),
  lamports: unitsText('SOL in smallest units'),
  sol: z.object({ ...usdFields, valueUsd: dollars.describe('of the SOL') }),
  tokens: z
    .array(
      z.object({
        mint: z.string(),
        tokenProgram: z.string(),
        decimals: z.number(),
        amount: unitsText('units in all its accounts of the token'),
        frozen: unitsText('those of them that the issuer froze'),
        accounts: z.int().describe('accounts that hold it'),
        ...usdFields,
        valueUsd: dollars.describe('null where the price is not known'),
      }),
    )
    .describe('the worthiest first; at most 500'),
  complete: z.boolean().describe('false: the node’s list was cut, or more tokens are held than are given'),
});

/** What any address holds, as the chain shows it. */
export const walletHoldings = marketRoute<z.infer<typeof query>>({
  path: '/wallets/:address/holdings',
  operationId: 'listHoldings',
  summary: 'What an address holds, with dollars',
  description:
    'SOL and the tokens of both token programs, read from the chain at `confirmed`. Dollars carry their confidence and age; they are for reading and no offer. An address without anything holds 0.',
  pathFields: ['address'],
  input: { in: 'query', name: 'HoldingsRequest', schema: query },
  inputExample: { address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' },
  output: {
    name: 'HoldingsResponse',
    schema: response,
    example: {
      address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
      lamports: '1500000000',
      sol: { ...USD_EXAMPLE, priceSol: 1, valueUsd: 230.5 },
      tokens: [
        {
          mint: EXAMPLE_MINT,
          tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
          decimals: 6,
          amount: '1000000',
          frozen: '0',
          accounts: 1,
          ...USD_EXAMPLE,
          valueUsd: 0.0123456789,
        },
      ],
      complete: true,
    },
  },
  codes: { address: 'ADDRESS_INVALID' },
  handle: async (deps, input) => {
    const wanted = address(input.address);
    const { lamports, sol, tokens, complete } = await deps.walletHoldings(wanted);
    const data: z.infer<typeof response> = {
      address: wanted,
      lamports: lamports.toString(),
      sol: {
        ...usdOf(sol, sol?.priceSol ?? null),
        valueUsd: sol === null ? null : (Number(lamports) / 1e9) * sol.usd,
      },
      tokens: tokens.map(({ amount, frozen, price, ...one }) => ({
        ...one,
        amount: amount.toString(),
        frozen: frozen.toString(),
        ...usdOf(price, price?.priceSol ?? null),
      })),
      complete,
    };
    return new Answer({ data, maxAge: 2 });
  },
});
