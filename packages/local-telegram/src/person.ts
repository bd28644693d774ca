import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, User } from '@grammyjs/types';
import type { ChatMessage } from './core/chat.ts';
import type { TelegramEvent } from './core/events.ts';
import type { SentContent } from './core/people.ts';
import type { TelegramCore } from './core/telegram-core.ts';
import type { PersonState } from './http/sim-state.ts';
import { connectSim } from './sim-client.ts';
import { connectInProcess } from './sim-connection.ts';
import { describeEvent, findButton, messageText } from './transcript.ts';

export type PersonOptions = {
  /** Acts at most this often, as a thumb does: a bot that limits people drops faster updates. Absent: as fast as the program. */
  readonly pace?: { readonly updates: number; readonly windowMs: number };
  /** The id may be new: the person is then added. */
  readonly user: { readonly id: number; readonly first_name: string } & Partial<User>;
} & ({ readonly core: TelegramCore } | { readonly url: string });

type WaitOptions = {
  readonly timeoutMs?: number;
  /** Events from before the person's last action count too. */
  readonly past?: boolean;
};

/** A person at their phone, driven by a program: a test, a tour, a benchmark. */
export interface Person {
  readonly user: User;
  readonly say: (text: string) => Promise<void>;
  /** Sends a picture as a photo. */
  readonly sendPhoto: (bytes: Uint8Array, caption?: string) => Promise<void>;
  /** Sends a message of any kind: see `People.send`. */
  readonly send: (content: SentContent) => Promise<void>;
  /** Opens the bot through `t.me/<bot>?start=payload`. */
  readonly start: (payload?: string) => Promise<void>;
  /** Opens a `https://t.me/<bot>?start=…` link as this person. */
  readonly follow: (link: string) => Promise<void>;
  /**
   * Taps a button: its label on the newest message that has it, or on `messageId`; or any data, as a changed client could. Throws, listing
   * the buttons in sight, when there is no such button.
   */
  readonly tap: (button: string | RegExp | { readonly data: string }, messageId?: number) => Promise<void>;
  readonly block: (blocked: boolean) => Promise<void>;
  /**
   * The first message of the bot, new or edited, that matches and came after this person's last action. Every version of an
   * edited message counts, also one that was overwritten meanwhile. Throws with the transcript after `timeoutMs` (15 s).
   */
  readonly waitFor: (
    match: RegExp | ((text: string, message: Message) => boolean),
    options?: WaitOptions,
  ) => Promise<Message>;
  /** The text of the first answer to a tap (toast or alert) after the last action that matches. */
  readonly waitForToast: (match: RegExp, options?: WaitOptions) => Promise<string>;
  /** The newest message of the bot that is still there. */
  readonly lastMessage: () => Promise<Message | undefined>;
  /** The bytes of a message's photo. */
  readonly photo: (message: Message) => Promise<Uint8Array>;
  /** Everything that happened in the chat since this driver was made, as text: buttons in brackets, edits marked. */
  readonly transcript: () => Promise<string>;
}

const DEFAULT_TIMEOUT_MS = 15_000;

export async function createPerson(options: PersonOptions): Promise<Person> {
  const sim = 'core' in options ? connectInProcess(options.core) : await connectSim(options.url);
  const user: User = { is_bot: false, ...options.user };
  await sim.meet(user);
  const log: TelegramEvent[] = [];
  let seen = (await sim.read(user.id, Number.MAX_SAFE_INTEGER, 0)).rev;
  let acted = 0;

  async function read(waitMs: number): Promise<PersonState> {
    const state = await sim.read(user.id, seen, waitMs);
    for (const event of state.events) {
      if (event.rev <= seen) continue;
      log.push(event);
      seen = event.rev;
    }
    return state;
  }
  let turns: readonly number[] = [];
  /** Waits until one more action stays within the pace. A tenth more than asked for: the bot counts when it arrives. */
  async function keepPace(): Promise<void> {
    const { pace } = options;
    if (pace === undefined) return;
    const [first] = turns.length < pace.updates ? [] : turns;
    const wait = first === undefined ? 0 : first + pace.windowMs * 1.1 - performance.now();
    if (wait > 0) await sleep(wait);
    turns = [...turns, performance.now()].slice(-pace.updates);
  }
  async function act(action: () => Promise<void>): Promise<void> {
    await keepPace();
    await read(0);
    acted = log.length;
    await action();
  }
  async function wait<T>(
    pick: (event: TelegramEvent) => T | undefined,
    what: string,
    options_?: WaitOptions,
  ): Promise<T> {
    const timeoutMs = options_?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const deadline = performance.now() + timeoutMs;
    let next = options_?.past === true ? 0 : acted;
    await read(0);
    for (;;) {
      for (; next < log.length; next += 1) {
        const event = log[next];
        const found = event === undefined ? undefined : pick(event);
        if (found !== undefined) return found;
      }
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) {
        throw new Error(
          `${user.first_name} waited ${timeoutMs} ms for ${what}.\n${log.map((e) => describeEvent(e, user)).join('\n')}`,
        );
      }
      await read(Math.min(leftMs, 5000));
    }
  }

  const person: Person = {
    user,
    say: (text) => act(() => sim.say(user.id, text)),
    sendPhoto: (bytes, caption = '') => act(() => sim.sendPhoto(user.id, bytes, caption)),
    send: (content) => act(() => sim.send(user.id, content)),
    start: (payload) => act(() => sim.start(user.id, payload)),
    follow: async (link) => {
      const match = /^https:\/\/t\.me\/\w+(?:\?start=([A-Za-z0-9_-]*))?$/.exec(link);
      if (match === null) throw new Error(`Expected a https://t.me/<bot>?start=… link, got "${link}".`);
      await person.start(match[1]);
    },
    tap: async (button, messageId) => {
      const { phone } = await read(0);
      const target = findButton(phone, button, messageId);
      if ('keyboardText' in target) await act(() => sim.say(user.id, target.keyboardText));
      else await act(() => sim.tap(user.id, target.messageId, target.data));
    },
    block: (blocked) => act(() => sim.block(user.id, blocked)),
    waitFor: (match, waitOptions) =>
      wait((event) => matchMessage(event, user.id, match), describeMatch(match), waitOptions),
    waitForToast: (match, waitOptions) =>
      wait(
        (event) => (event.kind === 'answer' && match.test(event.text) ? event.text : undefined),
        `a toast like ${match}`,
        waitOptions,
      ),
    lastMessage: async () => {
      const { phone } = await read(0);
      return phone.messages.findLast((item) => item.message.from?.id !== user.id)?.message;
    },
    photo: async (message) => {
      const fileId = message.photo?.at(-1)?.file_id;
      if (fileId === undefined) throw new Error('Expected a message with a photo.');
      return await sim.file(fileId);
    },
    transcript: async () => {
      await read(0);
      return log
        .map((event) => describeEvent(event, user))
        .filter((line) => line !== '')
        .join('\n');
    },
  };
  return person;
}

function matchMessage(
  event: TelegramEvent,
  userId: number,
  match: RegExp | ((text: string, message: Message) => boolean),
): Message | undefined {
  if (event.kind !== 'message' && event.kind !== 'edit') return undefined;
  const { message }: ChatMessage = event.item;
  if (message.from?.id === userId) return undefined;
  const text = messageText(message);
  return (match instanceof RegExp ? match.test(text) : match(text, message)) ? message : undefined;
}

function describeMatch(match: unknown): string {
  return match instanceof RegExp ? `a message like ${match}` : 'a message that fits';
}
