import { describe } from 'vitest';
import { describeWebhookStore } from '../../conformance/webhook-store.ts';
import { fakeSubmissionStore } from './submission-store.ts';
import { fakeWebhookStore } from './webhook-store.ts';

describe('webhooks in memory', () =>
  describeWebhookStore(async () => {
    const webhooks = fakeWebhookStore();
    return { webhooks, submissions: fakeSubmissionStore(webhooks.tell) };
  }));
