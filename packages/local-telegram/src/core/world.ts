import type { BotCommand, MenuButton, UserFromGetMe } from '@grammyjs/types';
import type { Chat } from './chat.ts';
import type { Clock } from './clock.ts';
import type { EventLog } from './events.ts';
import type { FileShelf } from './files.ts';
import type { UpdateQueue } from './update-queue.ts';
import type { Webhook } from './webhook.ts';

/** A tap waiting for its answer. */
type OpenCallback = { readonly chatId: number; readonly at: number };

/** The bot's texts about itself. Texts are keyed by language code, `''` is the default. */
export type Profile = {
  readonly commands: Map<string, readonly BotCommand[]>;
  readonly names: Map<string, string>;
  readonly descriptions: Map<string, string>;
  readonly shortDescriptions: Map<string, string>;
  /** Keyed by chat id, 0 is the default. */
  readonly menuButtons: Map<number, MenuButton>;
};

/** Everything the handlers work on. One bot, any number of private chats. */
export type World = {
  readonly bot: UserFromGetMe;
  readonly clock: Clock;
  /** Unguessable text of `[A-Za-z0-9_-]`. */
  readonly random: (length: number) => string;
  readonly chats: Map<number, Chat>;
  /** Chats of groups, by their ids below 0. */
  readonly groups: Map<number, Chat>;
  readonly callbacks: Map<string, OpenCallback>;
  readonly profile: Profile;
  readonly files: FileShelf;
  readonly queue: UpdateQueue;
  readonly webhook: Webhook;
  readonly events: EventLog;
  /** The next message id; one counter for all chats, as a bot account has. */
  readonly nextMessageId: () => number;
  /** Marks a chat, or with 0 the rest of the state, for saving. */
  readonly touch: (chatId: number) => void;
};

/** Unix time in whole seconds. */
export function unixSeconds(world: World): number {
  return Math.floor(world.clock.now() / 1000);
}
