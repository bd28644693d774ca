import type { InlineKeyboardMarkup, Message, Update } from '@grammyjs/types';
import { isRecord } from '../args.ts';
import type { Chat, ChatMessage } from '../chat.ts';
import { readInlineMarkup } from '../markup.ts';
import { formatText, MAX_TEXT } from '../text.ts';
import { badRequest } from '../tg-error.ts';
import { unixSeconds, type World } from '../world.ts';
import { editableMessage, type Handler, writableChat } from './handler.ts';
import { documentContent, photoContent } from './media.ts';
import { formatCaption, readCaption } from './send.ts';

export const editMessageText: Handler<'editMessageText'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const item = editableMessage(world, chat, args.integer('message_id'));
  const { text, entities } = formatText({
    text: args.text('text') ?? '',
    parseMode: args.text('parse_mode'),
    entities: args.json('entities'),
  });
  if (text === '') throw badRequest('message text is empty');
  if (text.length > MAX_TEXT) throw badRequest('message is too long');
  if (item.message.text === undefined) throw badRequest('there is no text in the message to edit');
  const preview = args.json('link_preview_options');
  // Entities and preview are dropped first: parts that the new text does not have must not survive the edit.
  const { text: _text, entities: _entities, link_preview_options: _preview, ...rest } = item.message;
  const changed = {
    ...rest,
    text,
    ...(entities.length === 0 ? {} : { entities: [...entities] }),
    ...(isRecord(preview) ? { link_preview_options: preview } : {}),
  };
  return replace(world, chat, item, changed, readInlineMarkup(args.json('reply_markup')));
};

export const editMessageCaption: Handler<'editMessageCaption'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const item = editableMessage(world, chat, args.integer('message_id'));
  if (!hasMedia(item)) throw badRequest('there is no caption in the message to edit');
  const { caption: _caption, caption_entities: _entities, ...rest } = item.message;
  const changed = { ...rest, ...readCaption(args) };
  return replace(world, chat, item, changed, readInlineMarkup(args.json('reply_markup')));
};

export const editMessageMedia: Handler<'editMessageMedia'> = (world, args, { uploads }) => {
  const chat = writableChat(world, args.text('chat_id'));
  const item = editableMessage(world, chat, args.integer('message_id'));
  const media = args.json('media');
  if (!isRecord(media) || typeof media['media'] !== 'string') throw badRequest('media is empty');
  if (!hasMedia(item)) throw badRequest("message can't be edited");
  const mode = typeof media['parse_mode'] === 'string' ? media['parse_mode'] : undefined;
  const caption = typeof media['caption'] === 'string' ? media['caption'] : undefined;
  const {
    caption: _caption,
    caption_entities: _entities,
    photo: _photo,
    document: _document,
    ...rest
  } = item.message;
  const changed = {
    ...rest,
    ...mediaContent(world, String(media['type']), media['media'], uploads),
    ...formatCaption(caption, mode, media['caption_entities']),
  };
  return replace(world, chat, item, changed, readInlineMarkup(args.json('reply_markup')));
};

export const editMessageReplyMarkup: Handler<'editMessageReplyMarkup'> = (world, args) => {
  const chat = writableChat(world, args.text('chat_id'));
  const item = editableMessage(world, chat, args.integer('message_id'));
  return replace(world, chat, item, item.message, readInlineMarkup(args.json('reply_markup')));
};

function hasMedia(item: ChatMessage): boolean {
  return item.message.photo !== undefined || item.message.document !== undefined;
}

function mediaContent(
  world: World,
  type: string,
  media: string,
  uploads: Parameters<typeof photoContent>[2],
): Pick<Message, 'photo' | 'document'> {
  if (type === 'photo') return { photo: photoContent(world, media, uploads, 'media') };
  if (type === 'document') return { document: documentContent(world, media, uploads, 'media') };
  throw badRequest(`can't parse InputMedia: media type "${type}" is not supported`);
}

/** The result of an edit, for every kind of change. */
type Edited = Update.Edited & Message.TextMessage & Message.MediaMessage & Message.CaptionableMessage;

function replace(
  world: World,
  chat: Chat,
  item: ChatMessage,
  changed: Message,
  markup: InlineKeyboardMarkup | undefined,
): Edited {
  const { edit_date: _date, reply_markup: _markup, ...content } = changed;
  const next = { ...content, ...(markup === undefined ? {} : { reply_markup: markup }) };
  const { edit_date: _oldDate, reply_markup: oldMarkup, ...oldContent } = item.message;
  const old = { ...oldContent, ...(oldMarkup === undefined ? {} : { reply_markup: oldMarkup }) };
  if (fingerprint(next) === fingerprint(old)) {
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  }
  const message = { ...next, edit_date: unixSeconds(world) };
  const edited: ChatMessage = { ...item, message };
  chat.messages.set(message.message_id, edited);
  world.touch(chat.user.id);
  world.events.emit({ kind: 'edit', chatId: chat.user.id, item: edited });
  return message as Edited;
}

function fingerprint(message: Message): string {
  return JSON.stringify([
    message.text,
    message.entities,
    message.caption,
    message.caption_entities,
    message.photo?.map((size) => size.file_unique_id),
    message.document?.file_unique_id,
    message.reply_markup?.inline_keyboard,
  ]);
}
