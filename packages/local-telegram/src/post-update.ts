import { Agent, request } from 'node:http';
import type { PostUpdate, WebhookAnswer } from './core/webhook.ts';

/** Telegram gives a webhook about a minute before it counts as failed. */
const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Delivers updates over plain HTTP with kept-alive connections; every failure becomes an answer with status 0. */
export function createPostUpdate(): { readonly post: PostUpdate; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const post: PostUpdate = (url, headers, update) =>
    new Promise<WebhookAnswer>((resolve) => {
      const body = Buffer.from(JSON.stringify(update));
      const fail = (error: Error) => resolve({ status: 0, problem: error.message });
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent,
          timeout: TIMEOUT_MS,
          headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size <= MAX_ANSWER_BYTES) chunks.push(chunk);
          });
          response.on('error', fail);
          response.on('end', () => {
            const retryAfter = Number(response.headers['retry-after']);
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString('utf8'),
              ...(Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
            });
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('Read timeout expired')));
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  return { post, close: () => agent.destroy() };
}
