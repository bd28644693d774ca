import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';

/** Where swaps of this service may go, by the names that `venues` and `excludeVenues` take. */
export const dexVenues = route({
  act: 'reads',
  method: 'GET',
  scope: 'swap',
  path: '/dex/venues',
  operationId: 'listVenues',
  summary: 'Venues that swaps may go over',
  description:
    'Exchanges whose program this cluster has. A swap takes their names in `venues` and `excludeVenues`.',
  input: { in: 'query', name: 'VenuesRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: {
    name: 'VenuesResponse',
    schema: z.array(
      z.object({
        name: z.string(),
        programId: z.string().nullable().describe('null where a swap is made of plain transfers'),
      }),
    ),
    example: [{ name: 'raydium-cpmm', programId: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C' }],
  },
  codes: {},
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ venues }) => venues,
});
