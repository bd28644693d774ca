import type { Host } from '../../../compose/api-deps.ts';
import type { Route } from '../route.ts';

type Headers = Readonly<Record<string, object>>;

const header = (type: 'string' | 'integer', description: string): object => ({
  description,
  schema: { type },
});

/** Of every answer of a host. */
export const ALWAYS: Headers = { 'x-request-id': header('string', 'Names this request to the operator.') };
const LIMITS: Headers = {
  'ratelimit-limit': header('integer', 'Requests at once.'),
  'ratelimit-remaining': header('integer', 'Requests that are left now.'),
  'ratelimit-reset': header('integer', 'Seconds until all of them are back.'),
  'x-ratelimit-limit': header('integer', 'The same.'),
  'x-ratelimit-remaining': header('integer', 'The same.'),
  'x-ratelimit-reset': header('integer', 'The same.'),
};
const QUOTA: Headers = {
  'x-quota-remaining': header('integer', 'Requests of this day (UTC) that are left.'),
};
const RETRY: Headers = { 'retry-after': header('integer', 'Seconds to wait before asking again.') };
const CHALLENGE: Headers = { 'www-authenticate': header('string', 'Which kind of key is asked for.') };
const TAGGED: Headers = {
  'x-data-as-of': header('string', 'ISO 8601: as of when a list was read.'),
  etag: header('string', 'Names the bytes of the answer, for `if-none-match`.'),
  link: header('string', 'The next page of a list (`rel="next"`), and what replaces a deprecated path.'),
};
const DEPRECATED: Headers = {
  deprecation: header('string', 'RFC 9745: since when this path is deprecated.'),
  sunset: header('string', 'RFC 8594: when it may end, where that is decided.'),
  link: header('string', 'What replaces it.'),
};
const REPLAYED: Headers = {
  'idempotent-replayed': header('string', '`true` where this is the answer to an earlier request.'),
};

export function limitHeaders(host: Host['kind']): Headers {
  return { ...ALWAYS, ...LIMITS, ...(host === 'pro' ? QUOTA : {}) };
}

export function successHeaders(route: Route, host: Host['kind']): Headers {
  const { deprecated, idempotent, method, streams } = route;
  return {
    ...limitHeaders(host),
    ...(method === 'GET' && streams !== true ? TAGGED : {}),
    ...(deprecated === undefined ? {} : DEPRECATED),
    ...(idempotent === true ? REPLAYED : {}),
  };
}

/** The answer to a reader who has these bytes already. */
export function notModified(route: Route, host: Host['kind']): Readonly<Record<string, object>> {
  const { method, streams, scope } = route;
  if (method !== 'GET' || streams === true || scope !== 'market') return {};
  const headers = successHeaders(route, host);
  return { '304': { description: 'Nothing changed since the tag that was sent.', headers } };
}

export function refusalHeaders(
  status: string,
  { deprecated }: Pick<Route, 'deprecated'>,
  host: Host['kind'],
): Headers {
  return {
    ...limitHeaders(host),
    ...(status === '401' ? CHALLENGE : {}),
    ...(['409', '429', '500', '503'].includes(status) ? RETRY : {}),
    ...(deprecated === undefined ? {} : DEPRECATED),
  };
}
