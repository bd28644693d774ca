import { z } from 'zod';
import { TOKEN_SORTS, type TokenPlace } from '../../market/rules/token-list.ts';
import type { TokenTableQuery } from '../../market/use/token-table.ts';
import { placeCursor, placeOf } from '../api/token-place.ts';

/** Tokens on one page. */
export const PAGE_ROWS = 50;

const HOUR_MS = 3_600_000;
export const AGES = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
} as const;
/** Least liquidity that the form offers, in dollars. */
export const DEPTHS = [1_000, 10_000, 100_000, 1_000_000] as const;

const schema = z.object({
  sort: z.enum(TOKEN_SORTS).default('volume24hUsd'),
  order: z.enum(['desc', 'asc']).default('desc'),
  venue: z
    .string()
    .regex(/^[a-z0-9-]{0,40}$/)
    .default(''),
  verified: z.enum(['', 'true']).default(''),
  age: z.enum(['', '1h', '24h', '7d', '30d']).default(''),
  depth: z
    .string()
    .regex(/^\d{0,12}$/)
    .default(''),
  cursor: z.string().max(300).default(''),
});

/** The choices of a reader, as the address of the page has them; empty is "any". */
export type TableChoices = z.infer<typeof schema>;

/** The choices in a query, or a sentence that says what was expected. */
export function readChoices(query: URLSearchParams): TableChoices | { readonly problem: string } {
  const read = schema.safeParse(Object.fromEntries(query));
  if (read.success) return read.data;
  const field = String(read.error.issues[0]?.path[0] ?? '');
  return { problem: `The page cannot be read with this “${field}”. ${EXPECTED[field] ?? ''}` };
}

const EXPECTED: Readonly<Record<string, string>> = {
  sort: `Expected one of ${TOKEN_SORTS.join(', ')}.`,
  order: 'Expected desc or asc.',
  venue: 'Expected the name of a venue from the form.',
  verified: 'Expected true, or nothing.',
  age: `Expected one of ${Object.keys(AGES).join(', ')}, or nothing.`,
  depth: 'Expected whole dollars, or nothing.',
  cursor: 'Expected the link “More” of an earlier page.',
};

/** The question to the market data. Throws CURSOR_INVALID. */
export function tableQuery(choices: TableChoices): TokenTableQuery {
  const { sort, order, venue, verified, age, depth, cursor } = choices;
  return {
    sort,
    order,
    limit: PAGE_ROWS,
    verified: verified === 'true',
    minLiquidityUsd: depth === '' ? null : Number(depth),
    minVolume24hUsd: null,
    venue: venue === '' ? null : venue,
    maxAgeMs: age === '' ? null : AGES[age],
    after: cursor === '' ? null : placeOf(listOf(choices), cursor),
  };
}

/** A place counts for its own order alone. */
const listOf = ({ sort, order }: TableChoices): string => `table ${sort} ${order}`;

/** The address of this page with other choices; a change begins at the first page. */
export function hrefOf(choices: TableChoices, changes: Partial<TableChoices>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...choices, cursor: '', ...changes }))
    if (
      value !== '' &&
      !(name === 'order' && value === 'desc') &&
      !(name === 'sort' && value === 'volume24hUsd')
    )
      params.set(name, value);
  const text = params.toString();
  return text === '' ? '/' : `/?${text}`;
}

/** The address of the page that begins behind a place. */
export function nextHref(choices: TableChoices, place: TokenPlace): string {
  return hrefOf(choices, { cursor: placeCursor(listOf(choices), place) });
}
