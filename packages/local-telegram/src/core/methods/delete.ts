import type { Chat } from '../chat.ts';
import { badRequest } from '../tg-error.ts';
import { unixSeconds, type World } from '../world.ts';
import { type Handler, knownChat } from './handler.ts';

const DELETABLE_SECONDS = 48 * 3600;

/** In a private chat the bot may delete both sides' messages, for 48 hours. */
export const deleteMessage: Handler<'deleteMessage'> = (world, args) => {
  const chat = knownChat(world, args.text('chat_id'));
  const id = args.integer('message_id');
  const item = id === undefined ? undefined : chat.messages.get(id);
  if (item === undefined) throw badRequest('message to delete not found');
  if (unixSeconds(world) - item.message.date > DELETABLE_SECONDS)
    throw badRequest("message can't be deleted");
  remove(world, chat, item.message.message_id);
  return true;
};

/** Deletes those it can of up to 100 messages and skips the rest. */
export const deleteMessages: Handler<'deleteMessages'> = (world, args) => {
  const chat = knownChat(world, args.text('chat_id'));
  const ids = args.json('message_ids');
  if (!Array.isArray(ids) || ids.length === 0) throw badRequest('message identifiers are not specified');
  if (ids.length > 100) throw badRequest('too many message identifiers specified');
  for (const id of ids.map(Number)) {
    const item = chat.messages.get(id);
    const isYoung = item !== undefined && unixSeconds(world) - item.message.date <= DELETABLE_SECONDS;
    if (isYoung) remove(world, chat, id);
  }
  return true;
};

function remove(world: World, chat: Chat, messageId: number): void {
  chat.messages.delete(messageId);
  if (chat.pinnedId === messageId) chat.pinnedId = undefined;
  world.touch(chat.user.id);
  world.events.emit({ kind: 'delete', chatId: chat.user.id, messageId });
}
