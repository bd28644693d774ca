import type { IncomingMessage } from 'node:http';

/**
 * Why a request to `/sim/*` is refused; undefined when it may pass. Any page the user visits can send requests to this
 * server. A JSON body forces a preflight, which is never granted; Origin and the token, which only our own page holds,
 * stop the rest.
 */
export function simRefusal(
  request: IncomingMessage,
  pageToken: string,
  given: string | undefined,
): string | undefined {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined && origin !== `http://${host}`) return `Origin ${origin} is not this page.`;
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'Cross-site requests are refused.';
  if (request.method === 'POST') {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json') return 'Expected content-type application/json.';
    if (origin === undefined) return 'Expected an Origin header naming this page.';
  }
  if (given !== pageToken) return 'Expected the token of this page; reload it.';
  return undefined;
}
