import type { Detail } from './errors.ts';
import type { Settings } from './options.ts';
import type { Request } from './request.ts';

/** `none`: no answer that could be read. Whether the request was carried out is then unknown. */
export type Asked =
  | { readonly kind: 'success'; readonly data: unknown }
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly retryAfterMs: number | null;
      readonly error: ToldError;
    }
  | { readonly kind: 'none'; readonly cause: unknown };

export type ToldError = {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
  readonly details: readonly Detail[];
  readonly retryable: boolean;
  readonly requestId: string;
};

/** One try, for at most `timeoutMs`. Rejects only with the reason of the caller's own signal. */
export async function askOnce(
  { fetch, timeoutMs }: Pick<Settings, 'fetch' | 'timeoutMs'>,
  { url, method, headers, body }: Request,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  signal?.throwIfAborted();
  const ours = new AbortController();
  const stop = () => ours.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => ours.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    // A redirect would carry the key to another host.
    const init = { method, headers, body, redirect: 'manual', signal: ours.signal } as const;
    const answer = await fetch(url, init);
    return read(answer.status, answer.headers.get('retry-after'), await answer.text());
  } catch (cause) {
    signal?.throwIfAborted();
    return { kind: 'none', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function read(status: number, retryAfter: string | null, text: string): Asked {
  const body = parsed(text);
  if (status === 200 && isObject(body) && 'data' in body) return { kind: 'success', data: body['data'] };
  const error = isObject(body) ? toldError(body['error']) : null;
  if (status >= 400 && error !== null)
    return { kind: 'refusal', status, retryAfterMs: secondsOf(retryAfter), error };
  return { kind: 'none', cause: new Error(`status ${status}: ${text.slice(0, 200)}`) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function toldError(value: unknown): ToldError | null {
  if (!isObject(value) || typeof value['code'] !== 'string') return null;
  const { code, message, field, details, retryable, requestId } = value;
  return {
    code,
    message: typeof message === 'string' ? message : code,
    field: typeof field === 'string' ? field : null,
    details: Array.isArray(details) ? details : [],
    retryable: retryable === true,
    requestId: typeof requestId === 'string' ? requestId : '',
  };
}

const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
