import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { cursorField, cursorInvalid, cursorText, readCursor } from '../../market/api/market-input.ts';
import { limitField } from '../../tokens/api/token-input.ts';
import { DESK_READ, signedBy } from './desk-route.ts';
import { TRADE_EXAMPLE, tradeRecord, tradeShape } from './trade-record.ts';

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

const query = z.strictObject({ limit: limitField(100, 50), cursor: cursorField });

const response = z.object({
  trades: z.array(tradeShape).describe('the newest first'),
  next: z.string().nullable().describe('the cursor of the next page; null where there is none'),
});

/** Purchases and sales of the wallet of the key. */
export const deskTrades = route<z.infer<typeof query>>({
  ...DESK_READ,
  path: '/desk/trades',
  operationId: 'listDeskTrades',
  summary: 'Trades of the wallet that the key was added for',
  description:
    'Purchases and sales that were ordered here, by a person or by an order, under way or over. Each request is signed by a personal key with the right `read`: `/docs/signatures`.',
  input: { in: 'query', name: 'DeskTradesRequest', schema: query },
  inputExample: { limit: '50' },
  output: {
    name: 'DeskTrades',
    schema: response,
    example: {
      trades: [TRADE_EXAMPLE],
      next: null,
    },
  },
  codes: { limit: 'LIMIT_INVALID', cursor: 'CURSOR_INVALID' },
  handle: async (deps, { limit, cursor }, caller) => {
    const { desk, key } = signedBy(deps, caller);
    // A place is one of this wallet's list alone.
    const list = `desk-trades ${key.walletId}`;
    const before = cursor === undefined ? null : readCursor(list, cursor);
    if (before !== null && !ID.test(before)) throw cursorInvalid();
    const wanted = Number(limit);
    const found = await desk.trades(key, { limit: wanted + 1, before });
    const page = found.slice(0, wanted);
    const last = page.at(-1);
    return {
      trades: page.flatMap((one) => tradeRecord(one) ?? []),
      next: found.length > wanted && last !== undefined ? cursorText(list, last.id) : null,
    } satisfies z.infer<typeof response>;
  },
});
