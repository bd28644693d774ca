import { Connection, SolanaJSONRPCError } from '@solana/web3.js';
import { isRecord } from '../../core/records.ts';
import { createNodePost } from './node-post.ts';
import { countCall } from './rpc-meter.ts';

/** One RPC address with its record. `label` is the host alone: a URL may carry a provider's secret key. */
export type Endpoint = {
  readonly url: string;
  readonly label: string;
  readonly connection: Connection;
  /**
   * The `result` of a read as the wire gives it: for calls made so often that the client's checks of every field would cost
   * more than the call. Throws SolanaJSONRPCError for a refusal, HttpStatusError for a bad status.
   */
  readonly call: (
    method: string,
    params: readonly unknown[] | Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
};

export function createEndpoint(url: string, timeoutMs: number): Endpoint {
  const exchange = createNodePost(url, timeoutMs);
  const post = (body: string, method: string): Promise<string> => {
    countCall();
    return exchange(body, method);
  };
  return {
    url,
    label: new URL(url).host,
    connection: connect(url, fetchOver(post)),
    call: async (method, params) =>
      resultOf(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), method), method),
  };
}

/** A connection that never retries by itself and opens no web socket until one is asked for. */
export function connect(url: string, via: typeof fetch): Connection {
  return new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    // An agent would only be made and never used: connections are kept elsewhere.
    httpAgent: false,
    fetch: via,
  });
}

/** The parts of a response that web3.js reads, and no more: a whole `Response` brings streams that cost more than the exchange. */
function fetchOver(post: (body: string, method: string) => Promise<string>): typeof fetch {
  return async (_, init) => {
    const body = String(init?.body);
    const text = await post(body, /"method":"(\w+)"/.exec(body)?.[1] ?? '');
    return { ok: true, status: 200, statusText: 'OK', text: async () => text } as Response;
  };
}

function resultOf(text: string, method: string): unknown {
  const body: unknown = JSON.parse(text);
  if (isRecord(body)) {
    if ('result' in body) return body['result'];
    if (isRecord(body['error'])) {
      const { code, message, data } = body['error'];
      const known = { code: typeof code === 'number' ? code : 0, message: String(message), data };
      throw new SolanaJSONRPCError(known, `${method} was refused`);
    }
  }
  throw new Error(`the endpoint did not answer ${method} in JSON-RPC`);
}

/** One line that says why an exchange failed, without addresses or bodies. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error.message.slice(0, 120);
}
