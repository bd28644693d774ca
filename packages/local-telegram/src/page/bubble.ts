import type { Message } from '@grammyjs/types';
import { html } from 'htm/preact';
import type { ChatMessage } from '../core/chat.ts';
import { copyText } from './clipboard.ts';
import { InlineKeyboard } from './keyboards.ts';
import { classifyLink } from './links.ts';
import { richText } from './rich-text.ts';
import type { Store } from './store.ts';

type Props = {
  readonly item: ChatMessage;
  readonly userId: number;
  readonly store: Store;
  readonly botUsername: string;
};

/** One message with its buttons. */
export function Bubble({ item, userId, store, botUsername }: Props) {
  const { message } = item;
  const isOwn = message.from?.id === userId;
  const markup = message.reply_markup;
  const text = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  const copy = (value: string) => {
    void copyText(value).then(() => store.toast(userId, 'Copied to clipboard'));
    store.copied(value);
    offerToOpen(value, botUsername, userId, store);
  };
  const open = (url: string) => openLink(url, botUsername, userId, store);
  const actions = {
    copy,
    command: (command: string) => store.say(userId, command),
    link: (url: string, label: unknown) => drawLink(url, label, botUsername, open),
  };
  const waiting = [...store.view().waiting.values()].filter((tap) => tap.messageId === message.message_id);
  const kind = message.photo === undefined ? (markup === undefined ? '' : 'with-keys') : 'photo-message';
  const classes = ['message', isOwn ? 'own' : 'bot', kind].join(' ');
  return html`<div class=${classes} role="article" data-id=${message.message_id}>
    <div class=${message.photo === undefined ? 'bubble' : 'bubble with-photo'}>
      ${message.reply_to_message !== undefined && html`<div class="quote">${excerpt(message.reply_to_message)}</div>`}
      ${photo(message)}
      ${documentCard(message)}
      <div class="text">${richText(text, entities, actions)}<span class="meta"><time title=${editedNote(message)}>${clock(message.date)}</time>${isOwn && html`<i class="ticks" aria-hidden="true">✓✓</i>`}</span></div>
      ${item.reaction !== undefined && html`<div class="reaction">${item.reaction}</div>`}
    </div>
    ${
      markup !== undefined &&
      html`<${InlineKeyboard} markup=${markup} actions=${{
        tap: (data: string) => store.tap(userId, message.message_id, data),
        copy,
        open,
        isWaiting: (data: string) => waiting.some((tap) => tap.data === data),
      }} />`
    }
  </div>`;
}

function openLink(url: string, botUsername: string, userId: number, store: Store): void {
  const link = classifyLink(url, botUsername);
  if (link.kind === 'start') store.choose({ from: userId, payload: link.payload, origin: 'message' });
  if (link.kind === 'outside') window.open(link.href, '_blank', 'noopener,noreferrer');
  if (link.kind === 'share') {
    void copyText(link.text).then(() => store.toast(userId, 'Text to share copied'));
    offerToOpen(link.text, botUsername, userId, store);
  }
}

/** A copied or shared invite link goes to another person; here that person is one tap away. */
function offerToOpen(text: string, botUsername: string, userId: number, store: Store): void {
  for (const word of text.split(/\s+/)) {
    const link = /^(https?|tg):/.test(word) ? classifyLink(word, botUsername) : undefined;
    if (link?.kind === 'start') store.choose({ from: userId, payload: link.payload, origin: 'message' });
  }
}

function drawLink(url: string, label: unknown, botUsername: string, open: (url: string) => void) {
  const link = classifyLink(url, botUsername);
  if (link.kind === 'none') return undefined;
  if (link.kind === 'outside') {
    return html`<a class="text-link" href=${link.href} target="_blank" rel="noopener noreferrer">${label}</a>`;
  }
  return html`<button type="button" class="inline-link" onClick=${() => open(url)}>${label}</button>`;
}

function photo(message: Message) {
  const size = message.photo?.at(-1);
  if (size === undefined) return undefined;
  return html`<img class="photo" src=${`/sim/file/${encodeURIComponent(size.file_id)}`} alt="photo"
    width=${size.width} height=${size.height} />`;
}

function documentCard(message: Message) {
  const { document } = message;
  if (document === undefined) return undefined;
  const kilobytes = Math.max(1, Math.round((document.file_size ?? 0) / 1024));
  return html`<a class="document" href=${`/sim/file/${encodeURIComponent(document.file_id)}`} download=${document.file_name ?? 'file'}>
    <span class="icon" aria-hidden="true">↓</span><span><b>${document.file_name ?? 'file'}</b><small>${kilobytes} kB</small></span></a>`;
}

/** Telegram's own apps do not mark a bot's edits; a tester of a bot may want to know. */
function editedNote(message: Message): string | undefined {
  return message.edit_date === undefined ? undefined : `edited ${clock(message.edit_date)}`;
}

function excerpt(message: Message): string {
  const text = message.text ?? message.caption ?? 'Photo';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
}
