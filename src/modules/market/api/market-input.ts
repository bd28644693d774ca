import { type Address, isAddress } from '@tradepost/solana';
import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { address } from '../../../core/address/address.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { addressField } from './fields.ts';

/** Rows of one answer at most, where a limit is asked for. */
const MAX_LIMIT = 1_000;
const LIMIT = `expected a whole number from 1 to ${MAX_LIMIT}`;
const SINCE = 'expected an ISO 8601 time like 2026-01-31T12:00:00Z';
const CURSOR = 'expected a cursor as the Link header of an earlier answer gave it';
const RETRY_SECONDS = 5;

const limit = z
  .string({ error: LIMIT })
  .regex(/^[1-9]\d{0,3}$/, { error: LIMIT })
  .refine((text) => Number(text) <= MAX_LIMIT, { error: LIMIT })
  .optional()
  .describe('rows at most; everything when left out');
export const cursorField = z
  .string({ error: CURSOR })
  .max(200, { error: CURSOR })
  .optional()
  .describe('opaque, from the Link header with rel="next"');
const since = z
  .string({ error: SINCE })
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/, { error: SINCE })
  .refine((text) => !Number.isNaN(Date.parse(text)), { error: SINCE })
  .optional()
  .describe('ISO 8601: nothing older');

export const marketAddressField = addressField('address of the market');

/** The query fields of every list of markets. */
export const listQuery = z.strictObject({
  limit,
  cursor: cursorField,
  quote: addressField('mint that prices are counted in').optional(),
  base: addressField('mint that is traded').optional(),
  since: since.describe('ISO 8601: only markets with a trade since then'),
});
export type ListQuery = z.infer<typeof listQuery>;

export const LIST_CODES = {
  limit: 'LIMIT_INVALID',
  cursor: 'CURSOR_INVALID',
  quote: 'ADDRESS_INVALID',
  base: 'ADDRESS_INVALID',
  since: 'TIME_INVALID',
} as const;

export const marketQuery = z.strictObject({ address: marketAddressField });
export const MARKET_CODES = { address: 'ADDRESS_INVALID' } as const;

export const tradesQuery = z.strictObject({ address: marketAddressField, limit, cursor: cursorField, since });
export const TRADES_CODES = {
  address: 'ADDRESS_INVALID',
  limit: 'LIMIT_INVALID',
  cursor: 'CURSOR_INVALID',
  since: 'TIME_INVALID',
} as const;

/** A place in a list, for the next page. Opaque on purpose: its inside may change. */
export function cursorText(list: string, after: string): string {
  return Buffer.from(JSON.stringify([list, after])).toString('base64url');
}

/** The place that the cursor names. Throws CURSOR_INVALID for one that is not of this list. */
export function readCursor(list: string, text: string): string {
  try {
    const [of, after] = z
      .tuple([z.string(), z.string()])
      .parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (of === list && cursorText(list, after) === text) return after;
  } catch {
    // Not one of ours.
  }
  throw cursorInvalid();
}

export function cursorInvalid(): ApiError {
  const message = `cursor: ${CURSOR}`;
  return new ApiError({
    status: 400,
    code: 'CURSOR_INVALID',
    message,
    field: 'cursor',
    details: [{ field: 'cursor', code: 'CURSOR_INVALID', message: CURSOR }],
  });
}

/** The market of an address. Throws MARKET_NOT_FOUND, which says for a mint which markets it has, and INDEX_BEHIND. */
export async function marketOf({ market }: Pick<ApiDeps, 'market'>, text: string): Promise<MarketEntry> {
  const wanted = address(text);
  const entry = await market.find(wanted);
  if (entry !== null) return entry;
  if ((await market.snapshot()).entries.length === 0) throw indexBehind();
  throw await notFound(market, wanted);
}

async function notFound(market: ApiDeps['market'], wanted: Address): Promise<ApiError> {
  const known = await market.ofMint(wanted);
  const shown = known.slice(0, 5).map(({ name, address: at }) => `${name} ${at}`);
  const message =
    known.length === 0
      ? 'no market has this address; GET /v1/pairs lists them'
      : `this is a token, not a market; ${known.length === 1 ? 'its market is' : `it has ${known.length} markets, such as`} ${shown.join(', ')}`;
  return new ApiError({
    status: 404,
    code: 'MARKET_NOT_FOUND',
    message,
    field: 'address',
    details: [{ field: 'address', code: 'MARKET_NOT_FOUND', message }],
  });
}

/** Nothing was ever indexed. */
export function indexBehind(): ApiError {
  return new ApiError({
    status: 503,
    code: 'INDEX_BEHIND',
    message: 'no market has been read from the chain yet; ask again soon',
    retryable: true,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}

export function noTrades({ market }: MarketEntry): ApiError {
  return new ApiError({
    status: 404,
    code: 'NO_TRADES',
    message: `${market.name} has no trade that could answer this yet`,
    field: 'address',
  });
}

/** A cursor that names an address; throws CURSOR_INVALID for anything else. */
export function addressCursor(list: string, text: string): Address {
  const after = readCursor(list, text);
  if (!isAddress(after)) throw cursorInvalid();
  return after;
}
