import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { findSymbol } from '../use/find-symbol.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { indexBehind } from './market-input.ts';

/** A chart asks for many ranges at once when it is opened or moved. */
const ALLOWANCE = { ratePerSecond: 20, burst: 100 };
const SYMBOL = 'expected a ticker, BASE/QUOTE or the address of a market';
const MAX_SYMBOL = 128;

export const symbolField = z
  .string({ error: SYMBOL })
  .trim()
  .min(1, { error: SYMBOL })
  .max(MAX_SYMBOL, { error: SYMBOL })
  .describe('a ticker, BASE/QUOTE, or the address of a market');

/**
 * One endpoint of the charting datafeed, on the open host and on the charts' own. Charting libraries add fields of their own:
 * unknown ones are passed over.
 */
export function chartRoute<Input>(
  definition: Pick<
    Route<Input>,
    | 'path'
    | 'operationId'
    | 'summary'
    | 'description'
    | 'input'
    | 'inputExample'
    | 'output'
    | 'codes'
    | 'handle'
  > & { readonly successor: string },
): Route {
  const { successor, ...rest } = definition;
  return route<Input>({
    ...rest,
    act: 'reads',
    method: 'GET',
    host: 'charts',
    scope: 'market',
    envelope: 'bare',
    allowance: ALLOWANCE,
    deprecated: () => successor,
    across: () => [],
    fieldsOf: () => ({}),
  });
}

/** The market that a symbol means. Throws 404, which charts read as an error of this symbol, and INDEX_BEHIND. */
export async function symbolMarket(
  { market }: Pick<ApiDeps, 'market'>,
  symbol: string,
): Promise<MarketEntry> {
  const snapshot = await market.snapshot();
  if (snapshot.entries.length === 0) throw indexBehind();
  const entry = findSymbol(snapshot, symbol);
  if (entry === null)
    throw new ApiError({ status: 404, code: 'MARKET_NOT_FOUND', message: 'unknown symbol', field: 'symbol' });
  return entry;
}
