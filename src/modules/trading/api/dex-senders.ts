import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { unitsText } from '../../market/api/fields.ts';

/** The ways on which this service hands over transactions, by the names that `sender` takes. */
export const dexSenders = route({
  act: 'reads',
  method: 'GET',
  scope: 'swap',
  path: '/dex/senders',
  operationId: 'listSenders',
  summary: 'Ways on which transactions are sent, and their tips',
  description:
    'The nodes (`rpc`), which take no tip, and the senders that the operator configured. `sender` of a swap and of `POST /transactions` takes their names.',
  input: { in: 'query', name: 'SendersRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: {
    name: 'SendersResponse',
    schema: z.array(
      z.object({
        name: z.string(),
        protects: z
          .boolean()
          .describe('whether a transaction that goes to it alone is public only after it has landed'),
        leastTipLamports: unitsText('the least tip that it takes a transaction for'),
        mostTipLamports: unitsText('the most that a swap of this service may pay it'),
        tipAccounts: z
          .array(z.string())
          .describe('where a tip goes: to any one of them, by a plain transfer'),
      }),
    ),
    example: [
      { name: 'rpc', protects: false, leastTipLamports: '0', mostTipLamports: '0', tipAccounts: [] },
      {
        name: 'jito',
        protects: true,
        leastTipLamports: '1000',
        mostTipLamports: '5000000',
        tipAccounts: ['96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5'],
      },
    ],
  },
  codes: {},
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ senders }) =>
    senders.list.map(({ leastTipLamports, mostTipLamports, tipAccounts, ...sender }) => ({
      ...sender,
      leastTipLamports: leastTipLamports.toString(),
      mostTipLamports: mostTipLamports.toString(),
      tipAccounts: [...tipAccounts],
    })),
});
