import type { Update } from '@grammyjs/types';
import type { Clock } from './clock.ts';
import type { Pending, UpdateQueue } from './update-queue.ts';

export type WebhookSettings = {
  readonly url: string;
  readonly secretToken: string;
  readonly maxConnections: number;
};

/** The answer of the bot's server; `status` 0 means it could not be reached. */
export type WebhookAnswer = {
  readonly status: number;
  readonly retryAfterSeconds?: number;
  readonly body?: string;
  readonly problem?: string;
};

/** Posts JSON; never rejects. */
export type PostUpdate = (
  url: string,
  headers: Readonly<Record<string, string>>,
  update: Update,
) => Promise<WebhookAnswer>;

export interface Webhook {
  readonly settings: () => WebhookSettings | undefined;
  readonly set: (settings: WebhookSettings | undefined) => void;
  readonly lastError: () => { readonly at: number; readonly message: string } | undefined;
  readonly stop: () => void;
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;
/** 410 means "gone" to Telegram: after 23 hours of it the webhook is closed. */
const GONE_LIMIT_MS = 23 * 3_600_000;

type Deps = {
  readonly clock: Clock;
  readonly queue: UpdateQueue;
  readonly post: PostUpdate;
  /** Carries out a method named in the body of an answer. */
  readonly execute: (body: string) => void;
};

/**
 * Delivers updates over HTTP: per key in order, one in flight, the next only after a 2xx; failures are repeated with a
 * delay that doubles up to 60 s, or the server's own `Retry-After`.
 *
 * Source of truth: tdlib/telegram-bot-api, WebhookActor.cpp.
 */
export function createWebhook({ clock, queue, post, execute }: Deps): Webhook {
  const lanes = new Map<number, Pending[]>();
  const busy = new Set<number>();
  const timers = new Set<() => void>();
  let settings: WebhookSettings | undefined;
  let lastError: { readonly at: number; readonly message: string } | undefined;
  let goneSince: number | undefined;
  let generation = 0;

  const enqueue = (item: Pending) => {
    const lane = lanes.get(item.key);
    if (lane === undefined) lanes.set(item.key, [item]);
    else lane.push(item);
    pump(item.key);
  };

  function pump(key: number): void {
    const item = lanes.get(key)?.[0];
    if (settings === undefined || item === undefined || busy.has(key)) return;
    if (busy.size >= settings.maxConnections) return;
    busy.add(key);
    void deliver(item, key, FIRST_DELAY_MS, generation);
  }

  async function deliver(item: Pending, key: number, delayMs: number, mine: number): Promise<void> {
    const target = settings;
    if (target === undefined || mine !== generation) return;
    const secret: Record<string, string> =
      target.secretToken === '' ? {} : { 'x-telegram-bot-api-secret-token': target.secretToken };
    const answer = await post(target.url, secret, item.update);
    if (mine !== generation) return;
    if (answer.status >= 200 && answer.status < 300) {
      goneSince = undefined;
      finish(item, key);
      if (answer.body !== undefined && answer.body !== '') execute(answer.body);
      return;
    }
    lastError = {
      at: clock.now(),
      message: answer.problem ?? `Wrong response from the webhook: ${answer.status}`,
    };
    goneSince = answer.status === 410 ? (goneSince ?? clock.now()) : undefined;
    if (goneSince !== undefined && clock.now() - goneSince > GONE_LIMIT_MS) {
      settings = undefined;
      return;
    }
    const waitMs = answer.retryAfterSeconds === undefined ? delayMs : answer.retryAfterSeconds * 1000;
    const cancel = clock.after(waitMs, () => {
      timers.delete(cancel);
      void deliver(item, key, Math.min(MAX_DELAY_MS, delayMs * 2), mine);
    });
    timers.add(cancel);
  }

  function finish(item: Pending, key: number): void {
    queue.remove(item.seq);
    busy.delete(key);
    const lane = lanes.get(key);
    lane?.shift();
    if (lane?.length === 0) lanes.delete(key);
    pump(key);
    if (settings !== undefined && busy.size < settings.maxConnections) {
      for (const other of lanes.keys()) {
        if (busy.size >= settings.maxConnections) break;
        pump(other);
      }
    }
  }

  function restart(next: WebhookSettings | undefined): void {
    generation += 1;
    for (const cancel of timers) cancel();
    timers.clear();
    busy.clear();
    lanes.clear();
    settings = next;
    goneSince = undefined;
    lastError = undefined;
    if (next !== undefined) for (const item of queue.pending()) enqueue(item);
  }

  queue.onAdded((item) => {
    if (settings !== undefined) enqueue(item);
  });

  return {
    settings: () => settings,
    set: restart,
    lastError: () => lastError,
    stop: () => restart(undefined),
  };
}
