import { setTimeout as pause } from 'node:timers/promises';
import { type Diary, wordOf } from './diary.ts';
import type { Call } from './judge.ts';

const TRY_MS = 12_000;
const GIVES_UP_MS = 900_000;
const MOST_PAUSE_MS = 3_000;
/** So long after the end of a signed transaction, "unknown here" means "never taken". */
const UNKNOWN_FOR_MS = 12_000;

/** One answer; `lost` where none came, or one that says that the service failed. */
export type Answer =
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'later' }
  | { readonly kind: 'lost' };

export type RawHost = { readonly baseUrl: string; readonly apiKey: string };

/** One request by hand. Never throws. */
export async function askRaw(
  { baseUrl, apiKey }: RawHost,
  path: string,
  post: { readonly body: unknown; readonly key?: string } | null,
): Promise<Answer> {
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: post === null ? 'GET' : 'POST',
      headers: {
        'x-api-key': apiKey,
        ...(post === null ? {} : { 'content-type': 'application/json' }),
        ...(post?.key === undefined ? {} : { 'idempotency-key': post.key }),
      },
      ...(post === null ? {} : { body: JSON.stringify(post.body) }),
      signal: AbortSignal.timeout(TRY_MS),
    });
    return read(answer.status, await answer.json());
  } catch {
    return { kind: 'lost' };
  }
}

function read(status: number, body: unknown): Answer {
  if (status === 200 && isRecord(body) && isRecord(body['data'])) return { kind: 'data', data: body['data'] };
  if (status >= 500 || !isRecord(body) || !isRecord(body['error'])) return { kind: 'lost' };
  const { code, retryable } = body['error'];
  return retryable === true ? { kind: 'later' } : { kind: 'refused', code: String(code) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The answer of a request that changes nothing when it is repeated; null where none came for a quarter of an hour. */
export async function insistRaw(...asked: Parameters<typeof askRaw>): Promise<Answer | null> {
  const startedAt = performance.now();
  for (let tries = 1; performance.now() - startedAt < GIVES_UP_MS; tries += 1) {
    const answer = await askRaw(...asked);
    if (answer.kind === 'data' || answer.kind === 'refused') return answer;
    await pause(backoffMs(tries));
  }
  return null;
}

/**
 * Submits signed bytes by hand and polls their record: the same bytes again after each lost answer, and nothing is ever built in their
 * place. A refusal counts only where no earlier answer was lost; else the caller waits until the bytes can no longer land.
 */
export async function submitRaw(
  host: RawHost,
  diary: Diary,
  transaction: Uint8Array,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Call> {
  const signature = diary.signed(transaction);
  const body = {
    transaction: Buffer.from(transaction).toString('base64'),
    reference: `call-${diary.n}`,
    ...more,
  };
  const startedAt = performance.now();
  let wasLost = false;
  let isKnown = false;
  let unknownSince: number | null = null;
  for (let tries = 1; performance.now() - startedAt < GIVES_UP_MS; tries += 1) {
    // Bytes that can land no more are handed over no more: is the service following them?
    const asks = isKnown || diary.isOver(signature);
    const answer = asks
      ? await askRaw(host, `/transactions/${signature}?waitFor=final&timeoutMs=8000`, null)
      : await askRaw(host, '/transactions', { body });
    if (answer.kind === 'data') {
      isKnown = true;
      const end = heard(diary, answer.data);
      if (end !== null) return diary.close(end);
      continue;
    }
    diary.missed(answer.kind === 'refused' ? answer.code : answer.kind);
    if (answer.kind === 'refused' && !asks && !wasLost) return diary.close('refused', answer.code);
    if (answer.kind === 'refused' && asks) {
      unknownSince ??= performance.now();
      if (performance.now() - unknownSince > UNKNOWN_FOR_MS) return diary.close('refused', answer.code);
    }
    wasLost ||= answer.kind === 'lost';
    await pause(backoffMs(tries));
  }
  return diary.close('open');
}

/** The caller's end by this record; null where it goes on. */
function heard(diary: Diary, record: Readonly<Record<string, unknown>>): Call['ended'] | null {
  const { signature, status, final } = record;
  diary.told({ signature: String(signature), status: String(status), final: final === true });
  return status === 'disputed' ? 'disputed' : final === true ? wordOf(String(status)) : null;
}

const backoffMs = (tries: number): number => Math.random() * Math.min(MOST_PAUSE_MS, 200 * 2 ** tries);
