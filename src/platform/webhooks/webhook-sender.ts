import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookAnswer, WebhookPost, WebhookSender } from '../ports/webhook-sender.ts';
import { isLoopbackAddress, isPublicAddress } from './reserved-addresses.ts';

type Found = { readonly address: string; readonly family: number };

export type SenderOptions = {
  /** On the local chain: addresses of this machine too. */
  readonly allowsLoopback: boolean;
  /** Every address of a name, as the system's resolver gives them. */
  readonly resolve?: (name: string) => Promise<readonly Found[]>;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 15_000;
const MOST_ANSWER_BYTES = 64 * 1_024;
const MOST_HEADER_BYTES = 16 * 1_024;

/** An address that must not be called. */
class Refused extends Error {}

/** Posts over a connection of its own for each try, so that no connection outlives the check of its address. No proxy is used. */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { allowsLoopback, timeoutMs = TIMEOUT_MS } = options;
  const resolve = options.resolve ?? ((name: string) => lookup(name, { all: true, verbatim: true }));
  const mayCall = (ip: string): boolean => isPublicAddress(ip) || (allowsLoopback && isLoopbackAddress(ip));

  /** Every address of the host, all of them checked: one that is not public refuses the name. */
  async function addressesOf(host: string): Promise<readonly Found[]> {
    const literal = host.startsWith('[') ? host.slice(1, -1) : host;
    const family = isIP(literal);
    const found = family === 0 ? await resolve(host) : [{ address: literal, family }];
    if (found.length === 0) throw new Refused(`${host} has no address`);
    if (found.some(({ address }) => !mayCall(address)))
      throw new Refused(`${host} leads to an address that is not of the public internet`);
    return found;
  }

  return {
    problemOf: async (url) => {
      try {
        await addressesOf(new URL(url).hostname);
        return null;
      } catch (error) {
        return error instanceof Refused ? error.message : `${new URL(url).hostname} does not resolve`;
      }
    },
    send: async (post) => {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const found = await untilAborted(addressesOf(new URL(post.url).hostname), signal);
        return await exchange(post, found, signal);
      } catch (error) {
        if (signal.aborted) return unanswered(`no whole answer within ${timeoutMs} ms`);
        return unanswered(error instanceof Refused ? error.message : reasonOf(error));
      }
    },
  };
}

const unanswered = (reason: string): WebhookAnswer => ({ kind: 'unanswered', reason });

/** The resolver itself cannot be stopped; its answer comes too late then. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Only the code of the failure: its text may quote the other side. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? `the connection failed: ${code}` : 'the connection failed';
}

function exchange(
  { url, id, at, body, secrets }: WebhookPost,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const timestamp = Math.floor(at / 1_000).toString();
  const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(
      target,
      {
        method: 'POST',
        agent,
        signal,
        lookup: lookupOf(found),
        maxHeaderSize: MOST_HEADER_BYTES,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'tradepost-webhooks',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': secrets
            .map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`)
            .join(' '),
        },
      },
      (answer) => void read(answer).then(resolve, reject),
    );
    request.once('error', reject);
    request.end(body);
  });
}

/** Answers with the checked addresses, also where the name leads elsewhere by now. */
function lookupOf(found: readonly Found[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, [...found]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

const hmac = (secret: Uint8Array, text: string): string =>
  createHmac('sha256', secret).update(text, 'utf8').digest('base64');

/** The status, once the answer has ended or is longer than anything that means something here. */
async function read(answer: IncomingMessage): Promise<WebhookAnswer> {
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) break;
  }
  const asks = answer.headers['retry-after'];
  const retryAfterMs = asks !== undefined && /^\d{1,6}$/.test(asks) ? Number(asks) * 1_000 : null;
  return { kind: 'answered', status: answer.statusCode ?? 0, retryAfterMs };
}
