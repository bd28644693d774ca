import { hasAged } from '../../../core/time/age.ts';

export const WEBHOOK_EVENTS = [
  'transaction.confirmed',
  'transaction.finalized',
  'transaction.failed',
  'transaction.expired',
  'transaction.disputed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const MOST_WEBHOOKS = 10;

/** An address that hears of an account's transactions. Times are epoch milliseconds. */
export type Webhook = {
  readonly id: string;
  readonly account: string;
  /** Of the key that registered it; its owner gets a mail there when the webhook is disabled. */
  readonly email: string | null;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Its secret is worked out from this number: one more, and the secret is another one. */
  readonly generation: number;
  readonly rotatedAt: number | null;
  /** Since when no try has worked; null where the last one did. */
  readonly failingSince: number | null;
  readonly disabledAt: number | null;
  /** `failing`: no try worked for five days. `gone`: it answered 410. */
  readonly disabledFor: 'failing' | 'gone' | null;
  readonly createdAt: number;
};

/** One event on its way to one webhook. */
export type Delivery = {
  readonly webhookId: string;
  /** The `webhook-id` of every try. */
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly status: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly dueAt: number;
  /** Status of the last answer; null where none came. */
  readonly answer: number | null;
  readonly error: string | null;
  readonly createdAt: number;
};

/** The end of one try. `gone`: the webhook wants nothing more. */
export type TryEnd = {
  readonly kind: 'delivered' | 'again' | 'failed' | 'gone';
  readonly dueAt: number;
  readonly answer: number | null;
  readonly error: string | null;
};

export type TryOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'unanswered'; readonly reason: string };

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** Before each try. */
const DELAYS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
const LONGEST_PAUSE_MS = 24 * HOUR;
export const FAILING_MS = 5 * 24 * HOUR;
/** A secret that was replaced signs beside the new one for so long. */
export const OVERLAP_MS = 24 * HOUR;

/**
 * The meaning of a try for its delivery. 2xx is the end; 410 ends the webhook; anything else is tried again after 5 s, 5 and 30 min, 2, 5,
 * 10, 14, 20 and 24 h, each ± 10 %, and not before the answer's `retry-after`. After ten tries it has failed.
 * `random` is from 0 to 1.
 */
export function afterTry(attempts: number, outcome: TryOutcome, now: number, random: number): TryEnd {
  const answer = outcome.kind === 'answered' ? outcome.status : null;
  if (answer !== null && answer >= 200 && answer < 300)
    return { kind: 'delivered', dueAt: now, answer, error: null };
  const error = outcome.kind === 'answered' ? `it answered ${outcome.status}` : outcome.reason;
  if (answer === 410) return { kind: 'gone', dueAt: now, answer, error };
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return { kind: 'failed', dueAt: now, answer, error };
  const asks = outcome.kind === 'answered' ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(Math.round(delay * (0.9 + 0.2 * random)), Math.min(asks, LONGEST_PAUSE_MS));
  return { kind: 'again', dueAt: now + waitMs, answer, error };
}

/** Generations whose secrets sign now: the present one first, and the last one for a day after a rotation. */
export function signingGenerations(
  { generation, rotatedAt }: Pick<Webhook, 'generation' | 'rotatedAt'>,
  now: number,
): readonly number[] {
  return rotatedAt !== null && !hasAged(rotatedAt, OVERLAP_MS, now)
    ? [generation, generation - 1]
    : [generation];
}
