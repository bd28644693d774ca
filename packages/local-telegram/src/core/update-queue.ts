import type { Update } from '@grammyjs/types';
import type { Clock } from './clock.ts';
import { TgError } from './tg-error.ts';

/** Every kind a bot may ask for. People here make messages, edits, taps and blocks; a test may add any other. */
export type AllowedKind = Exclude<keyof Update, 'update_id'>;

/** A waiting update. Copies of one update (duplicate delivery) share its id and differ in `seq`. */
export type Pending = {
  readonly seq: number;
  readonly at: number;
  readonly kind: AllowedKind;
  /** Updates with one key are delivered one after the other over a webhook. */
  readonly key: number;
  readonly update: Update;
};

/** Telegram forgets messages after a day and taps after 150 s. */
const ttlMs = (kind: AllowedKind): number => (kind === 'callback_query' ? 150_000 : 86_400_000);
/** A callback's queue is the user id plus this (tdlib/telegram-bot-api), so it never waits behind a message. */
const CALLBACK_QUEUE = 3 * 2 ** 33;

export interface UpdateQueue {
  readonly add: (kind: AllowedKind, chatId: number, update: Omit<Update, 'update_id'>) => void;
  readonly poll: (request: PollRequest) => Promise<readonly Update[]>;
  readonly setAllowed: (kinds: readonly AllowedKind[]) => void;
  readonly allowed: () => readonly AllowedKind[];
  /** How often each further update is delivered, 1 to 5. */
  readonly setCopies: (copies: number) => void;
  readonly pending: () => Iterable<Pending>;
  readonly size: () => number;
  readonly remove: (seq: number) => void;
  readonly clear: () => void;
  readonly onAdded: (listener: (pending: Pending) => void) => void;
  readonly nextId: () => number;
  readonly restore: (nextId: number, updates: readonly Pending[]) => void;
  /** Ends every waiting poll with no updates. */
  readonly close: () => void;
}

type PollRequest = {
  readonly offset: number;
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
};

type Waiter = { readonly wake: () => void; readonly conflict: () => void };

/** The bot's incoming updates, for long polling and for the webhook. `changed` is called for every change worth saving. */
export function createUpdateQueue(clock: Clock, firstId: number, changed: () => void): UpdateQueue {
  const pending = new Map<number, Pending>();
  const listeners: ((item: Pending) => void)[] = [];
  let nextId = firstId;
  let seq = 0;
  let copies = 1;
  let allowed: readonly AllowedKind[] = [];
  let waiter: Waiter | undefined;

  const isAllowed = (kind: AllowedKind) => allowed.length === 0 || allowed.includes(kind);

  function confirm(offset: number): void {
    let removed = false;
    for (const item of pending.values()) {
      if (item.update.update_id >= offset) break;
      pending.delete(item.seq);
      removed = true;
    }
    if (removed) changed();
  }

  function take(limit: number): readonly Update[] {
    const found: Update[] = [];
    const now = clock.now();
    for (const item of pending.values()) {
      if (now - item.at > ttlMs(item.kind)) pending.delete(item.seq);
      else found.push(item.update);
      if (found.length >= limit) break;
    }
    return found;
  }

  function wait(request: PollRequest): Promise<readonly Update[]> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        cancelTimer();
        request.signal?.removeEventListener('abort', abandon);
        if (waiter === mine) waiter = undefined;
        settle();
      };
      const abandon = () => finish(() => resolve([]));
      const cancelTimer = clock.after(request.timeoutSeconds * 1000, abandon);
      const mine: Waiter = {
        wake: () => finish(() => resolve(take(request.limit))),
        conflict: () => finish(() => reject(conflict())),
      };
      request.signal?.addEventListener('abort', abandon);
      waiter = mine;
    });
  }

  return {
    add: (kind, chatId, body) => {
      if (!isAllowed(kind)) return;
      const update: Update = { update_id: nextId, ...body };
      nextId += 1;
      const key = kind === 'callback_query' ? chatId + CALLBACK_QUEUE : chatId;
      for (let copy = 0; copy < copies; copy += 1) {
        seq += 1;
        const item: Pending = { seq, at: clock.now(), kind, key, update };
        pending.set(seq, item);
        for (const listener of listeners) listener(item);
      }
      changed();
      waiter?.wake();
    },
    poll: async (request) => {
      waiter?.conflict();
      if (request.offset > 0) confirm(request.offset);
      if (request.offset < 0) {
        const ids = [...new Set([...pending.values()].map((item) => item.update.update_id))];
        const first = ids.at(request.offset) ?? ids[0];
        if (first !== undefined) confirm(first);
      }
      const limit = Math.min(100, Math.max(1, request.limit));
      const ready = take(limit);
      if (ready.length > 0 || request.timeoutSeconds <= 0 || request.signal?.aborted === true) return ready;
      return wait({ ...request, limit, timeoutSeconds: Math.min(50, request.timeoutSeconds) });
    },
    setAllowed: (kinds) => {
      allowed = kinds;
      changed();
    },
    allowed: () => allowed,
    setCopies: (count) => {
      copies = Math.min(5, Math.max(1, Math.trunc(count)));
    },
    pending: () => pending.values(),
    size: () => pending.size,
    remove: (id) => {
      if (pending.delete(id)) changed();
    },
    clear: () => {
      pending.clear();
      changed();
    },
    onAdded: (listener) => {
      listeners.push(listener);
    },
    nextId: () => nextId,
    restore: (id, updates) => {
      nextId = id;
      for (const item of updates) {
        seq += 1;
        pending.set(seq, { ...item, seq });
      }
    },
    close: () => waiter?.wake(),
  };
}

function conflict(): TgError {
  return new TgError(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  );
}
