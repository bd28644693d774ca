import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { DESK_READ, signedBy } from './desk-route.ts';

const signedUnits = z.string().regex(/^-?\d{1,40}$/);

const position = z.object({
  mint: z.string(),
  units: signedUnits.describe('smallest units held, those of trades that are not final too'),
  costLamports: signedUnits.describe('cost of the units held: average, every fee included'),
  realizedLamports: signedUnits.describe('profit of what was sold'),
  notFinal: z.int().describe('trades in here that a fork may still take back'),
});

/** Positions of the wallet of the key. */
export const deskPositions = route<Record<string, never>>({
  ...DESK_READ,
  path: '/desk/positions',
  operationId: 'listDeskPositions',
  summary: 'Positions of the wallet that the key was added for',
  description:
    'As the chat shows them, with their cost; largest cost first. What a sale would bring is a question for `/dex/quote`. Each request is signed by a personal key with the right `read`: `/docs/signatures`.',
  input: { in: 'query', name: 'DeskPositionsRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: {
    name: 'DeskPositions',
    schema: z.array(position),
    example: [
      {
        mint: EXAMPLE_MINT,
        units: '5000000',
        costLamports: '100000000',
        realizedLamports: '0',
        notFinal: 0,
      },
    ],
  },
  codes: {},
  handle: async (deps, _input, caller) => {
    const { desk, key } = signedBy(deps, caller);
    return (await desk.positions(key)).map(({ mint, units, cost, realized, notFinal }) => ({
      mint,
      units: units.toString(),
      costLamports: cost.toString(),
      realizedLamports: realized.toString(),
      notFinal,
    }));
  },
});
