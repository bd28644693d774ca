import type { SubmissionEvent } from '../../../src/modules/submissions/rules/record.ts';
import { type Delivery, MOST_WEBHOOKS, type Webhook } from '../../../src/modules/webhooks/rules/webhook.ts';
import type { WebhookStore } from '../../../src/modules/webhooks/store-port.ts';

const byTime = (a: { readonly createdAt: number }, b: { readonly createdAt: number }): number =>
  a.createdAt - b.createdAt;

/** Webhooks in memory. `tell` is what the store of submissions does in its own statement. */
export function fakeWebhookStore(): WebhookStore & {
  readonly tell: (account: string | null, event: SubmissionEvent, at: number) => void;
} {
  const hooks = new Map<string, Webhook>();
  const rows = new Map<string, Delivery>();
  const told = new Set<string>();
  const keyOf = ({ webhookId, eventId }: Pick<Delivery, 'webhookId' | 'eventId'>): string =>
    `${webhookId} ${eventId}`;
  const own = (account: string, id: string): Webhook | null => {
    const hook = hooks.get(id);
    return hook?.account === account ? hook : null;
  };
  const ofHook = (id: string): readonly Delivery[] =>
    [...rows.values()].filter(({ webhookId }) => webhookId === id);
  const write = (delivery: Delivery): void => void rows.set(keyOf(delivery), delivery);
  const add = (delivery: Delivery): boolean => {
    if (!hooks.has(delivery.webhookId) || rows.has(keyOf(delivery))) return false;
    write(delivery);
    return true;
  };

  return {
    tell: (account, { id: eventId, type, body }, at) => {
      for (const hook of hooks.values()) {
        if (hook.account !== account || !hook.events.some((one) => one === type)) continue;
        const isDisabled = hook.disabledAt !== null;
        add({
          webhookId: hook.id,
          eventId,
          type,
          body,
          status: isDisabled ? 'failed' : 'waiting',
          attempts: 0,
          dueAt: at,
          answer: null,
          error: isDisabled ? 'the webhook was disabled' : null,
          createdAt: at,
        });
      }
    },
    insert: async (webhook) => {
      const count = [...hooks.values()].filter(({ account }) => account === webhook.account).length;
      if (count >= MOST_WEBHOOKS) return false;
      hooks.set(webhook.id, webhook);
      return true;
    },
    listOf: async (account) =>
      [...hooks.values()].filter((hook) => hook.account === account).toSorted(byTime),
    find: async (account, id) => own(account, id),
    remove: async (account, id) => {
      if (own(account, id) === null) return false;
      hooks.delete(id);
      for (const delivery of ofHook(id)) rows.delete(keyOf(delivery));
      return true;
    },
    rotate: async (account, id, now) => {
      const hook = own(account, id);
      if (hook === null) return null;
      const rotated = { ...hook, generation: hook.generation + 1, rotatedAt: now };
      hooks.set(id, rotated);
      return rotated;
    },
    add: async (delivery) => add(delivery),
    deliveriesOf: async (webhookId, limit) =>
      ofHook(webhookId)
        .toSorted((a, b) => b.createdAt - a.createdAt || (a.eventId < b.eventId ? -1 : 1))
        .slice(0, limit),
    replay: async (account, id, since, now, most) => {
      const hook = own(account, id);
      if (hook === null) return 0;
      hooks.set(id, { ...hook, disabledAt: null, disabledFor: null, failingSince: null });
      told.delete(id);
      const again = ofHook(id)
        .filter(({ status, createdAt }) => status === 'failed' && createdAt >= since)
        .toSorted(byTime)
        .slice(0, most);
      for (const delivery of again)
        write({ ...delivery, status: 'waiting', attempts: 0, dueAt: now, answer: null, error: null });
      return again.length;
    },
    claim: async (now, leaseUntil, { all, ofOne, without }) =>
      [...hooks.values()]
        .filter(({ id, disabledAt }) => disabledAt === null && !without.includes(id))
        .flatMap((webhook) =>
          ofHook(webhook.id)
            .filter(({ status, dueAt }) => status === 'waiting' && dueAt <= now)
            .toSorted((a, b) => a.dueAt - b.dueAt)
            .slice(0, ofOne)
            .map((delivery) => ({ webhook, delivery })),
        )
        .toSorted((a, b) => a.delivery.dueAt - b.delivery.dueAt)
        .slice(0, all)
        .map(({ webhook, delivery }) => {
          const claimed = { ...delivery, attempts: delivery.attempts + 1, dueAt: leaseUntil };
          write(claimed);
          return { webhook, delivery: claimed };
        }),
    finish: async (claimed, { kind, dueAt, answer, error }, now, failingBefore) => {
      const row = rows.get(keyOf(claimed));
      const hook = hooks.get(claimed.webhookId);
      if (row?.status !== 'waiting' || row.attempts !== claimed.attempts || hook === undefined) return;
      const status = kind === 'delivered' ? 'delivered' : kind === 'again' ? 'waiting' : 'failed';
      write({ ...row, status, dueAt, answer, error });
      if (kind === 'delivered') {
        hooks.set(hook.id, { ...hook, failingSince: null });
        return;
      }
      if (hook.disabledAt !== null) return;
      const isFailing = hook.failingSince !== null && hook.failingSince <= failingBefore;
      const disabledFor = kind === 'gone' ? 'gone' : isFailing ? 'failing' : null;
      const disabledAt = disabledFor === null ? null : now;
      hooks.set(hook.id, { ...hook, failingSince: hook.failingSince ?? now, disabledAt, disabledFor });
      if (disabledAt === null) return;
      for (const one of ofHook(hook.id))
        if (one.status === 'waiting')
          write({ ...one, status: 'failed', error: one.error ?? 'the webhook was disabled' });
    },
    untold: async (limit) =>
      [...hooks.values()]
        .filter(({ id, disabledAt }) => disabledAt !== null && !told.has(id))
        .toSorted((a, b) => (a.disabledAt ?? 0) - (b.disabledAt ?? 0))
        .slice(0, limit),
    markTold: async (id) => {
      if (hooks.get(id)?.disabledAt != null) told.add(id);
    },
  };
}
