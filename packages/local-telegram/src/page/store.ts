import type { User } from '@grammyjs/types';
import type { ChatMessage } from '../core/chat.ts';
import type { PageState, PhoneState } from '../http/sim-state.ts';
import type { Api, StreamEvent } from './api.ts';

export type Notice = { readonly id: number; readonly text: string };

export type Choice = {
  /** On whose phone it is asked. */
  readonly from: number;
  readonly payload: string;
  /** `message`: it was tapped in a chat. `address`: another page led here. */
  readonly origin: 'message' | 'address';
};

/** The content that the page draws. Replaced, never changed, so that a component can compare. */
export type View = {
  readonly page: PageState | undefined;
  readonly connected: boolean;
  /** The phone last used: switches and the faucet speak for it. */
  readonly active: number;
  readonly toasts: ReadonlyMap<number, Notice>;
  readonly alerts: ReadonlyMap<number, Notice>;
  /** Chats in which the bot is typing. */
  readonly typing: ReadonlyMap<number, { readonly action: string }>;
  /** Taps without an answer: query id → button. */
  readonly waiting: ReadonlyMap<string, { readonly messageId: number; readonly data: string }>;
  /** A `t.me` link of the bot, waiting for who is to open it. */
  readonly choice: Choice | undefined;
  readonly unread: ReadonlyMap<number, number>;
  /** The last address that was copied: the faucet offers it. */
  readonly copiedAddress: string;
};

export interface Store {
  readonly view: () => View;
  readonly subscribe: (listener: () => void) => () => void;
  readonly say: (userId: number, text: string) => void;
  readonly sendPhoto: (userId: number, photo: Blob, caption: string) => void;
  readonly start: (userId: number, payload?: string) => void;
  readonly tap: (userId: number, messageId: number, data: string) => void;
  readonly post: Api['post'];
  readonly toast: (userId: number, text: string) => void;
  readonly closeAlert: (userId: number) => void;
  readonly activate: (userId: number) => void;
  readonly choose: (choice: Choice | undefined) => void;
  readonly copied: (text: string) => void;
  readonly clearUnread: (userIds: readonly number[]) => void;
}

const TOAST_MS = 3500;
const TYPING_MS = 5000;
const WAIT_MS = 12_000;
const CALLS_SHOWN = 200;

export function createStore(api: Api): Store {
  const listeners = new Set<() => void>();
  let nextNotice = 0;
  let meanwhile: StreamEvent[] = [];
  let loading = 0;
  let reloadTimer: number | undefined;
  const answered = new Set<string>();
  let view: View = {
    page: undefined,
    connected: false,
    active: 0,
    toasts: new Map(),
    alerts: new Map(),
    typing: new Map(),
    waiting: new Map(),
    choice: undefined,
    unread: new Map(),
    copiedAddress: '',
  };

  function set(change: Partial<View>): void {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  }

  /** Reads everything anew. Meanwhile events are applied again on top, or the fresh state would hide them. */
  async function reload(): Promise<void> {
    loading += 1;
    const page = await api.state().catch(() => undefined);
    loading -= 1;
    // The server is gone: the event stream notices too, and its next hello loads again.
    if (page === undefined) return;
    set({ page, active: view.active === 0 ? (page.phones[0]?.user.id ?? 0) : view.active });
    const late = meanwhile.filter((event) => event.rev > page.rev);
    if (loading === 0) meanwhile = [];
    for (const event of late) applyToPage(event);
  }

  function reloadSoon(): void {
    if (reloadTimer !== undefined) return;
    reloadTimer = window.setTimeout(() => {
      reloadTimer = undefined;
      void reload();
    }, 20);
  }

  function toast(userId: number, text: string): void {
    const notice = { id: ++nextNotice, text };
    set({ toasts: new Map(view.toasts).set(userId, notice) });
    setTimeout(() => {
      if (view.toasts.get(userId) !== notice) return;
      set({ toasts: without(view.toasts, userId) });
    }, TOAST_MS);
  }

  function patchPhone(userId: number, change: (phone: PhoneState) => PhoneState): void {
    if (view.page === undefined) return;
    const phones = view.page.phones.map((phone) => (phone.user.id === userId ? change(phone) : phone));
    set({ page: { ...view.page, phones } });
  }

  function apply(event: StreamEvent): void {
    if (loading > 0) meanwhile.push(event);
    switch (event.kind) {
      case 'hello':
        void reload();
        return;
      case 'chat':
      case 'profile':
      case 'reset':
        reloadSoon();
        return;
      case 'action': {
        const userId = event.chatId;
        const typing = { action: event.action };
        set({ typing: new Map(view.typing).set(userId, typing) });
        setTimeout(() => {
          if (view.typing.get(userId) === typing) set({ typing: without(view.typing, userId) });
        }, TYPING_MS);
        return;
      }
      case 'answer':
        answered.add(event.queryId);
        set({ waiting: without(view.waiting, event.queryId) });
        if (event.text === '') return;
        if (event.alert) {
          set({ alerts: new Map(view.alerts).set(event.chatId, { id: ++nextNotice, text: event.text }) });
        } else toast(event.chatId, event.text);
        return;
      case 'message':
        if (event.item.message.from?.id !== event.chatId) noticeBot(event.chatId);
        applyToPage(event);
        return;
      default:
        applyToPage(event);
    }
  }

  /** The part of an event that the page's state holds; doing it twice changes nothing. */
  function applyToPage(event: StreamEvent): void {
    if (view.page === undefined) return;
    switch (event.kind) {
      case 'message':
        addMessage(event.chatId, event.item);
        return;
      case 'edit':
        patchPhone(event.chatId, (phone) => ({
          ...phone,
          messages: phone.messages.map((item) =>
            item.message.message_id === event.item.message.message_id ? event.item : item,
          ),
        }));
        return;
      case 'delete':
        patchPhone(event.chatId, (phone) => ({
          ...phone,
          messages: phone.messages.filter((item) => item.message.message_id !== event.messageId),
        }));
        return;
      case 'call':
        set({ page: { ...view.page, calls: [...view.page.calls.slice(1 - CALLS_SHOWN), event.call] } });
        return;
      default:
        return;
    }
  }

  function addMessage(userId: number, item: ChatMessage): void {
    patchPhone(userId, (phone) => {
      const others = phone.messages.filter((old) => old.message.message_id !== item.message.message_id);
      return { ...phone, started: true, messages: [...others, item] };
    });
  }

  function noticeBot(userId: number): void {
    set({
      typing: without(view.typing, userId),
      unread: new Map(view.unread).set(userId, (view.unread.get(userId) ?? 0) + 1),
    });
  }

  /** Runs an action as a person; the server's refusal shows on their phone. */
  function act(userId: number, run: () => Promise<void>): void {
    set({ active: userId });
    run().catch((error: unknown) => toast(userId, error instanceof Error ? error.message : String(error)));
  }

  api.listen(apply, (connected) => set({ connected }));

  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say: (userId, text) =>
      act(userId, async () => {
        await api.post('say', { u: userId, text });
      }),
    sendPhoto: (userId, photo, caption) =>
      act(userId, async () => {
        await api.post('photo', { u: userId, caption, base64: await base64Of(photo) });
      }),
    start: (userId, payload) =>
      act(userId, async () => {
        await api.post('start', { u: userId, ...(payload === undefined ? {} : { payload }) });
      }),
    tap: (userId, messageId, data) =>
      act(userId, async () => {
        const { queryId } = await api.post('tap', { u: userId, messageId, data });
        const id = String(queryId);
        if (answered.has(id)) return;
        set({ waiting: new Map(view.waiting).set(id, { messageId, data }) });
        setTimeout(() => set({ waiting: without(view.waiting, id) }), WAIT_MS);
      }),
    post: api.post,
    toast,
    closeAlert: (userId) => set({ alerts: without(view.alerts, userId) }),
    activate: (userId) => {
      if (view.active !== userId) set({ active: userId });
    },
    choose: (choice) => set({ choice }),
    copied: (text) => {
      if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) set({ copiedAddress: text });
    },
    clearUnread: (userIds) => {
      if (!userIds.some((id) => view.unread.has(id))) return;
      const unread = new Map(view.unread);
      for (const id of userIds) unread.delete(id);
      set({ unread });
    },
  };
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map;
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/** A person's full name, as Telegram shows it. */
export function fullName(user: User): string {
  return user.last_name === undefined ? user.first_name : `${user.first_name} ${user.last_name}`;
}

/** In pieces: a call cannot take the bytes of a whole photo as arguments. */
async function base64Of(photo: Blob): Promise<string> {
  const bytes = new Uint8Array(await photo.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}
