import { createHttpPost, HttpStatusError } from '../http-post.ts';
import { rankNow, turnsOf } from './call-turns.ts';

/**
 * Posts one call to a node when its turn has come, by the rank of the work under way. The time limit begins there. Throws as the poster of
 * `createHttpPost`, and CallerGoneError where the caller of that work has gone before.
 */
export function createNodePost(
  url: string,
  timeoutMs: number,
): (body: string, method: string) => Promise<string> {
  const exchange = createHttpPost(url, timeoutMs);
  const turns = turnsOf(url);
  return async (body, method) => {
    const turn = await turns.take(rankNow(), method);
    try {
      const text = await exchange(body);
      turn.answered();
      return text;
    } catch (error) {
      if (error instanceof HttpStatusError && error.status === 429) turn.refused();
      throw error;
    }
  };
}
