import type { ChatMessage } from './chat.ts';

/** One call of the Bot API as the page's panel lists it. */
export type CallRecord = {
  readonly at: number;
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly error?: string;
};

type Body =
  | { readonly kind: 'message' | 'edit'; readonly chatId: number; readonly item: ChatMessage }
  | { readonly kind: 'delete'; readonly chatId: number; readonly messageId: number }
  | {
      readonly kind: 'answer';
      readonly chatId: number;
      readonly queryId: string;
      readonly text: string;
      readonly alert: boolean;
      readonly url: string;
    }
  | { readonly kind: 'action'; readonly chatId: number; readonly action: string }
  | { readonly kind: 'chat'; readonly chatId: number }
  | { readonly kind: 'profile' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'call'; readonly call: CallRecord };

/** Something a person's client would show, in the order it happened; `rev` only grows. */
export type TelegramEvent = Body & { readonly rev: number };

export interface EventLog {
  readonly emit: (event: Body) => void;
  /** The chat's remembered events after `rev`, oldest first. */
  readonly since: (chatId: number, rev: number) => readonly TelegramEvent[];
  readonly rev: () => number;
  readonly subscribe: (listener: (event: TelegramEvent) => void) => () => void;
}

const REMEMBERED = 300;

/**
 * Remembers the last events of each chat, so that a reader that looks now and then misses no intermediate edit.
 * `firstRev` must be higher than any rev handed out before a restart.
 */
export function createEventLog(firstRev: number): EventLog {
  const byChat = new Map<number, TelegramEvent[]>();
  const listeners = new Set<(event: TelegramEvent) => void>();
  let rev = firstRev;
  return {
    emit: (body) => {
      rev += 1;
      const event: TelegramEvent = { ...body, rev };
      if ('chatId' in event) {
        let log = byChat.get(event.chatId);
        if (log === undefined) {
          log = [];
          byChat.set(event.chatId, log);
        }
        log.push(event);
        if (log.length > REMEMBERED * 2) log.splice(0, REMEMBERED);
      }
      for (const listener of listeners) listener(event);
    },
    since: (chatId, after) => (byChat.get(chatId) ?? []).filter((event) => event.rev > after),
    rev: () => rev,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
