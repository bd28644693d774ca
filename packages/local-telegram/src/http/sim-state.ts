import type { BotCommand, User } from '@grammyjs/types';
import type { ChatMessage } from '../core/chat.ts';
import type { CallRecord, TelegramEvent } from '../core/events.ts';
import type { Fault } from '../core/faults.ts';
import { commandsFor, descriptionFor, nameFor } from '../core/methods/profile.ts';
import type { TelegramCore } from '../core/telegram-core.ts';
import type { PanelLink, PanelOptions } from '../panel.ts';

/** One person's chat as their phone shows it. */
export type PhoneState = {
  readonly user: User;
  readonly started: boolean;
  readonly blocked: boolean;
  readonly botName: string;
  readonly description: string;
  readonly commands: readonly BotCommand[];
  readonly pinnedId: number | undefined;
  readonly messages: readonly ChatMessage[];
};

/** Everything the page needs to draw itself; events with a higher `rev` come after it. */
export type PageState = {
  readonly rev: number;
  readonly botUsername: string;
  readonly phones: readonly PhoneState[];
  readonly calls: readonly CallRecord[];
  readonly faults: readonly Fault[];
  readonly hasFaucet: boolean;
  readonly links: readonly PanelLink[];
};

/** The state that a driver reads: the chat with its last messages, and the events since it last looked. */
export type PersonState = {
  readonly rev: number;
  readonly phone: PhoneState;
  readonly events: readonly TelegramEvent[];
};

/** The page draws at most this many phones; a benchmark's thousand users are not for looking at. */
const MAX_PHONES = 24;
/** A driver reads often: it gets the content of a screen or two. */
const MAX_DRIVER_MESSAGES = 50;

export function pageState(core: TelegramCore, panel: PanelOptions): PageState {
  const ids = [...core.world.chats.keys()].slice(0, MAX_PHONES);
  return {
    rev: core.world.events.rev(),
    botUsername: core.world.bot.username,
    phones: ids.flatMap((id) => phoneState(core, id) ?? []),
    calls: core.recentCalls(),
    faults: core.faults.list(),
    hasFaucet: panel.faucet !== undefined,
    links: panel.links ?? [],
  };
}

/** Waits up to `waitMs` for something newer than `after`; undefined for an unknown person. */
export async function personState(
  core: TelegramCore,
  userId: number,
  after: number,
  waitMs: number,
): Promise<PersonState | undefined> {
  const { events } = core.world;
  if (waitMs > 0 && core.world.chats.has(userId) && events.since(userId, after).length === 0) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(finish, waitMs);
      const unsubscribe = events.subscribe((event) => {
        if ('chatId' in event && event.chatId === userId) finish();
      });
      function finish(): void {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      }
    });
  }
  const phone = phoneState(core, userId);
  if (phone === undefined) return undefined;
  const messages = phone.messages.slice(-MAX_DRIVER_MESSAGES);
  return { rev: events.rev(), phone: { ...phone, messages }, events: events.since(userId, after) };
}

function phoneState(core: TelegramCore, userId: number): PhoneState | undefined {
  const chat = core.world.chats.get(userId);
  if (chat === undefined) return undefined;
  return {
    user: chat.user,
    started: chat.started,
    blocked: chat.blocked,
    botName: nameFor(core.world, chat.user),
    description: descriptionFor(core.world, chat.user),
    commands: commandsFor(core.world, chat.user),
    pinnedId: chat.pinnedId,
    messages: [...chat.messages.values()],
  };
}
