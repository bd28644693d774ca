import type { Message, User } from '@grammyjs/types';
import type { ChatMessage } from './core/chat.ts';
import type { TelegramEvent } from './core/events.ts';
import type { PhoneState } from './http/sim-state.ts';

export function messageText(message: Message): string {
  return message.text ?? message.caption ?? '';
}

/** One event as lines of text; empty for an event that a person does not see. */
export function describeEvent(event: TelegramEvent, user: User): string {
  if (event.kind === 'message' || event.kind === 'edit') {
    const isOwn = event.item.message.from?.id === user.id;
    const mark = event.kind === 'edit' ? ` (edits #${event.item.message.message_id})` : '';
    return describeMessage(event.item, isOwn ? user.first_name : `Bot${mark}`);
  }
  if (event.kind === 'delete') return `Bot (deletes #${event.messageId})`;
  if (event.kind === 'answer')
    return event.text === '' ? '' : `${event.alert ? 'Alert' : 'Toast'}: ${event.text}`;
  return '';
}

function describeMessage(item: ChatMessage, who: string): string {
  const { message, keyboard } = item;
  const media = message.photo === undefined ? [] : ['[photo]'];
  const file = message.document === undefined ? [] : [`[file ${message.document.file_name ?? ''}]`];
  const text = messageText(message);
  const head = [...media, ...file, ...(text === '' ? [] : [text])].join(' ');
  const inline = (message.reply_markup?.inline_keyboard ?? []).map((row) =>
    row.map((b) => `[ ${b.text} ]`).join(' '),
  );
  const below =
    keyboard !== undefined && 'keyboard' in keyboard
      ? keyboard.keyboard.map((row) => row.map((b) => `{ ${typeof b === 'string' ? b : b.text} }`).join(' '))
      : [];
  const lines = [...head.split('\n'), ...inline, ...below];
  return `${who}: ${lines.join('\n    ')}`;
}

export type TapTarget =
  | { readonly messageId: number; readonly data: string }
  /** A key of the keyboard below the input line: tapping it sends its text. */
  | { readonly keyboardText: string };

/** Finds the button to tap. Throws, listing the labels in sight, when nothing fits. */
export function findButton(
  phone: PhoneState,
  wanted: string | RegExp | { readonly data: string },
  messageId: number | undefined,
): TapTarget {
  const newestFirst = [...phone.messages].reverse();
  if (typeof wanted === 'object' && 'data' in wanted) {
    const target =
      messageId ?? newestFirst.find((item) => item.message.from?.id !== phone.user.id)?.message.message_id;
    return { messageId: target ?? 1, data: wanted.data };
  }
  const fits = (label: string) => (wanted instanceof RegExp ? wanted.test(label) : label === wanted);
  const labels: string[] = [];
  for (const { message, keyboard } of newestFirst) {
    if (messageId !== undefined && message.message_id !== messageId) continue;
    for (const button of message.reply_markup?.inline_keyboard.flat() ?? []) {
      if (fits(button.text) && 'callback_data' in button) {
        return { messageId: message.message_id, data: button.callback_data };
      }
      labels.push(button.text);
    }
    const keys = keyboard !== undefined && 'keyboard' in keyboard ? keyboard.keyboard.flat() : [];
    for (const key of keys) {
      const label = typeof key === 'string' ? key : key.text;
      if (fits(label)) return { keyboardText: label };
      labels.push(label);
    }
  }
  throw new Error(
    `${phone.user.first_name} sees no button ${String(wanted)}; there are: ${labels.join(' | ') || 'none'}.`,
  );
}
