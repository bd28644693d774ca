import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import {
  DELIVERY_EXAMPLE,
  deliveryRecord,
  known,
  ownerOf,
  recordOfDelivery,
  recordOfWebhook,
  WEBHOOK_EXAMPLE,
  webhookId,
  webhookRecord,
  webhookWithSecret,
} from './webhook-record.ts';

const ONE = { id: webhookId };
const one = z.strictObject(ONE);
const A_LIMIT = 'expected a whole number from 1 to 100';
const A_TIME = 'expected a time such as 2026-01-01T00:00:00Z';

/** Shared by the routes of one webhook. */
const OF_ONE = {
  act: 'reads',
  host: 'pro',
  scope: 'submit',
  pathFields: ['id'],
  codes: {},
  errors: ['WEBHOOK_UNKNOWN'],
  across: () => [],
  fieldsOf: () => ({}),
  inputExample: { id: WEBHOOK_EXAMPLE.id },
} as const satisfies Partial<Route>;

export const listWebhooks = route({
  act: 'reads',
  method: 'GET',
  host: 'pro',
  scope: 'submit',
  path: '/webhooks',
  operationId: 'listWebhooks',
  summary: 'Webhooks of your account',
  description: 'The oldest first, without their secrets.',
  input: { in: 'query', name: 'WebhooksRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: { name: 'Webhooks', schema: z.array(webhookRecord), example: [WEBHOOK_EXAMPLE] },
  codes: {},
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ webhooks }, _input, caller) =>
    (await webhooks.list(ownerOf(caller).account)).map(recordOfWebhook),
});

export const removeWebhook = route<z.infer<typeof one>>({
  ...OF_ONE,
  method: 'DELETE',
  path: '/webhooks/:id',
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'With everything that it was still to be told.',
  input: { in: 'query', name: 'RemoveWebhookRequest', schema: one },
  output: {
    name: 'RemovedWebhook',
    schema: z.object({ id: z.string() }),
    example: { id: WEBHOOK_EXAMPLE.id },
  },
  handle: async ({ webhooks }, { id }, caller) => {
    known((await webhooks.remove(ownerOf(caller).account, id)) ? id : null);
    return { id };
  },
});

export const rotateWebhook = route<z.infer<typeof one>>({
  ...OF_ONE,
  method: 'POST',
  path: '/webhooks/:id/rotate',
  operationId: 'rotateWebhook',
  summary: 'A new secret for a webhook',
  description:
    'For 24 hours each delivery has two signatures, of the new secret and of the old one; then the new one alone.',
  input: { in: 'query', name: 'RotateWebhookRequest', schema: one },
  output: {
    name: 'WebhookWithSecret',
    schema: webhookWithSecret,
    example: { ...WEBHOOK_EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
  handle: async ({ webhooks }, { id }, caller) => {
    const { webhook, secret } = known(await webhooks.rotate(ownerOf(caller).account, id));
    return { ...recordOfWebhook(webhook), secret };
  },
});

export const testWebhook = route<z.infer<typeof one>>({
  ...OF_ONE,
  method: 'POST',
  path: '/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send an event of the type webhook.test',
  description: 'It is signed, tried again and listed like every event.',
  input: { in: 'query', name: 'TestWebhookRequest', schema: one },
  output: { name: 'WebhookDelivery', schema: deliveryRecord, example: DELIVERY_EXAMPLE },
  handle: async ({ webhooks }, { id }, caller) =>
    recordOfDelivery(known(await webhooks.test(ownerOf(caller).account, id))),
});

const deliveriesQuery = z.strictObject({
  ...ONE,
  limit: z
    .string({ error: A_LIMIT })
    .regex(/^([1-9]\d?|100)$/, { error: A_LIMIT })
    .transform(Number)
    .default(50)
    .describe('rows at most'),
});

export const listDeliveries = route<z.infer<typeof deliveriesQuery>>({
  ...OF_ONE,
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'What a webhook was told, and what it answered',
  description: 'The newest first, of the last 30 days.',
  input: { in: 'query', name: 'DeliveriesRequest', schema: deliveriesQuery },
  inputExample: { id: WEBHOOK_EXAMPLE.id, limit: '50' },
  codes: { limit: 'LIMIT_INVALID' },
  output: { name: 'WebhookDeliveries', schema: z.array(deliveryRecord), example: [DELIVERY_EXAMPLE] },
  handle: async ({ webhooks }, { id, limit }, caller) =>
    known(await webhooks.deliveries(ownerOf(caller).account, id, limit)).map(recordOfDelivery),
});

const replayQuery = z.strictObject({
  ...ONE,
  since: z.iso
    .datetime({ error: A_TIME })
    .transform((text) => Date.parse(text))
    .describe('of events since then; of all that are kept where it is left out')
    .optional(),
});

export const replayWebhook = route<z.infer<typeof replayQuery>>({
  ...OF_ONE,
  method: 'POST',
  path: '/webhooks/:id/replay',
  operationId: 'replayWebhook',
  summary: 'Send failed events again',
  description:
    'At most 1,000, the oldest first, each with its own id. A webhook that was disabled is taken up again.',
  input: { in: 'query', name: 'ReplayWebhookRequest', schema: replayQuery },
  codes: { since: 'TIME_INVALID' },
  output: { name: 'ReplayedWebhook', schema: z.object({ count: z.int() }), example: { count: 3 } },
  handle: async ({ webhooks }, { id, since = 0 }, caller) => ({
    count: known(await webhooks.replay(ownerOf(caller).account, id, since)),
  }),
});
