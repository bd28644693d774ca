import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { WebhookSender } from '../../../platform/ports/webhook-sender.ts';
import { readTarget, type TargetRule } from '../rules/target.ts';
import type { Delivery, Webhook, WebhookEvent } from '../rules/webhook.ts';
import type { WebhookStore } from '../store-port.ts';
import { secretText, webhookSecret } from './secrets.ts';

type WebhookDeps = {
  readonly webhooks: WebhookStore;
  readonly secrets: Pick<ApiKeySecrets, 'hash'>;
  readonly sender: Pick<WebhookSender, 'problemOf'>;
  /** Which addresses are taken now. */
  readonly rule: () => TargetRule;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Something is due now. */
  readonly wake: () => void;
};

/** A webhook with its secret as text, which is given here and never again. */
export type WithSecret = { readonly webhook: Webhook; readonly secret: string };

type Owner = { readonly account: string; readonly email: string | null };

export type Registered =
  | ({ readonly kind: 'made' } & WithSecret)
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'full' };

const REPLAYED_AT_MOST = 1_000;

/** The verbs of the API on webhooks. An id of another account is unknown: null or false. */
export function createWebhookDesk(deps: WebhookDeps) {
  const { webhooks, secrets, clock, ids, wake } = deps;
  const withSecret = (webhook: Webhook): WithSecret => ({
    webhook,
    secret: secretText(webhookSecret(secrets, webhook.id, webhook.generation)),
  });

  return {
    /** Refuses an address that is not public now; each try checks it again. */
    register: async (owner: Owner, url: string, events: readonly WebhookEvent[]): Promise<Registered> => {
      const made = await register(deps, owner, url, events);
      return 'webhook' in made ? { kind: 'made', ...withSecret(made.webhook) } : made;
    },
    list: (account: string): Promise<readonly Webhook[]> => webhooks.listOf(account),
    remove: (account: string, id: string): Promise<boolean> => webhooks.remove(account, id),
    /** The new secret; the old one signs beside it for a day. */
    rotate: async (account: string, id: string): Promise<WithSecret | null> => {
      const webhook = await webhooks.rotate(account, id, clock.now());
      return webhook === null ? null : withSecret(webhook);
    },
    /** One event of the type `webhook.test`, on its way. */
    test: async (account: string, id: string): Promise<Delivery | null> => {
      const webhook = await webhooks.find(account, id);
      if (webhook === null) return null;
      const delivery = testOf(webhook, ids.ulid(), clock.now());
      await webhooks.add(delivery);
      wake();
      return delivery;
    },
    deliveries: async (account: string, id: string, limit: number): Promise<readonly Delivery[] | null> =>
      (await webhooks.find(account, id)) === null ? null : webhooks.deliveriesOf(id, limit),
    /** Failed deliveries since then are due again, at most 1,000 of them; a disabled webhook is taken up again. */
    replay: async (account: string, id: string, since: number): Promise<number | null> => {
      if ((await webhooks.find(account, id)) === null) return null;
      const count = await webhooks.replay(account, id, since, clock.now(), REPLAYED_AT_MOST);
      wake();
      return count;
    },
  };
}

async function register(
  deps: WebhookDeps,
  owner: Owner,
  url: string,
  events: readonly WebhookEvent[],
): Promise<{ readonly webhook: Webhook } | Exclude<Registered, { kind: 'made' }>> {
  const target = readTarget(url, deps.rule());
  if (typeof target === 'string') return { kind: 'refused', reason: target };
  const reason = await deps.sender.problemOf(target.href);
  if (reason !== null) return { kind: 'refused', reason };
  const webhook: Webhook = {
    ...owner,
    id: deps.ids.ulid(),
    url: target.href,
    events,
    generation: 1,
    rotatedAt: null,
    failingSince: null,
    disabledAt: null,
    disabledFor: null,
    createdAt: deps.clock.now(),
  };
  return (await deps.webhooks.insert(webhook)) ? { webhook } : { kind: 'full' };
}

function testOf({ id: webhookId }: Webhook, name: string, now: number): Delivery {
  const type = 'webhook.test';
  const timestamp = new Date(now).toISOString();
  return {
    webhookId,
    eventId: `${type}.${name}`,
    type,
    body: JSON.stringify({ type, timestamp, data: { webhookId } }),
    status: 'waiting',
    attempts: 0,
    dueAt: now,
    answer: null,
    error: null,
    createdAt: now,
  };
}

export type WebhookDesk = ReturnType<typeof createWebhookDesk>;
