import { z } from 'zod';
import { ApiError, type Detail } from '../../../platform/http/errors/api-error.ts';
import { PRIORITY_TIERS } from '../../settings/rules/settings.ts';
import { EVERY_WAY, type RouteFilter } from '../rules/route-filter.ts';
import type { Priority } from '../use/swap-terms.ts';

const NAMES = 'expected 1 to 12 names of GET /dex/venues';
const MOST_NAMES = 12;
const TIERS = ['economy', 'normal', 'fast', 'turbo'] as const;
const CAP = `expected a whole number of lamports as a string, from 0 to ${PRIORITY_TIERS.turbo.capLamports}`;

const nameList = (description: string) =>
  z
    .array(z.string({ error: NAMES }).max(40, { error: NAMES }), { error: NAMES })
    .min(1, { error: NAMES })
    .max(MOST_NAMES, { error: NAMES })
    .optional()
    .describe(description);

const ONLY = 'only these venues, by their names in `GET /dex/venues`; no aggregator is asked';
const NOT = 'none of these venues; no aggregator is asked. Not together with `venues`';

/** Options of a body. */
export const filterFields = {
  venues: nameList(ONLY),
  excludeVenues: nameList(NOT),
  directOnly: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .describe('only pools of the two tokens, several at once allowed; no aggregator is asked'),
};

const nameText = (description: string) =>
  z
    .string({ error: NAMES })
    .max(500, { error: NAMES })
    .transform((text, context) => {
      const names = text.split(',');
      if (names.length <= MOST_NAMES && !names.includes('')) return names;
      context.addIssue({ code: 'custom', message: NAMES });
      return z.NEVER;
    })
    .optional()
    .describe(`${description}; separated by commas`);

/** The same in a query. */
export const filterQuery = {
  venues: nameText(ONLY),
  excludeVenues: nameText(NOT),
  directOnly: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .transform((text) => text === 'true')
    .optional()
    .describe('only pools of the two tokens, several at once allowed; no aggregator is asked'),
};

const VERSION = 'expected 0 or 1';
const VERSION_TEXT =
  'newest version of a transaction that the signer reads: 0, or 1, which holds three times as much and needs no lookup tables; 0 when left out. With a tip always 0';

/** The version, in a body. */
export const versionFields = {
  maxTransactionVersion: z
    .union([z.literal(0), z.literal(1)], { error: VERSION })
    .optional()
    .describe(VERSION_TEXT),
};

/** The same in a query. */
export const versionQuery = {
  maxTransactionVersion: z
    .enum(['0', '1'], { error: VERSION })
    .transform((text): 0 | 1 => (text === '1' ? 1 : 0))
    .optional()
    .describe(VERSION_TEXT),
};

export const VERSION_CODES = { maxTransactionVersion: 'VALIDATION_FAILED' } as const;

/** The version as a swap is asked for with it. */
export function versionOf({ maxTransactionVersion }: { readonly maxTransactionVersion?: 0 | 1 | undefined }) {
  return maxTransactionVersion === 1 ? { maxVersion: 1 as const } : {};
}

export const priorityFields = {
  priority: z
    .enum(TIERS, { error: `expected one of ${TIERS.join(', ')}` })
    .optional()
    .describe('how much the network may take for a place in the next blocks; `normal` when left out'),
  maxPriorityFeeLamports: z
    .string({ error: CAP })
    .regex(/^\d{1,8}$/, { error: CAP, abort: true })
    .refine((text) => BigInt(text) <= PRIORITY_TIERS.turbo.capLamports, { error: CAP })
    .transform((text) => BigInt(text))
    .optional()
    .describe('the most for priority, where that is less than what the tier allows'),
};

export const FILTER_CODES = {
  venues: 'VENUE_UNKNOWN',
  excludeVenues: 'VENUE_UNKNOWN',
  directOnly: 'VALIDATION_FAILED',
} as const;

export const PRIORITY_CODES = {
  priority: 'PRIORITY_INVALID',
  maxPriorityFeeLamports: 'PRIORITY_INVALID',
} as const;

/** That only one of the two lists may be given. */
export function filterAcross(raw: Readonly<Record<string, unknown>>): readonly Detail[] {
  const isGiven = (name: string): boolean => raw[name] !== undefined && raw[name] !== null;
  if (!isGiven('venues') || !isGiven('excludeVenues')) return [];
  const message = 'expected either venues or excludeVenues';
  return [{ field: 'excludeVenues', code: 'FIELDS_EXCLUSIVE', message }];
}

type FilterInput = {
  readonly venues?: readonly string[] | undefined;
  readonly excludeVenues?: readonly string[] | undefined;
  readonly directOnly?: boolean | undefined;
};

/** The filter of a request. Throws VENUE_UNKNOWN for a name that this service does not trade on. */
export function filterOf(
  { venues, excludeVenues, directOnly = false }: FilterInput,
  known: readonly { readonly name: string }[],
): RouteFilter {
  for (const [field, names] of Object.entries({ venues, excludeVenues })) {
    const unknown = (names ?? []).filter((one) => !known.some(({ name }) => name === one));
    if (unknown.length > 0) throw unknownVenue(field, unknown, known);
  }
  return { ...EVERY_WAY, venues: venues ?? null, excluded: excludeVenues ?? [], directOnly };
}

function unknownVenue(
  field: string,
  unknown: readonly string[],
  known: readonly { readonly name: string }[],
): ApiError {
  const code = 'VENUE_UNKNOWN';
  const message = `no venue ${unknown.join(', ')}; expected ${known.map(({ name }) => name).join(', ')}`;
  return new ApiError({ status: 400, code, message, field, details: [{ field, code, message }] });
}

export function priorityOf({
  priority = 'normal',
  maxPriorityFeeLamports = null,
}: {
  readonly priority?: Priority['tier'] | undefined;
  readonly maxPriorityFeeLamports?: bigint | null | undefined;
}): Priority {
  return { tier: priority, capLamports: maxPriorityFeeLamports };
}
