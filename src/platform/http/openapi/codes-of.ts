import type { Host } from '../../../compose/api-deps.ts';
import { type ApiCode, CATALOGUE, isApiCode } from '../errors/catalogue.ts';
import type { Route } from '../route.ts';
import { SIGNED_CODES } from '../verify-signed.ts';

/** The refusals of every path: its input, the limits, a pause, an outage, a fault of ours. */
const EVERYWHERE: readonly ApiCode[] = [
  'VALIDATION_FAILED',
  'FIELD_REQUIRED',
  'FIELD_UNKNOWN',
  'RATE_LIMITED',
  'UPSTREAM_FAILED',
  'INTERNAL',
  'PAUSED',
];
const OF_A_BODY: readonly ApiCode[] = ['BODY_TOO_LARGE', 'CONTENT_TYPE'];
const OF_A_KEY: readonly ApiCode[] = [
  'KEY_MISSING',
  'KEY_INVALID',
  'KEY_REVOKED',
  'KEY_EXPIRED',
  'QUOTA_USED_UP',
];
const OF_IDEMPOTENCY: readonly ApiCode[] = [
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
];
const OF_A_MARKET: readonly ApiCode[] = ['MARKET_NOT_FOUND', 'NO_TRADES', 'INDEX_BEHIND'];

/** A picture has no route of its own. */
export const PICTURE_CODES: readonly ApiCode[] = [
  ...EVERYWHERE,
  'CONTENT_TYPE',
  'FILE_REQUIRED',
  'PICTURE_TOO_LARGE',
  'PICTURE_UNREADABLE',
  'PUBLIC_URL_UNKNOWN',
  'METADATA_STORE_FULL',
];

/** Every code that a route can be refused with on a host, by status; sorted. */
export function codesOf(route: Route, host: Host['kind']): Readonly<Record<string, readonly ApiCode[]>> {
  const { codes, errors = [], input, idempotent, scope, signed } = route;
  return byStatus([
    ...EVERYWHERE.filter((code) => scope !== 'none' || code !== 'PAUSED'),
    ...Object.values(codes).filter(isApiCode),
    ...errors,
    ...(input.in === 'body' ? OF_A_BODY : []),
    ...(idempotent === true ? OF_IDEMPOTENCY : []),
    ...(scope === 'market' ? OF_A_MARKET : []),
    // Its body is read before the signature is looked at, whether it takes one or not.
    ...(signed === undefined ? keyCodes(host, scope) : [...SIGNED_CODES, 'BODY_TOO_LARGE' as const]),
    // The operator decides which paths a blocked address may still ask for; see ORDERBOOK_BLOCKS.
    ...(host === 'pro' || scope === 'none' ? [] : (['IP_BLOCKED'] as const)),
  ]);
}

export function keyCodes(host: Host['kind'], scope: Route['scope']): readonly ApiCode[] {
  if (host !== 'pro' || scope === 'none') return [];
  return scope === 'any' ? OF_A_KEY : [...OF_A_KEY, 'KEY_SCOPE'];
}

export function byStatus(codes: readonly ApiCode[]): Readonly<Record<string, readonly ApiCode[]>> {
  const found: Record<string, ApiCode[]> = {};
  for (const code of [...new Set(codes)].toSorted()) {
    const { statuses = [CATALOGUE[code].status] } = entryOf(code);
    for (const status of statuses) found[status] = [...(found[status] ?? []), code];
  }
  return found;
}

/** An unknown token is a mistake of a swap's body, and the thing itself that a path names. */
function entryOf(code: ApiCode): { readonly statuses?: readonly number[] } {
  return code === 'TOKEN_NOT_FOUND' ? { statuses: [400, 404] } : {};
}
