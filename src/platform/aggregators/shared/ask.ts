import type { z } from 'zod';
import { AggregatorError } from '../../ports/aggregator.ts';

/** No quote or transaction is near this size; more is an attack on memory. */
const MAX_ANSWER_BYTES = 1_048_576;

export type Ask<T> = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly timeoutMs: number;
  /** The form of an answer by the vendor's documents. */
  readonly schema: z.ZodType<T>;
};

/** A checked answer with its HTTP status; a client error (4xx) keeps its body, because "no route" comes as one. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T /** As it came, for handing back. */; readonly raw: unknown }
  | { readonly kind: 'refused'; readonly status: number; readonly body: string };

/**
 * One request within `timeoutMs`, connection, headers and body together. Redirects are not followed: they would lead a key
 * to another host. Throws AggregatorError.
 */
export async function ask<T>({ url, method, headers, body, timeoutMs, schema }: Ask<T>): Promise<Answer<T>> {
  const signal = AbortSignal.timeout(timeoutMs);
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    ({ status } = response);
    text = await limitedText(response);
  } catch (cause) {
    if (cause instanceof AggregatorError) throw cause;
    throw signal.aborted
      ? new AggregatorError('timeout', `no answer within ${timeoutMs} ms`, { cause })
      : new AggregatorError('unreachable', 'the request failed', { cause });
  }
  if (status === 429 || status === 401 || status === 403 || status >= 500) {
    throw new AggregatorError('status', `HTTP ${status}`);
  }
  if (status !== 200) return { kind: 'refused', status, body: text.slice(0, 2_000) };
  const raw = json(text);
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AggregatorError(
      'malformed',
      `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}`,
    );
  }
  return { kind: 'ok', value: parsed.data, raw };
}

async function limitedText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new AggregatorError('malformed', 'the answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AggregatorError('malformed', 'the answer is not JSON', { cause });
  }
}
