import { beforeAll, expect, it } from 'vitest';
import type { Submission } from '../../src/modules/submissions/rules/submission.ts';
import type { SubmissionStore } from '../../src/modules/submissions/store-port.ts';
import type { Delivery, TryEnd, Webhook } from '../../src/modules/webhooks/rules/webhook.ts';
import type { WebhookStore } from '../../src/modules/webhooks/store-port.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { submissionRow } from './submission-store.ts';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
const ids = randomIds(() => NOW);
let accounts = 0;

export function webhookRow(change: Partial<Webhook> = {}): Webhook {
  accounts += 1;
  return {
    id: ids.ulid(),
    account: `account-${accounts}`,
    email: 'owner@example.org',
    url: 'https://example.org/',
    events: ['transaction.finalized', 'transaction.expired'],
    generation: 1,
    rotatedAt: null,
    failingSince: null,
    disabledAt: null,
    disabledFor: null,
    createdAt: NOW,
    ...change,
  };
}

const deliveryRow = (webhook: Webhook, change: Partial<Delivery> = {}): Delivery => ({
  webhookId: webhook.id,
  eventId: `evt.${ids.ulid()}`,
  type: 'webhook.test',
  body: '{}',
  status: 'waiting',
  attempts: 0,
  dueAt: NOW,
  answer: null,
  error: null,
  createdAt: NOW,
  ...change,
});

const WORKED: TryEnd = { kind: 'delivered', dueAt: NOW, answer: 200, error: null };
const AGAIN: TryEnd = { kind: 'again', dueAt: NOW + 5_000, answer: 500, error: 'it answered 500' };
const GONE: TryEnd = { kind: 'gone', dueAt: NOW, answer: 410, error: 'it answered 410' };

type Stores = { readonly webhooks: WebhookStore; readonly submissions: SubmissionStore };

/** The rules of a store of webhooks, and of the events that a store of submissions gives it. */
export function describeWebhookStore(make: () => Promise<Stores>): void {
  let store: WebhookStore;
  let submissions: SubmissionStore;
  beforeAll(async () => {
    ({ webhooks: store, submissions } = await make());
  });
  const stored = async (change: Partial<Webhook> = {}): Promise<Webhook> => {
    const webhook = webhookRow(change);
    expect(await store.insert(webhook)).toBe(true);
    return webhook;
  };
  const claim = (at = NOW, without: readonly string[] = []) =>
    store.claim(at, at + 60_000, { all: 1_000, ofOne: 4, without });
  const claimOf = async ({ id }: Webhook, at = NOW) =>
    (await claim(at)).flatMap(({ webhook, delivery }) => (webhook.id === id ? [delivery] : []));
  const finish = (delivery: Delivery, end: TryEnd, at = NOW) => store.finish(delivery, end, at, at - 5 * DAY);

  it('keeps ten of an account, however many come at once', async () => {
    const { account } = webhookRow();
    const made = await Promise.all(
      Array.from({ length: 14 }, () => store.insert(webhookRow({ account, createdAt: NOW }))),
    );
    expect(made.filter((isMade) => isMade)).toHaveLength(10);
    const [first] = await store.listOf(account);
    expect(await store.remove(account, first?.id ?? '')).toBe(true);
    expect(await store.insert(webhookRow({ account }))).toBe(true);
    expect(await store.insert(webhookRow({ account }))).toBe(false);
  });

  it('gives a webhook back as it was, to its own account alone', async () => {
    const webhook = await stored();
    expect(await store.find(webhook.account, webhook.id)).toEqual(webhook);
    expect(await store.find('another', webhook.id)).toBeNull();
    expect(await store.rotate('another', webhook.id, NOW)).toBeNull();
    expect(await store.remove('another', webhook.id)).toBe(false);
    expect(await store.replay('another', webhook.id, 0, NOW, 10)).toBe(0);
    expect(await store.rotate(webhook.account, webhook.id, NOW + 1)).toEqual({
      ...webhook,
      generation: 2,
      rotatedAt: NOW + 1,
    });
  });

  it('writes the event of a change once, for each webhook of the account that asks for it', async () => {
    const { account } = webhookRow();
    const [wants, other, disabled] = [
      await stored({ account }),
      await stored({ account, events: ['transaction.failed'] }),
      await stored({ account }),
    ];
    const stranger = await stored();
    const gone = deliveryRow(disabled);
    await store.add(gone);
    for (const delivery of await claimOf(disabled)) await finish(delivery, GONE);
    const row = submissionRow({ account, changedAt: NOW });
    await submissions.insert(row);
    const at = (version: number, change: Partial<Submission>): Submission => ({
      ...row,
      version,
      changedAt: NOW + version,
      ...change,
    });
    expect(await submissions.replace(at(2, { status: 'sent' }))).toBe(true);
    expect(await submissions.replace(at(3, { status: 'confirmed', slot: 9n }))).toBe(true);
    const end = at(4, { status: 'finalized', slot: 9n, transaction: null });
    expect(await submissions.replace(at(9, { status: 'finalized', transaction: null }))).toBe(false);
    expect(await submissions.replace(end)).toBe(true);
    expect(await submissions.replace(end)).toBe(false);
    const [told, ...more] = await store.deliveriesOf(wants.id, 10);
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      eventId: `transaction.finalized.${row.signature}`,
      type: 'transaction.finalized',
      status: 'waiting',
      attempts: 0,
      dueAt: NOW + 4,
    });
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      type: 'transaction.finalized',
      data: { signature: row.signature, status: 'finalized', final: true, version: 4 },
    });
    for (const { id } of [other, stranger]) expect(await store.deliveriesOf(id, 10)).toEqual([]);
    // Kept for a replay, and not sent.
    expect(await store.deliveriesOf(disabled.id, 10)).toMatchObject([
      { eventId: `transaction.finalized.${row.signature}`, status: 'failed', attempts: 0 },
      { eventId: gone.eventId, status: 'failed' },
    ]);
  });

  it('keeps every event of one transaction, and one that comes twice once', async () => {
    const webhook = await stored({ events: ['transaction.confirmed', 'transaction.finalized'] });
    const row = submissionRow({ account: webhook.account, changedAt: NOW });
    await submissions.insert(row);
    const path = ['confirmed', 'sent', 'confirmed', 'finalized'] as const;
    for (const [index, status] of path.entries()) {
      const version = index + 2;
      const slot = status === 'sent' ? null : 9n;
      const end = status === 'finalized' ? { transaction: null } : {};
      const next = { ...row, ...end, status, slot, version, changedAt: NOW + version };
      expect(await submissions.replace(next)).toBe(true);
    }
    const told = await store.deliveriesOf(webhook.id, 10);
    expect(told.map(({ eventId, body }) => [eventId, JSON.parse(body).data.version])).toEqual([
      [`transaction.finalized.${row.signature}`, 5],
      [`transaction.confirmed.${row.signature}`, 2],
    ]);
  });

  it('gives what is due to one claim of many, and again when its lease is over', async () => {
    const webhook = await stored();
    const delivery = deliveryRow(webhook);
    expect(await store.add(delivery)).toBe(true);
    expect(await store.add(delivery)).toBe(false);
    await store.add(deliveryRow(webhook, { dueAt: NOW + 1 }));
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimOf(webhook)));
    expect(claims.flat()).toEqual([{ ...delivery, attempts: 1, dueAt: NOW + 60_000 }]);
    expect(await claimOf(webhook, NOW + 59_999)).toMatchObject([{ attempts: 1, dueAt: NOW + 119_999 }]);
    expect(await claimOf(webhook, NOW + 60_000)).toMatchObject([{ eventId: delivery.eventId, attempts: 2 }]);
  });

  it('claims few of one webhook, and none of those that are named', async () => {
    const webhook = await stored();
    for (let count = 0; count < 6; count += 1) await store.add(deliveryRow(webhook));
    expect((await claim(NOW, [webhook.id])).some((one) => one.webhook.id === webhook.id)).toBe(false);
    expect(await claimOf(webhook)).toHaveLength(4);
    expect(await claimOf(webhook)).toHaveLength(2);
  });

  it('writes the end of the try that is under way, and of no earlier one', async () => {
    const webhook = await stored();
    await store.add(deliveryRow(webhook));
    const [first] = await claimOf(webhook);
    const [second] = await claimOf(webhook, NOW + 60_000);
    if (first === undefined || second === undefined) throw new Error('nothing was due');
    await finish(first, WORKED);
    expect(await store.deliveriesOf(webhook.id, 9)).toMatchObject([{ status: 'waiting', attempts: 2 }]);
    await finish(second, AGAIN);
    expect(await store.deliveriesOf(webhook.id, 9)).toMatchObject([
      { status: 'waiting', dueAt: NOW + 5_000, answer: 500, error: 'it answered 500' },
    ]);
    const [third] = await claimOf(webhook, NOW + 5_000);
    if (third === undefined) throw new Error('nothing was due');
    expect(await store.find(webhook.account, webhook.id)).toMatchObject({ failingSince: NOW });
    await finish(third, WORKED);
    expect(await store.find(webhook.account, webhook.id)).toMatchObject({ failingSince: null });
    expect(await claimOf(webhook, NOW + DAY)).toEqual([]);
  });

  it.each([
    ['that is gone', GONE, 0, 'gone'],
    ['that has failed for five days', AGAIN, 5 * DAY, 'failing'],
    ['that has failed for less', AGAIN, 5 * DAY - 1, null],
  ] as const)('disables a webhook %s', async (_, end, after, disabledFor) => {
    const webhook = await stored();
    const rows = [deliveryRow(webhook), deliveryRow(webhook, { dueAt: NOW + 9 * DAY })];
    for (const row of rows) await store.add(row);
    const [first] = await claimOf(webhook);
    if (first === undefined) throw new Error('nothing was due');
    await finish(first, { ...AGAIN, dueAt: NOW });
    const [second] = await claimOf(webhook, NOW + after);
    if (second === undefined) throw new Error('nothing was due');
    await finish(second, end, NOW + after);
    const disabledAt = disabledFor === null ? null : NOW + after;
    const now = await store.find(webhook.account, webhook.id);
    expect(now).toMatchObject({ failingSince: NOW, disabledFor, disabledAt });
    const statuses = (await store.deliveriesOf(webhook.id, 9)).map(({ status }) => status);
    expect(statuses).toEqual(disabledFor === null ? ['waiting', 'waiting'] : ['failed', 'failed']);
    const isUntold = async () => (await store.untold(1_000)).some(({ id }) => id === webhook.id);
    expect(await isUntold()).toBe(disabledFor !== null);
    await store.markTold(webhook.id, NOW);
    expect(await isUntold()).toBe(false);
    if (disabledFor === null) return;
    const late = deliveryRow(webhook, { createdAt: NOW - DAY });
    await store.add(late);
    expect(await claimOf(webhook, NOW + 20 * DAY)).toEqual([]);
    expect(await store.replay(webhook.account, webhook.id, NOW + 1, NOW + 20 * DAY, 9)).toBe(0);
    expect(await store.find(webhook.account, webhook.id)).toMatchObject({
      disabledAt: null,
      disabledFor: null,
      failingSince: null,
    });
    expect(await store.replay(webhook.account, webhook.id, 0, NOW + 20 * DAY, 2)).toBe(2);
    const again = await claimOf(webhook, NOW + 20 * DAY);
    expect(again.map(({ eventId }) => eventId).toSorted()).toEqual(
      [...rows, late].map(({ eventId }) => eventId).toSorted(),
    );
    for (const one of again) expect(one).toMatchObject({ attempts: 1, answer: null, error: null });
    const [one] = again;
    if (one === undefined) throw new Error('nothing was due');
    await finish(one, GONE, NOW + 20 * DAY);
    expect(await isUntold()).toBe(true);
  });

  it('removes a webhook with all that it was to be told', async () => {
    const webhook = await stored();
    await store.add(deliveryRow(webhook));
    await store.remove(webhook.account, webhook.id);
    expect(await claimOf(webhook)).toEqual([]);
    expect(await store.deliveriesOf(webhook.id, 9)).toEqual([]);
    expect(await store.add(deliveryRow(webhook))).toBe(false);
  });
}
