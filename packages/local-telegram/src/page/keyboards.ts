import type { InlineKeyboardButton, InlineKeyboardMarkup, ReplyKeyboardMarkup } from '@grammyjs/types';
import { html } from 'htm/preact';

export type ButtonActions = {
  readonly tap: (data: string) => void;
  readonly copy: (text: string) => void;
  readonly open: (url: string) => void;
  readonly isWaiting: (data: string) => boolean;
};

/** The buttons below a message. A tapped one shows a spinner until the bot answers. */
export function InlineKeyboard(props: {
  readonly markup: InlineKeyboardMarkup;
  readonly actions: ButtonActions;
}) {
  const { markup, actions } = props;
  return html`<div class="inline-keyboard">
    ${markup.inline_keyboard.map((row) => html`<div class="row">${row.map((b) => inlineButton(b, actions))}</div>`)}
  </div>`;
}

function inlineButton(button: InlineKeyboardButton, actions: ButtonActions) {
  const style = button.style === undefined ? '' : ` ${button.style}`;
  if ('url' in button) {
    return html`<button type="button" class=${`key link${style}`} onClick=${() => actions.open(button.url)}>
      <span>${button.text}</span>${icon('M3 9 9 3M4 3h5v5')}</button>`;
  }
  if ('copy_text' in button) {
    return html`<button type="button" class=${`key copy${style}`} onClick=${() => actions.copy(button.copy_text.text)}>
      <span>${button.text}</span>${icon('M4 4h5v5H4zM7 4V1H1v6h3')}</button>`;
  }
  if ('callback_data' in button) {
    const busy = actions.isWaiting(button.callback_data);
    return html`<button type="button" class=${`key${busy ? ' busy' : ''}${style}`} aria-busy=${busy}
      onClick=${() => actions.tap(button.callback_data)}><span>${button.text}</span></button>`;
  }
  return html`<button type="button" class="key" disabled><span>${button.text}</span></button>`;
}

/** A corner mark that shows a button's effect besides calling the bot. */
function icon(path: string) {
  return html`<svg class="key-mark" viewBox="0 0 11 11" aria-hidden="true"><path d=${path} fill="none" stroke="currentColor" stroke-width="1.4"
    stroke-linejoin="round" stroke-linecap="round"/></svg>`;
}

/** The keys that replace the person's own keyboard: each sends its text. */
export function ReplyKeyboard(props: {
  readonly markup: ReplyKeyboardMarkup;
  readonly send: (text: string) => void;
}) {
  return html`<div class="reply-keyboard">
    ${props.markup.keyboard.map(
      (row) =>
        html`<div class="row">${row.map((key) => {
          const text = typeof key === 'string' ? key : key.text;
          return html`<button type="button" class="key" onClick=${() => props.send(text)}>${text}</button>`;
        })}</div>`,
    )}
  </div>`;
}
