import type { Message, Update, User } from '@grammyjs/types';
import { findAutoEntities } from './auto-entities.ts';
import {
  type Chat,
  type ChatMessage,
  chatObject,
  createChat,
  createGroupChat,
  type Group,
  keepMessage,
} from './chat.ts';
import { CALLBACK_TTL_MS } from './methods/callback.ts';
import { photoContent } from './methods/media.ts';
import { formatText, MAX_CAPTION, MAX_TEXT } from './text.ts';
import { unixSeconds, type World } from './world.ts';

/** A message's content beside the fields that the server gives every message. */
export type SentContent = Partial<Omit<Message, keyof Message.ServiceMessage> & Pick<Message, 'sender_chat'>>;

/** The acts of a person. Each call throws a plain Error, naming the expected form, when a real client could not do it. */
export interface People {
  /** Makes the person known, or changes the given parts of their name and language; the rest and their chat stay. */
  readonly meet: (user: User) => void;
  readonly say: (userId: number, text: string, replyToId?: number) => ChatMessage;
  /** Sends a picture as a photo. Its bytes decide its kind, as everywhere. */
  readonly sendPhoto: (userId: number, bytes: Uint8Array, caption?: string) => ChatMessage;
  /**
   * Sends a message of any kind: a forwarded or quoted message, or one through another bot, says so in its content, as Telegram's server
   * would. Text and captions may bring formatting of their own; links, commands and the like are found in them as always.
   */
  readonly send: (userId: number, content: SentContent) => ChatMessage;
  /**
   * The same in a group, which is there from its first message on, and whose sender made it. The bot is an admin of it, so it is given
   * everything.
   */
  readonly sendInGroup: (userId: number, group: Group, content: SentContent) => ChatMessage;
  /** Changes the text of a message of one's own. */
  readonly edit: (userId: number, messageId: number, text: string) => void;
  /** Opens `t.me/<bot>?start=payload` and presses START; also lifts a block. */
  readonly start: (userId: number, payload?: string) => ChatMessage;
  /** Taps a button. Any data is accepted, as from a changed client; the id of the query is returned. */
  readonly tap: (userId: number, messageId: number, data: string) => string;
  readonly block: (userId: number, blocked: boolean) => void;
}

const MAX_OPEN_CALLBACKS = 10_000;

export function createPeople(world: World): People {
  const chatOf = (userId: number): Chat => {
    const chat = world.chats.get(userId);
    if (chat === undefined) throw new Error(`There is no person ${userId} here; add them first.`);
    return chat;
  };

  const say = (userId: number, text: string, replyToId?: number): ChatMessage => {
    const chat = chatOf(userId);
    const trimmed = text.trim();
    if (trimmed === '') throw new Error('Expected a message text that is not empty.');
    if (trimmed.length > MAX_TEXT) throw new Error(`Expected a message of at most ${MAX_TEXT} characters.`);
    if (chat.blocked) throw new Error(`${chat.user.first_name} blocked the bot: unblock it before writing.`);
    const entities = findAutoEntities(trimmed, []);
    const target = replyToId === undefined ? pendingQuestion(chat) : chat.messages.get(replyToId)?.message;
    return deliver(chat, {
      ...(target === undefined ? {} : { reply_to_message: withoutReply(target) }),
      text: trimmed,
      ...(entities.length === 0 ? {} : { entities: [...entities] }),
    });
  };

  const deliver = (chat: Chat, content: SentContent, from = chat.user): ChatMessage => {
    const userId = chat.user.id;
    const message = {
      message_id: world.nextMessageId(),
      from,
      chat: chatObject(chat),
      date: unixSeconds(world),
      ...content,
    } as Message & Update.NonChannel;
    chat.started = true;
    const item: ChatMessage = { message };
    keepMessage(chat, item);
    world.touch(userId);
    world.events.emit({ kind: 'message', chatId: userId, item });
    world.queue.add('message', userId, { message });
    return item;
  };

  const block = (userId: number, blocked: boolean): void => {
    const chat = chatOf(userId);
    if (chat.blocked === blocked) return;
    chat.blocked = blocked;
    world.touch(userId);
    world.events.emit({ kind: 'chat', chatId: userId });
    const { id, is_bot, first_name, username } = world.bot;
    const bot = { id, is_bot, first_name, username };
    const member = { user: bot, status: 'member' } as const;
    const kicked = { user: bot, status: 'kicked', until_date: 0 } as const;
    world.queue.add('my_chat_member', userId, {
      my_chat_member: {
        chat: chatObject(chat),
        from: chat.user,
        date: unixSeconds(world),
        old_chat_member: blocked ? member : kicked,
        new_chat_member: blocked ? kicked : member,
      },
    });
  };

  return {
    meet: (user) => {
      const known = world.chats.get(user.id);
      const chat = known === undefined ? createChat(user) : { ...known, user: { ...known.user, ...user } };
      world.chats.set(user.id, chat);
      world.touch(user.id);
      world.events.emit({ kind: 'chat', chatId: user.id });
    },
    say,
    sendPhoto: (userId, bytes, caption = '') => {
      const chat = chatOf(userId);
      if (chat.blocked)
        throw new Error(`${chat.user.first_name} blocked the bot: unblock it before writing.`);
      if (caption.length > MAX_CAPTION) {
        throw new Error(`Expected a caption of at most ${MAX_CAPTION} characters.`);
      }
      const uploads = new Map([['photo', { bytes, filename: 'photo' }]]);
      const photo = photoContent(world, undefined, uploads, 'photo');
      return deliver(chat, { photo, ...(caption.trim() === '' ? {} : { caption: caption.trim() }) });
    },
    send: (userId, content) => {
      const chat = chatOf(userId);
      if (chat.blocked)
        throw new Error(`${chat.user.first_name} blocked the bot: unblock it before writing.`);
      return deliver(chat, asSent(content));
    },
    sendInGroup: (userId, group, content) => {
      if (group.id >= 0) throw new Error('Expected the id of a group: a number below 0.');
      const { user } = chatOf(userId);
      const chat = world.groups.get(group.id) ?? createGroupChat(group, user);
      world.groups.set(group.id, chat);
      return deliver(chat, asSent(content), user);
    },
    edit: (userId, messageId, text) => {
      const chat = chatOf(userId);
      const known = chat.messages.get(messageId)?.message;
      if (known?.text === undefined || known.from?.id !== userId)
        throw new Error('Expected a text message of this person.');
      const { entities: _before, ...plain } = known;
      const message = {
        ...plain,
        ...asSent({ text }),
        edit_date: unixSeconds(world),
      } as Message & Update.NonChannel & Update.Edited;
      const item: ChatMessage = { message };
      chat.messages.set(messageId, item);
      world.touch(userId);
      world.events.emit({ kind: 'edit', chatId: userId, item });
      world.queue.add('edited_message', userId, { edited_message: message });
    },
    start: (userId, payload) => {
      if (payload !== undefined && !/^[A-Za-z0-9_-]{0,64}$/.test(payload)) {
        throw new Error('Expected a start payload of at most 64 characters of A-Z, a-z, 0-9, _ and -.');
      }
      if (chatOf(userId).blocked) block(userId, false);
      return say(userId, payload === undefined || payload === '' ? '/start' : `/start ${payload}`);
    },
    tap: (userId, messageId, data) => {
      const chat = chatOf(userId);
      const bytes = new TextEncoder().encode(data).length;
      if (bytes < 1 || bytes > 64) throw new Error(`Expected callback data of 1 to 64 bytes, got ${bytes}.`);
      const id = String(BigInt(world.clock.now()) * 1_000_000n + BigInt(world.callbacks.size) + 1n) + userId;
      const queryId = world.callbacks.has(id) ? `${id}${world.random(6)}` : id;
      prune(world);
      world.callbacks.set(queryId, { chatId: userId, at: world.clock.now() });
      const found = chat.messages.get(messageId)?.message;
      const message = found ?? { chat: chatObject(chat), message_id: messageId, date: 0 as const };
      world.queue.add('callback_query', userId, {
        callback_query: { id: queryId, from: chat.user, message, chat_instance: String(userId), data },
      });
      return queryId;
    },
    block,
  };
}

/** Words as the server keeps them: trimmed, within the limits, with the server's own markup. */
function asSent(content: SentContent): SentContent {
  const { text: typed, entities: given, caption: below, caption_entities: givenBelow, ...rest } = content;
  if (Object.keys(content).length === 0) throw new Error('Expected a message that holds something.');
  const text =
    typed === undefined ? null : formatText({ text: typed, parseMode: undefined, entities: given });
  const caption =
    below === undefined ? null : formatText({ text: below, parseMode: undefined, entities: givenBelow });
  if (text?.text === '') throw new Error('Expected a message text that is not empty.');
  if ((text?.text.length ?? 0) > MAX_TEXT)
    throw new Error(`Expected a message of at most ${MAX_TEXT} characters.`);
  if ((caption?.text.length ?? 0) > MAX_CAPTION)
    throw new Error(`Expected a caption of at most ${MAX_CAPTION} characters.`);
  return {
    ...rest,
    ...(text === null ? {} : { text: text.text }),
    ...(text === null || text.entities.length === 0 ? {} : { entities: [...text.entities] }),
    ...(caption === null || caption.text === '' ? {} : { caption: caption.text }),
    ...(caption === null || caption.entities.length === 0 ? {} : { caption_entities: [...caption.entities] }),
  };
}

/** The bot's last message when it asks for a reply and no message came since: clients answer it as a reply. */
function pendingQuestion(chat: Chat): Message | undefined {
  for (const item of [...chat.messages.values()].reverse()) {
    if (item.message.from?.id === chat.user.id) return undefined;
    if (item.keyboard !== undefined) return 'force_reply' in item.keyboard ? item.message : undefined;
  }
  return undefined;
}

type ReplyMessage = NonNullable<Message['reply_to_message']>;

function withoutReply(message: Message): ReplyMessage {
  const { reply_to_message: _nested, ...plain } = message;
  return plain as ReplyMessage;
}

function prune(world: World): void {
  if (world.callbacks.size < MAX_OPEN_CALLBACKS) return;
  for (const [id, open] of world.callbacks) {
    const isOld = world.clock.now() - open.at > CALLBACK_TTL_MS;
    if (!isOld && world.callbacks.size < MAX_OPEN_CALLBACKS) break;
    world.callbacks.delete(id);
  }
}
