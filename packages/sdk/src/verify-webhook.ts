import { fromBase64 } from './base64.ts';
import type { Submission } from './generated/operations.ts';

/** An event as a webhook gets it. Later versions may have more types: pass over the unknown ones. */
export type WebhookEvent =
  | {
      readonly type: `transaction.${'confirmed' | 'finalized' | 'failed' | 'expired' | 'disputed'}`;
      readonly timestamp: string;
      readonly data: Submission;
    }
  | {
      readonly type: 'webhook.test';
      readonly timestamp: string;
      readonly data: { readonly webhookId: string };
    };

/** An event that is signed, with the id that is the same in every try: keep the ids, and do nothing twice. */
export type VerifiedWebhook = { readonly id: string; readonly event: WebhookEvent };

/** The request was not signed with this secret, or not now. `message` says why, for a log. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

const TOLERANCE_SECONDS = 300;

/**
 * The event of a request to a webhook, once its signature and its time are verified (Standard Webhooks). `body` is the text as it came,
 * before anything parsed it. Rejects with WebhookError for another signature, for a time more than five minutes away, and for headers that
 * are missing.
 */
export async function verifyWebhook(request: {
  /** `whsec_…`; with several, such as during a rotation, one of them must be right. */
  readonly secret: string | readonly string[];
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Epoch milliseconds; the present unless given. */
  readonly now?: number | undefined;
  readonly toleranceSeconds?: number | undefined;
}): Promise<VerifiedWebhook> {
  const { secret, body, now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = request;
  const header = (name: string): string => headerOf(request.headers, name);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp: expected seconds');
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('the request is too old, or its time lies ahead');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(signed, one, signatures)) return { id, event: JSON.parse(body) as WebhookEvent };
  throw new WebhookError('no signature is of this secret and this body');
}

function headerOf(headers: Parameters<typeof verifyWebhook>[0]['headers'], name: string): string {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`${name}: expected one value`);
  return value;
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  secret: string,
  signatures: readonly string[],
): Promise<boolean> {
  const raw = fromBase64(secret.replace(/^whsec_/, ''));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const text of signatures) {
    const [version, signature = ''] = text.split(',');
    if (version !== 'v1' || !/^[A-Za-z0-9+/]{43}=$/.test(signature)) continue;
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, fromBase64(signature), signed)) return true;
  }
  return false;
}
