import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** An answer the endpoint gave in HTTP, before anybody parsed it. */
export class HttpStatusError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** The body of the answer, where the caller wanted it. */
  readonly body: string;

  constructor(status: number, retryAfterMs: number | null, body = '') {
    super(`HTTP ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }
}

const inflate = promisify(gunzip);
const KEEP_ALIVE = { keepAlive: true, maxSockets: 64, scheduling: 'lifo' } as const;

export type HttpPostOptions = {
  /** Whether the body of a bad status is read, for servers whose refusals say more than a number. */
  readonly readsRefusals?: boolean;
};

/**
 * Posts JSON text to one address over connections that stay open, with a deadline over the whole exchange. Throws
 * HttpStatusError for a bad status, an error named TimeoutError at the deadline, and one with the socket's error as its
 * `cause` when nothing came back. A few times lighter than `fetch` with its streams, and every read of a chain goes here.
 */
export function createHttpPost(
  url: string,
  timeoutMs: number,
  { readsRefusals = false }: HttpPostOptions = {},
): (body: string) => Promise<string> {
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const agent = secure ? new HttpsAgent(KEEP_ALIVE) : new HttpAgent(KEEP_ALIVE);
  const send = secure ? requestHttps : requestHttp;
  const authorization =
    target.username === ''
      ? {}
      : { auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}` };

  const exchange = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = send(
        target,
        {
          method: 'POST',
          agent,
          ...authorization,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'accept-encoding': 'gzip',
          },
        },
        (response) => {
          read(response, readsRefusals)
            .then(resolve, reject)
            .finally(() => clearTimeout(deadline));
        },
      );
      const deadline = setTimeout(() => request.destroy(timedOut(timeoutMs)), timeoutMs);
      request.on('error', (cause) => {
        clearTimeout(deadline);
        if (cause.name === 'TimeoutError') reject(cause);
        // The other side closed an idle connection at the moment it was taken up again: nothing was lost.
        else if (request.reusedSocket && isReset(cause)) exchange(body).then(resolve, reject);
        else reject(new Error('the endpoint did not answer', { cause }));
      });
      request.end(body);
    });
  return exchange;
}

async function read(response: IncomingMessage, readsRefusals: boolean): Promise<string> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 200 && statusCode <= 299) return readText(response);
  const wait = retryAfter(headers['retry-after']);
  if (readsRefusals) throw new HttpStatusError(statusCode, wait, await readText(response));
  response.resume();
  throw new HttpStatusError(statusCode, wait);
}

/** By events: the response's async iterator costs as much again as the exchange of a short answer. */
async function readText(response: IncomingMessage): Promise<string> {
  const whole = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    response.on('error', (cause) =>
      reject(cause.name === 'TimeoutError' ? cause : new Error('the answer broke off', { cause })),
    );
    response.on('close', () => reject(new Error('the answer broke off')));
  });
  const plain = response.headers['content-encoding'] === 'gzip' ? await inflate(whole) : whole;
  return plain.toString('utf8');
}

function timedOut(ms: number): Error {
  const error = new Error(`no answer within ${ms} ms`);
  error.name = 'TimeoutError';
  return error;
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Seconds as digits alone. A long wait is not shortened: each caller has its own longest. A date would need a clock that both share. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}$/.test(header.trim())) return null;
  return Number(header) * 1_000;
}
