import type { ApiKeySecrets } from '../../../platform/ports/api-key-secrets.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { WebhookSender } from '../../../platform/ports/webhook-sender.ts';
import { queueMail } from '../../mail/use/queue-mail.ts';
import { afterTry, FAILING_MS, signingGenerations, type Webhook } from '../rules/webhook.ts';
import type { Claimed, WebhookStore } from '../store-port.ts';
import { webhookSecret } from './secrets.ts';

export type DeliverDeps = {
  readonly webhooks: WebhookStore;
  readonly sender: Pick<WebhookSender, 'send'>;
  /** Null where the process has no secret for keys: events wait for one that has. */
  readonly secrets: Pick<ApiKeySecrets, 'hash'> | null;
  readonly db: Pick<Database, 'transact'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'warn'>;
  /** A mail waits. */
  readonly nudge: () => void;
  readonly random?: () => number;
};

export type WebhookWatch = {
  /** Begins all that is due. Milliseconds until the next round; rejects when the database does not answer. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  wake(): void;
  /** Resolves when every try that has begun is over. */
  stop(): Promise<void>;
};

const IDLE_MS = 5_000;
/** While tries run, and places are left. */
const BUSY_MS = 250;
const PLACES = 64;
/** Of one webhook at once: a slow one takes no more places. */
const OF_ONE = 4;
/** Longer than a try can take: a killed process holds an event for no longer. */
const LEASE_MS = 60_000;
const TOLD_AT_ONCE = 20;
/** Owners that another process left waiting are looked for in one round of so many. */
const OWNERS_EACH = 12;

/**
 * Sends events to webhooks in rounds. Each event goes until it is taken, at least once and with the same id. A webhook of which no try
 * worked for five days, or that answers 410, is disabled, and the owner of its key gets a mail.
 */
export function createWebhookWatch(deps: DeliverDeps): WebhookWatch {
  const { webhooks, clock, log, secrets } = deps;
  const running = new Map<string, number>();
  const tries = new Set<Promise<void>>();
  let poke = (): void => undefined;
  let rounds = 0;
  let haveFailed = false;

  async function round(): Promise<number> {
    rounds += 1;
    if (haveFailed || rounds % OWNERS_EACH === 1) {
      haveFailed = false;
      await tellOwners(deps);
    }
    const places = PLACES - tries.size;
    if (secrets === null || places === 0) return IDLE_MS;
    const now = clock.now();
    const most = { all: places, ofOne: OF_ONE, without: [...running.keys()] };
    const claimed = await webhooks.claim(now, now + LEASE_MS, most);
    for (const one of claimed) begin(one, secrets);
    return claimed.length > 0 || tries.size > 0 ? BUSY_MS : IDLE_MS;
  }

  function begin(one: Claimed, signing: Pick<ApiKeySecrets, 'hash'>): void {
    const { id } = one.webhook;
    running.set(id, (running.get(id) ?? 0) + 1);
    const trying = attempt(deps, one, signing)
      .then((isTaken) => {
        haveFailed ||= !isTaken;
      })
      .catch((err: unknown) => log.warn({ webhook: id, err }, 'the end of a try was not written down'))
      .finally(() => {
        tries.delete(trying);
        const left = (running.get(id) ?? 1) - 1;
        if (left === 0) running.delete(id);
        else running.set(id, left);
        poke();
      });
    tries.add(trying);
  }

  return {
    round,
    onAdd: (call) => {
      poke = call;
    },
    wake: () => poke(),
    stop: async () => {
      await Promise.all(tries);
    },
  };
}

/** One try; whether the webhook took the event. */
async function attempt(
  { webhooks, sender, clock, random = Math.random }: DeliverDeps,
  { webhook, delivery }: Claimed,
  secrets: Pick<ApiKeySecrets, 'hash'>,
): Promise<boolean> {
  const at = clock.now();
  const outcome = await sender.send({
    url: webhook.url,
    id: delivery.eventId,
    at,
    body: delivery.body,
    secrets: signingGenerations(webhook, at).map((generation) =>
      webhookSecret(secrets, webhook.id, generation),
    ),
  });
  const now = clock.now();
  const end = afterTry(delivery.attempts, outcome, now, random());
  await webhooks.finish(delivery, end, now, now - FAILING_MS);
  return end.kind === 'delivered';
}

/** The mail is queued before it is written down that it was: a killed process sends it twice rather than never. */
async function tellOwners(deps: DeliverDeps): Promise<void> {
  const { webhooks, clock } = deps;
  for (const webhook of await webhooks.untold(TOLD_AT_ONCE)) {
    await mailTo(deps, webhook);
    await webhooks.markTold(webhook.id, clock.now());
  }
}

async function mailTo(deps: DeliverDeps, { id, email, url, disabledFor }: Webhook): Promise<void> {
  if (email === null) return;
  const reason = disabledFor === 'gone' ? 'it answered 410' : 'no try has worked for five days';
  await deps.db.transact((stores) =>
    queueMail(deps, stores, {
      to: email,
      template: 'webhook-disabled',
      subject: id,
      args: { webhook: id, url, reason },
    }),
  );
  deps.nudge();
}
