import { isAddress } from '@tradepost/solana';
import { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import { Answer } from '../../../platform/http/answer.ts';
import { addressField } from '../../market/api/fields.ts';
import { cursorField, cursorInvalid, cursorText, readCursor } from '../../market/api/market-input.ts';
import { nextQuery } from '../../market/api/market-list.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import { limitField } from '../../tokens/api/token-input.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import type { FlowPlace } from '../store-port.ts';
import {
  dayText,
  FLOW_EXAMPLE,
  flowFields,
  flowOf,
  REACH_EXAMPLE,
  reachFields,
  reachRecord,
} from './wallet-records.ts';

const EXAMPLE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

const query = z.strictObject({
  address: addressField('any address; most are wallets'),
  mint: addressField('only this token').optional(),
  limit: limitField(500, 100),
  cursor: cursorField,
});

const response = z.object({
  address: z.string(),
  ...reachFields,
  days: z
    .array(
      z.object({
        day: z
          .string()
          .regex(/^\d{4}-\d{2}-\d{2}$/)
          .describe('UTC'),
        mint: z.string(),
        ...flowFields,
      }),
    )
    .describe('the newest day first, then by mint'),
});

/** Sums of the trades of any address, by day and token. */
export const walletTrades = marketRoute<z.infer<typeof query>>({
  path: '/wallets/:address/trades',
  operationId: 'listWalletTrades',
  summary: 'What an address traded, by day and token',
  description:
    'Sums of its final trades on the followed markets, to the unit, for 180 days. A trade counts once its block is final, some seconds after it. Amounts are those of the pools. The header `link` leads to the next page. Single trades of a week are at `/markets/{address}/trades`.',
  pathFields: ['address'],
  input: { in: 'query', name: 'WalletTradesRequest', schema: query },
  inputExample: { address: EXAMPLE, limit: '100' },
  output: {
    name: 'WalletTradesResponse',
    schema: response,
    example: {
      address: EXAMPLE,
      ...REACH_EXAMPLE,
      days: [{ day: '2026-11-28', mint: EXAMPLE_MINT, ...FLOW_EXAMPLE }],
    },
  },
  codes: {
    address: 'ADDRESS_INVALID',
    mint: 'ADDRESS_INVALID',
    limit: 'LIMIT_INVALID',
    cursor: 'CURSOR_INVALID',
  },
  handle: async (deps, { address: text, mint, limit, cursor }) => {
    const wanted = address(text);
    // A place is one of this list alone.
    const list = `wallet-trades ${wanted} ${mint ?? ''}`;
    const { days, next, ...reach } = await deps.walletTrades(wanted, {
      mint: mint ?? null,
      after: cursor === undefined ? null : placeOf(list, cursor),
      limit: Number(limit),
    });
    const data: z.infer<typeof response> = {
      address: wanted,
      ...reachRecord(reach),
      days: days.map(({ trader: _trader, mint: traded, day, ...sums }) => ({
        day: dayText(day),
        mint: traded,
        ...flowOf(sums),
      })),
    };
    const path = `/wallets/${wanted}/trades`;
    const link =
      next === null
        ? {}
        : {
            link: `<${path}?${nextQuery({ mint, limit }, cursorText(list, `${next.day} ${next.mint}`))}>; rel="next"`,
          };
    return new Answer({ data, maxAge: 5, headers: link });
  },
});

/** Where the page before ended. Throws CURSOR_INVALID. */
function placeOf(list: string, text: string): NonNullable<FlowPlace['after']> {
  const [, day, mint] = /^(\d{1,6}) (\w{32,44})$/.exec(readCursor(list, text)) ?? [];
  if (mint === undefined || !isAddress(mint)) throw cursorInvalid();
  return { day: Number(day), mint };
}
