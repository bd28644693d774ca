import { Connection } from '@solana/web3.js';

/** One RPC address with its record. `label` is the host alone: a URL may carry a provider's secret key. */
export type Endpoint = {
  readonly url: string;
  readonly label: string;
  readonly connection: Connection;
};

/** An answer the endpoint gave in HTTP, before anybody parsed it. */
export class HttpStatusError extends Error {
  readonly status: number;
  readonly retryAfterMs: number | null;

  constructor(status: number, retryAfterMs: number | null) {
    super(`HTTP ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export function createEndpoint(url: string, timeoutMs: number): Endpoint {
  return { url, label: new URL(url).host, connection: connect(url, timedFetch(timeoutMs)) };
}

/** A connection that never retries by itself and opens no web socket until one is asked for. */
export function connect(url: string, via: typeof fetch): Connection {
  return new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    // Node's fetch pools connections by itself; an agent would only be made and never used.
    httpAgent: false,
    fetch: via,
  });
}

/** Fetch with a deadline over the whole exchange, headers and body, that reports a bad status as `HttpStatusError`. */
function timedFetch(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, withoutAgent(init, AbortSignal.timeout(timeoutMs)));
    if (response.ok) return response;
    await response.body?.cancel();
    throw new HttpStatusError(response.status, retryAfter(response.headers.get('retry-after')));
  };
}

/** web3.js passes an agent made for another HTTP client; Node's fetch keeps connections alive by itself. */
export function withoutAgent(init: RequestInit | undefined, signal: AbortSignal): RequestInit {
  return {
    ...(init?.method === undefined ? {} : { method: init.method }),
    ...(init?.headers === undefined ? {} : { headers: init.headers }),
    ...(init?.body === undefined ? {} : { body: init.body }),
    signal,
  };
}

function retryAfter(header: string | null): number | null {
  if (header === null || !/^\d{1,4}$/.test(header.trim())) return null;
  return Number(header) * 1_000;
}

/** One line that says why an exchange failed, without addresses or bodies. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error.message.slice(0, 120);
}
