import { z } from 'zod';
import { address } from '../../../core/address/address.ts';
import { Answer } from '../../../platform/http/answer.ts';
import { addressField } from '../../market/api/fields.ts';
import { marketRoute } from '../../market/api/market-route.ts';
import { EXAMPLE_MINT } from '../../tokens/api/token-records.ts';
import { type Pnl, type PnlWindow, WINDOW_DAYS } from '../rules/wallet-pnl.ts';
import {
  dollarsOf,
  FLOW_EXAMPLE,
  flowFields,
  flowOf,
  REACH_EXAMPLE,
  reachFields,
  reachRecord,
  sumText,
} from './wallet-records.ts';

const EXAMPLE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const WINDOWS = Object.keys(WINDOW_DAYS) as [PnlWindow, ...PnlWindow[]];
const WINDOW = `expected one of ${WINDOWS.join(', ')}`;

const query = z.strictObject({
  address: addressField('any address; most are wallets'),
  window: z
    .enum(WINDOWS, { error: WINDOW })
    .default('30d')
    .describe('whole UTC days, today the last of them'),
});

const realised = {
  realisedLamports: z
    .string()
    .regex(/^-?\d{1,40}$/)
    .describe('of the SOL that was paid and got, rounded down; a loss is below 0'),
  realisedUsd: z
    .string()
    .regex(/^-?\d{1,40}(\.\d{1,6})?$/)
    .describe('of the dollar tokens that were paid and got, rounded down'),
};
const { bought: _bought, sold: _sold, ...totalFields } = flowFields;

const response = z.object({
  address: z.string(),
  window: z.enum(WINDOWS),
  from: z.string().describe('ISO 8601: the beginning of the first day'),
  to: z.string().describe('ISO 8601: the end of today'),
  ...reachFields,
  complete: z
    .boolean()
    .describe('false: gaps, trades without a value or days before `since` may change the figures'),
  total: z
    .object({ ...realised, ...totalFields })
    .describe(
      'over all tokens: a trade between two of them counts in both. SOL and dollars are not added up',
    ),
  tokens: z
    .array(
      z.object({
        mint: z.string(),
        ...realised,
        uncountedUnits: sumText(
          'units sold beyond those whose purchase is known, over all kept days; they are in no profit',
        ),
        ...flowFields,
      }),
    )
    .describe('those traded in the window, the most often traded first; at most 500'),
  tokensLeftOut: z.int().describe('tokens that an answer has no room for; they are in the total'),
});

/** Profit of any address from its sales. */
export const walletPnl = marketRoute<z.infer<typeof query>>({
  path: '/wallets/:address/pnl',
  operationId: 'showWalletPnl',
  summary: 'What an address has realised by its sales',
  description:
    'Over all kept days, c = cost / bought and k = min(1, bought / sold). Of the window, realised = k × (proceeds − sold × c), so each unit costs the average of 180 days. It is worked out for SOL and for dollars apart, to the unit: no exchange rate of a day is guessed. What is still held has no part in it, nor have network fees.',
  pathFields: ['address'],
  input: { in: 'query', name: 'WalletPnlRequest', schema: query },
  inputExample: { address: EXAMPLE, window: '30d' },
  output: {
    name: 'WalletPnlResponse',
    schema: response,
    example: {
      address: EXAMPLE,
      window: '30d',
      from: '2026-10-30T00:00:00.000Z',
      to: '2026-11-29T00:00:00.000Z',
      ...REACH_EXAMPLE,
      complete: true,
      total: {
        realisedLamports: '200000000',
        realisedUsd: '0',
        costLamports: '1000000000',
        costUsd: '0',
        proceedsLamports: '600000000',
        proceedsUsd: '0',
        trades: 2,
        unvalued: 0,
      },
      tokens: [
        {
          mint: EXAMPLE_MINT,
          realisedLamports: '200000000',
          realisedUsd: '0',
          uncountedUnits: '0',
          ...FLOW_EXAMPLE,
        },
      ],
      tokensLeftOut: 0,
    },
  },
  codes: { address: 'ADDRESS_INVALID', window: 'QUERY_INVALID' },
  handle: async (deps, { address: text, window }) => {
    const wanted = address(text);
    const { from, to, tokens, total, left, complete, ...reach } = await deps.walletPnl(wanted, window);
    const { bought: _none, sold: _neither, ...sums } = flowOf({ bought: 0n, sold: 0n, ...total });
    const data: z.infer<typeof response> = {
      address: wanted,
      window,
      from: timeText(from),
      to: timeText(to),
      ...reachRecord(reach),
      complete,
      total: { ...realisedOf(total), ...sums },
      tokens: tokens.map(({ mint, window: own, pnl }) => ({
        mint,
        ...realisedOf(pnl),
        uncountedUnits: pnl.uncountedUnits.toString(),
        ...flowOf(own),
      })),
      tokensLeftOut: left,
    };
    return new Answer({ data, maxAge: 5 });
  },
});

function realisedOf({ realisedLamports, realisedUsd }: Pick<Pnl, 'realisedLamports' | 'realisedUsd'>) {
  return { realisedLamports: realisedLamports.toString(), realisedUsd: dollarsOf(realisedUsd) };
}

function timeText(at: number): string {
  return new Date(at * 1_000).toISOString();
}
