import type { BotFetch } from './http-fetch.ts';

const MAX_WAIT_SECONDS = 5;

/**
 * The one retry seam: `client.fetch` reaches the bot's own Api and the Api built inside conversations alike, while
 * transformers run again for every past call on every replay.
 *
 * Repeats a call once, when Telegram answers 429 and asks for at most five seconds; anything longer is handed on, and the
 * caller re-schedules. Only calls with a text body: an upload's stream is used up, and a second try would send 0 bytes
 * without an error. A lost answer is never retried, for the message may have arrived.
 */
export function createRetryFetch(
  inner: BotFetch,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): BotFetch {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.status !== 429 || typeof init.body !== 'string') return response;
    const body = await response.json();
    const waitSeconds = retryAfter(body);
    const again = { status: response.status, json: async (): Promise<unknown> => body };
    if (waitSeconds === null || waitSeconds > MAX_WAIT_SECONDS) return again;
    await sleep(waitSeconds * 1000);
    if (init.signal?.aborted === true) return again;
    return inner(url, init);
  };
}

function retryAfter(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('parameters' in body)) return null;
  const { parameters } = body;
  if (typeof parameters !== 'object' || parameters === null || !('retry_after' in parameters)) return null;
  return typeof parameters.retry_after === 'number' ? parameters.retry_after : null;
}
