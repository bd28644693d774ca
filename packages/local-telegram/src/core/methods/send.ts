import type { InlineKeyboardMarkup, Message, ReplyParameters } from '@grammyjs/types';
import { type ArgReader, isRecord } from '../args.ts';
import { type Chat, type ChatMessage, chatObject, keepMessage } from '../chat.ts';
import { isEmptyInline, readMarkup } from '../markup.ts';
import { formatText, MAX_CAPTION, MAX_TEXT } from '../text.ts';
import { badRequest } from '../tg-error.ts';
import { unixSeconds, type World } from '../world.ts';
import { type Handler, writableChat } from './handler.ts';
import { documentContent, photoContent } from './media.ts';

type DeliveryArgs = ArgReader<'reply_markup' | 'reply_parameters' | 'reply_to_message_id'>;
type CaptionArgs = ArgReader<'caption' | 'parse_mode' | 'caption_entities'>;
type CaptionFields = Partial<Pick<Message, 'caption' | 'caption_entities'>>;

export const sendMessage: Handler<'sendMessage'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const { text, entities } = formatText({
    text: args.text('text') ?? '',
    parseMode: args.text('parse_mode'),
    entities: args.json('entities'),
  });
  if (text === '') throw badRequest('message text is empty');
  if (text.length > MAX_TEXT) throw badRequest('message is too long');
  const preview = args.json('link_preview_options');
  return deliver(world, chat, args, {
    text,
    ...(entities.length === 0 ? {} : { entities: [...entities] }),
    ...(isRecord(preview) ? { link_preview_options: preview } : {}),
  });
};

export const sendPhoto: Handler<'sendPhoto'> = (world, args, { uploads }) => {
  const chat = writableChat(world, args.text('chat_id'));
  const photo = photoContent(world, args.text('photo'), uploads, 'photo');
  return deliver(world, chat, args, { photo, ...readCaption(args) });
};

export const sendDocument: Handler<'sendDocument'> = (world, args, { uploads }) => {
  const chat = writableChat(world, args.text('chat_id'));
  const document = documentContent(world, args.text('document'), uploads, 'document');
  return deliver(world, chat, args, { document, ...readCaption(args) });
};

export const sendChatAction: Handler<'sendChatAction'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const action = args.text('action') ?? '';
  if (!/^[a-z_]{1,32}$/.test(action)) throw badRequest('wrong parameter action in request');
  world.events.emit({ kind: 'action', chatId: chat.user.id, action });
  return true;
};

/** The caption fields of a message: empty when there is none. */
export function readCaption(args: CaptionArgs): CaptionFields {
  return formatCaption(args.text('caption'), args.text('parse_mode'), args.json('caption_entities'));
}

export function formatCaption(
  raw: string | undefined,
  parseMode: string | undefined,
  given: unknown,
): CaptionFields {
  const { text, entities } = formatText({ text: raw ?? '', parseMode, entities: given });
  if (text.length > MAX_CAPTION) throw badRequest('message caption is too long');
  if (text === '') return {};
  return { caption: text, ...(entities.length === 0 ? {} : { caption_entities: [...entities] }) };
}

function deliver<C extends Partial<Message>>(world: World, chat: Chat, args: DeliveryArgs, content: C) {
  const markup = readMarkup(args.json('reply_markup'));
  const inline = markup !== undefined && 'inline_keyboard' in markup ? markup : undefined;
  const message = {
    message_id: world.nextMessageId(),
    from: botUser(world),
    chat: chatObject(chat),
    date: unixSeconds(world),
    ...replyTo(chat, args),
    ...content,
    ...inlineField(inline),
  };
  const keyboard = markup === undefined || 'inline_keyboard' in markup ? {} : { keyboard: markup };
  const item: ChatMessage = { message, ...keyboard };
  keepMessage(chat, item);
  world.touch(chat.user.id);
  world.events.emit({ kind: 'message', chatId: chat.user.id, item });
  return message;
}

function inlineField(inline: InlineKeyboardMarkup | undefined): { reply_markup?: InlineKeyboardMarkup } {
  return inline === undefined || isEmptyInline(inline) ? {} : { reply_markup: inline };
}

/** The bot as a sender: getMe has fields that messages do not show. */
function botUser(world: World) {
  const { id, is_bot, first_name, username } = world.bot;
  return { id, is_bot, first_name, username };
}

type Reply = { reply_to_message?: NonNullable<Message['reply_to_message']> };

function replyTo(chat: Chat, args: DeliveryArgs): Reply {
  const given = args.json('reply_parameters');
  const parameters = isRecord(given) ? (given as Partial<ReplyParameters>) : undefined;
  const id = parameters?.message_id ?? args.integer('reply_to_message_id');
  if (id === undefined) return {};
  const target = chat.messages.get(Number(id));
  if (target === undefined) {
    if (parameters?.allow_sending_without_reply === true) return {};
    throw badRequest('message to be replied not found');
  }
  const { reply_to_message: _nested, ...plain } = target.message;
  return { reply_to_message: plain as NonNullable<Reply['reply_to_message']> };
}
