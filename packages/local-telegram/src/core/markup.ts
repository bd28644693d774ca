import type {
  ForceReply,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  ReplyKeyboardMarkup,
  ReplyKeyboardRemove,
} from '@grammyjs/types';
import { isRecord } from './args.ts';
import { badRequest } from './tg-error.ts';

export type ReplyMarkup = InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove | ForceReply;

const ACTIONS = [
  'callback_data',
  'url',
  'copy_text',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'callback_game',
  'pay',
];
const MAX_BUTTONS = 100;
const MAX_MARKUP_BYTES = 10_000;
const bytes = (text: string) => new TextEncoder().encode(text).length;

/** A checked keyboard; undefined when none was given. Throws Telegram's 400 for a keyboard that Telegram refuses. */
export function readMarkup(raw: unknown): ReplyMarkup | undefined {
  if (raw === undefined || raw === '') return undefined;
  if (!isRecord(raw)) throw badRequest('object expected as reply markup');
  if (raw['inline_keyboard'] !== undefined) return readInline(raw['inline_keyboard']);
  if (raw['keyboard'] !== undefined) return readKeyboard(raw);
  if (raw['remove_keyboard'] === true) return { remove_keyboard: true };
  if (raw['force_reply'] === true) return { force_reply: true, ...placeholder(raw) };
  return undefined;
}

/** The only kind an edit accepts. An empty keyboard is the same as none. */
export function readInlineMarkup(raw: unknown): InlineKeyboardMarkup | undefined {
  const markup = readMarkup(raw);
  if (markup === undefined) return undefined;
  if (!('inline_keyboard' in markup)) throw badRequest('inline keyboard expected');
  return isEmptyInline(markup) ? undefined : markup;
}

export function isEmptyInline(markup: InlineKeyboardMarkup): boolean {
  return markup.inline_keyboard.every((row) => row.length === 0);
}

function readInline(raw: unknown): InlineKeyboardMarkup {
  if (!Array.isArray(raw))
    throw badRequest('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array');
  const rows = raw.map((row: unknown) => {
    if (!Array.isArray(row))
      throw badRequest("can't parse inline keyboard button: expected an Array of buttons");
    return row.map(readButton);
  });
  const inline_keyboard = rows.filter((row) => row.length > 0);
  const count = inline_keyboard.reduce((sum, row) => sum + row.length, 0);
  if (count > MAX_BUTTONS || (count > 20 && bytes(JSON.stringify(inline_keyboard)) > MAX_MARKUP_BYTES)) {
    throw badRequest('reply markup is too long');
  }
  return { inline_keyboard };
}

function readButton(raw: unknown): InlineKeyboardButton {
  const refuse = (reason: string) => badRequest(`can't parse inline keyboard button: ${reason}`);
  if (!isRecord(raw)) throw refuse('InlineKeyboardButton must be an Object');
  const text = raw['text'];
  if (typeof text !== 'string') throw refuse('Field "text" must be of type String');
  if (text.trim() === '') throw badRequest('BUTTON_TEXT_EMPTY');
  const actions = ACTIONS.filter((name) => raw[name] !== undefined && raw[name] !== null);
  if (actions.length === 0) throw refuse('Text buttons are unallowed in the inline keyboard');
  if (actions.length > 1) throw refuse(`expected one action in a button, found ${actions.join(', ')}`);
  checkAction(raw);
  return raw as unknown as InlineKeyboardButton;
}

function checkAction(raw: Readonly<Record<string, unknown>>): void {
  const data = raw['callback_data'];
  if (data !== undefined && (typeof data !== 'string' || data === '' || bytes(data) > 64)) {
    throw badRequest('BUTTON_DATA_INVALID');
  }
  const copy = raw['copy_text'];
  if (copy !== undefined) {
    const text = isRecord(copy) ? copy['text'] : undefined;
    if (typeof text !== 'string' || text === '' || text.length > 256)
      throw badRequest('BUTTON_COPY_TEXT_INVALID');
  }
  const url = raw['url'];
  if (url !== undefined && (typeof url !== 'string' || !/^(?:https?|tg):\/\/\S+$/i.test(url))) {
    throw badRequest(`inline keyboard button URL '${String(url)}' is invalid: Wrong HTTP URL`);
  }
}

function readKeyboard(raw: Readonly<Record<string, unknown>>): ReplyKeyboardMarkup {
  const rows = raw['keyboard'];
  if (!Array.isArray(rows)) throw badRequest('field "keyboard" of the ReplyKeyboardMarkup must be an Array');
  const keyboard = rows.map((row: unknown) => {
    if (!Array.isArray(row)) throw badRequest("can't parse keyboard button: expected an Array of buttons");
    return row.map((button: unknown) => {
      const text = isRecord(button) ? button['text'] : button;
      if (typeof text !== 'string' || text === '') throw badRequest("can't parse keyboard button: no text");
      return { text };
    });
  });
  return {
    keyboard,
    ...placeholder(raw),
    ...(raw['one_time_keyboard'] === true ? { one_time_keyboard: true } : {}),
    ...(raw['is_persistent'] === true ? { is_persistent: true } : {}),
    ...(raw['resize_keyboard'] === true ? { resize_keyboard: true } : {}),
  };
}

function placeholder(raw: Readonly<Record<string, unknown>>): { input_field_placeholder?: string } {
  const text = raw['input_field_placeholder'];
  if (text === undefined || text === '') return {};
  if (typeof text !== 'string' || text.length > 64) throw badRequest('input field placeholder is too long');
  return { input_field_placeholder: text };
}
