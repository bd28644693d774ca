import type { ApiClientOptions } from 'grammy';
import { createHttpFetch } from './http-fetch.ts';
import { createRetryFetch } from './retry-fetch.ts';

/** Longer than the long poll of 20 s, and short: a connection that died in silence keeps the bot deaf for this long. */
const TIMEOUT_SECONDS = 25;

/**
 * How the bot calls Telegram: also valid for the Api objects that dialogues build. `sensitiveLogs` stays off, for URLs
 * contain the token.
 */
export function clientOptions(apiRoot: string | undefined): ApiClientOptions {
  const fetch = createRetryFetch(createHttpFetch());
  return {
    timeoutSeconds: TIMEOUT_SECONDS,
    sensitiveLogs: false,
    ...(apiRoot === undefined ? {} : { apiRoot }),
    // grammY types this as the browser's fetch and uses only the part that BotFetch has.
    fetch: fetch as unknown as NonNullable<ApiClientOptions['fetch']>,
  };
}
