import { isRecord } from '../args.ts';
import { badRequest } from '../tg-error.ts';
import { type Handler, knownChat, writableChat } from './handler.ts';

export const getFile: Handler<'getFile'> = (world, args) => {
  const file = world.files.get(args.text('file_id') ?? '');
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
  return {
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
    file_path: file.path,
  };
};

export const getChat: Handler<'getChat'> = (world, args) => {
  const { user, group } = knownChat(world, args.text('chat_id'));
  if (group !== undefined) return { ...group, ...FULL_INFO };
  return {
    id: user.id,
    type: 'private',
    first_name: user.first_name,
    ...(user.last_name === undefined ? {} : { last_name: user.last_name }),
    ...(user.username === undefined ? {} : { username: user.username, active_usernames: [user.username] }),
    ...FULL_INFO,
  };
};

const FULL_INFO = {
  accent_color_id: 0,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: true,
    limited_gifts: true,
    unique_gifts: true,
    premium_subscription: true,
    gifts_from_channels: true,
  },
};

/** The creator alone: this world makes no other admin, and a bot is not listed. */
export const getChatAdministrators: Handler<'getChatAdministrators'> = (world, args) => {
  const { group, creator } = writableChat(world, args.text('chat_id'));
  if (group === undefined || creator === undefined)
    throw badRequest('there are no administrators in the private chat');
  return [{ status: 'creator', user: creator, is_anonymous: false }];
};

export const setMessageReaction: Handler<'setMessageReaction'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const id = args.integer('message_id');
  const item = id === undefined ? undefined : chat.messages.get(id);
  if (item === undefined) throw badRequest('message to react not found');
  const given = args.json('reaction');
  const first: unknown = Array.isArray(given) ? given[0] : undefined;
  const emoji = isRecord(first) && typeof first['emoji'] === 'string' ? first['emoji'] : undefined;
  const { reaction: _old, ...rest } = item;
  const next = { ...rest, ...(emoji === undefined ? {} : { reaction: emoji }) };
  chat.messages.set(item.message.message_id, next);
  world.touch(chat.user.id);
  world.events.emit({ kind: 'edit', chatId: chat.user.id, item: next });
  return true;
};

export const pinChatMessage: Handler<'pinChatMessage'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const id = args.integer('message_id');
  if (id === undefined || !chat.messages.has(id)) throw badRequest('message to pin not found');
  chat.pinnedId = id;
  world.touch(chat.user.id);
  world.events.emit({ kind: 'chat', chatId: chat.user.id });
  return true;
};

export const unpinChatMessage: Handler<'unpinChatMessage'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const id = args.integer('message_id') ?? chat.pinnedId;
  if (chat.pinnedId === undefined || id !== chat.pinnedId) throw badRequest('message to unpin not found');
  chat.pinnedId = undefined;
  world.touch(chat.user.id);
  world.events.emit({ kind: 'chat', chatId: chat.user.id });
  return true;
};
