import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { route } from '../../../platform/http/route.ts';
import { MOST_WEBHOOKS, WEBHOOK_EVENTS } from '../rules/webhook.ts';
import {
  ownerOf,
  recordOfWebhook,
  WEBHOOK_EXAMPLE,
  webhookEvents,
  webhookWithSecret,
} from './webhook-record.ts';

const A_URL = 'expected a web address that begins with https://, at most 2048 characters';
const EVENTS = 'expected 1 to 5 different events';

const request = z.strictObject({
  url: z
    .string({ error: A_URL })
    .min(1, { error: A_URL })
    .max(2_048, { error: A_URL })
    .describe('where each event is posted: https, and of the public internet at each try'),
  events: z
    .array(webhookEvents, { error: EVENTS })
    .min(1, { error: EVENTS })
    .max(WEBHOOK_EVENTS.length, { error: EVENTS })
    .refine((events) => new Set(events).size === events.length, { error: EVENTS })
    .describe('all of them where none are named')
    .optional(),
});

/** A new webhook. */
export const registerWebhook = route<z.infer<typeof request>>({
  act: 'reads',
  method: 'POST',
  host: 'pro',
  scope: 'submit',
  path: '/webhooks',
  operationId: 'registerWebhook',
  summary: 'Be told of your transactions at an address of yours',
  description: `Posts \`{type, timestamp, data}\` when a transaction that your account submitted changes; \`data\` is its record, as \`GET /transactions/{signature}\` gives it. Each delivery is signed as Standard Webhooks ask (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). An event goes until it is answered with 2xx: at once, then after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h. Order is not promised: of two records the one with the higher \`version\` is newer. At most ${MOST_WEBHOOKS} of an account.`,
  input: { in: 'body', name: 'WebhookRequest', schema: request },
  inputExample: { url: WEBHOOK_EXAMPLE.url, events: WEBHOOK_EXAMPLE.events },
  output: {
    name: 'WebhookWithSecret',
    schema: webhookWithSecret,
    example: { ...WEBHOOK_EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
  codes: { url: 'WEBHOOK_URL_INVALID' },
  errors: ['WEBHOOK_URL_INVALID', 'WEBHOOKS_FULL'],
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ webhooks }, { url, events = [...WEBHOOK_EVENTS] }, caller) => {
    const made = await webhooks.register(ownerOf(caller), url, events);
    if (made.kind === 'made') return { ...recordOfWebhook(made.webhook), secret: made.secret };
    const isFull = made.kind === 'full';
    throw new ApiError({
      status: 400,
      code: isFull ? 'WEBHOOKS_FULL' : 'WEBHOOK_URL_INVALID',
      message: isFull
        ? `your account has ${MOST_WEBHOOKS} webhooks; remove one first`
        : `url: ${made.reason}`,
      field: isFull ? null : 'url',
    });
  },
});
