import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import type { Caller } from '../../../platform/http/route.ts';
import { type Delivery, WEBHOOK_EVENTS, type Webhook } from '../rules/webhook.ts';

const AN_ID = 'expected the id of a webhook, 26 characters';
const time = z.string().describe('ISO 8601, UTC');

export const webhookId = z
  .string({ error: AN_ID })
  .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: AN_ID })
  .describe('id of the webhook');

export const webhookEvents = z.enum(WEBHOOK_EVENTS, {
  error: `expected one of ${WEBHOOK_EVENTS.map((event) => `"${event}"`).join(', ')}`,
});

const shape = {
  id: z.string(),
  url: z.string(),
  events: z.array(webhookEvents),
  createdAt: time,
  failingSince: time
    .nullable()
    .describe('since when no try has worked; null where the last one did. After five days it is disabled'),
  disabledAt: time.nullable().describe('nothing is sent from then on; a replay takes it up again'),
  disabledFor: z
    .enum(['failing', 'gone'])
    .nullable()
    .describe('`failing`: no try worked for five days; `gone`: it answered 410'),
};
export const webhookRecord = z.object(shape);
export const webhookWithSecret = z.object({
  ...shape,
  secret: z
    .string()
    .describe('signs each delivery. It is in this answer alone: keep it where the receiver can read it'),
});

export const deliveryRecord = z.object({
  id: z.string().describe('the `webhook-id` of every try; the same event has the same id'),
  type: z.string(),
  status: z
    .enum(['waiting', 'delivered', 'failed'])
    .describe('`waiting`: it goes again at `nextTryAt`; the others are over'),
  attempts: z.int(),
  nextTryAt: time.nullable(),
  answer: z.int().nullable().describe('status of the last answer; null where none came'),
  error: z.string().nullable().describe('why the last try did not work'),
  createdAt: time,
});

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

export function recordOfWebhook(webhook: Webhook): z.infer<typeof webhookRecord> {
  const { id, url, events, createdAt, failingSince, disabledAt, disabledFor } = webhook;
  return {
    id,
    url,
    events: [...events],
    createdAt: iso(createdAt),
    failingSince: isoOrNull(failingSince),
    disabledAt: isoOrNull(disabledAt),
    disabledFor,
  };
}

export function recordOfDelivery(delivery: Delivery): z.infer<typeof deliveryRecord> {
  const { eventId, type, status, attempts, dueAt, answer, error, createdAt } = delivery;
  const nextTryAt = status === 'waiting' ? iso(dueAt) : null;
  return { id: eventId, type, status, attempts, nextTryAt, answer, error, createdAt: iso(createdAt) };
}

export const WEBHOOK_EXAMPLE: z.infer<typeof webhookRecord> = {
  id: '01J8ZQ6Y7V3M9T2K4C5D6E7F8G',
  url: 'https://example.org/tradepost',
  events: ['transaction.finalized', 'transaction.failed', 'transaction.expired'],
  createdAt: '2026-01-01T00:00:00.000Z',
  failingSince: null,
  disabledAt: null,
  disabledFor: null,
};

export const DELIVERY_EXAMPLE: z.infer<typeof deliveryRecord> = {
  id: 'webhook.test.01J8ZQ6Y7V3M9T2K4C5D6E7F8H',
  type: 'webhook.test',
  status: 'waiting',
  attempts: 0,
  nextTryAt: '2026-01-01T00:00:00.000Z',
  answer: null,
  error: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** Whose webhooks these are. The keyed host serves keys alone. */
export function ownerOf({ key }: Caller): { readonly account: string; readonly email: string | null } {
  if (key === undefined) throw new Error('webhooks were asked for without a key');
  return { account: key.account, email: key.email };
}

/** Throws 404 where nothing was found. */
export function known<T>(found: T | null): T {
  if (found !== null) return found;
  throw new ApiError({
    status: 404,
    code: 'WEBHOOK_UNKNOWN',
    message: 'your account has no webhook of this id',
    field: 'id',
  });
}
