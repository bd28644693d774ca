import { createHmac } from 'node:crypto';

export type OkxKeys = { readonly apiKey: string; readonly secretKey: string; readonly passphrase: string };

/**
 * The headers that OKX asks of a GET request: an HMAC-SHA-256 over time, method and path with its query, in base64. The time
 * is ISO 8601 with milliseconds; the host refuses one that is more than 30 seconds off.
 */
export function signRequest(keys: OkxKeys, url: URL, nowMs: number): Readonly<Record<string, string>> {
  const timestamp = new Date(nowMs).toISOString();
  const signature = createHmac('sha256', keys.secretKey)
    .update(`${timestamp}GET${url.pathname}${url.search}`)
    .digest('base64');
  return {
    'OK-ACCESS-KEY': keys.apiKey,
    'OK-ACCESS-SIGN': signature,
    'OK-ACCESS-TIMESTAMP': timestamp,
    'OK-ACCESS-PASSPHRASE': keys.passphrase,
  };
}
