import { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import { route } from '../../../platform/http/route.ts';
import { EXAMPLE_MINT, USD_EXAMPLE, usdFields, usdOf } from '../../tokens/api/token-records.ts';
import { addressField } from './fields.ts';

const MINTS = 'expected a list of 1 to 100 mints';
const body = z.strictObject({
  mints: z
    .array(addressField('mint of a token'), { error: MINTS })
    .min(1, { error: MINTS })
    .max(100, { error: MINTS }),
});
const priceRecord = z.object({ mint: z.string(), ...usdFields });

export const tokenPrices = route<z.infer<typeof body>>({
  act: 'reads',
  method: 'POST',
  path: '/prices',
  scope: 'market',
  operationId: 'listTokenPrices',
  summary: 'Prices of up to 100 tokens in dollars and SOL',
  description: 'In the order asked. What nobody knows is null, also for an address that is no mint.',
  input: { in: 'body', name: 'TokenPricesRequest', schema: body },
  inputExample: { mints: [EXAMPLE_MINT] },
  output: {
    name: 'TokenPricesResponse',
    schema: priceRecord.array(),
    example: [{ mint: EXAMPLE_MINT, ...USD_EXAMPLE }],
  },
  codes: { mints: 'MINTS_INVALID' },
  across: () => [],
  fieldsOf: () => ({}),
  handle: async (deps, { mints }) => {
    const wanted = mints.map((mint) => address(mint));
    const prices = await deps.tokens.prices(wanted);
    return wanted.map((mint): z.infer<typeof priceRecord> => {
      const price = prices.get(mint) ?? null;
      return { mint, ...usdOf(price, price?.priceSol ?? null) };
    });
  },
});
