import type { ApiMethods } from '@grammyjs/types';
import type { Args, MethodName, Upload } from '../args.ts';
import type { Chat, ChatMessage } from '../chat.ts';
import { badRequest, TgError } from '../tg-error.ts';
import type { World } from '../world.ts';

/** The inputs beside the parameters. */
export type CallExtras = {
  readonly uploads: ReadonlyMap<string, Upload>;
  /** Aborted when the client hangs up. */
  readonly signal?: AbortSignal;
};

export type Result<M extends MethodName> = ReturnType<ApiMethods<Upload>[M]>;

/** One method of the Bot API; its parameter names and its result are checked against Telegram's declared types. */
export type Handler<M extends MethodName> = (
  world: World,
  args: Args<M>,
  extras: CallExtras,
) => Result<M> | Promise<Result<M>>;

/** The chat a call names. Numbers may come as text; a chat that never wrote to the bot is unknown to it. */
export function knownChat(world: World, chatId: string | undefined): Chat {
  if (chatId === undefined || chatId === '') throw badRequest('chat_id is empty');
  const chat = world.chats.get(Number(chatId)) ?? world.groups.get(Number(chatId));
  if (chat === undefined || !chat.started) throw badRequest('chat not found');
  return chat;
}

/** As `knownChat`, and the person has not blocked the bot. */
export function writableChat(world: World, chatId: string | undefined): Chat {
  const chat = knownChat(world, chatId);
  if (chat.blocked && chat.group !== undefined)
    throw new TgError(403, `Forbidden: bot was kicked from the ${chat.group.type} chat`);
  if (chat.blocked) throw new TgError(403, 'Forbidden: bot was blocked by the user');
  return chat;
}

/** A message the bot may edit: its own, and without a keyboard below the input line. */
export function editableMessage(world: World, chat: Chat, messageId: number | undefined): ChatMessage {
  if (messageId === undefined) throw badRequest('message identifier is not specified');
  const item = chat.messages.get(messageId);
  if (item === undefined) throw badRequest('message to edit not found');
  const isOwn = item.message.from?.id === world.bot.id;
  if (!isOwn || item.keyboard !== undefined) throw badRequest("message can't be edited");
  return item;
}
