import type { ReplyKeyboardMarkup } from '@grammyjs/types';
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PhoneState } from '../http/sim-state.ts';
import { ReplyKeyboard } from './keyboards.ts';
import type { Store } from './store.ts';

/** As Telegram's own apps say it. */
const START: Readonly<Record<string, string>> = {
  en: 'START',
  es: 'INICIAR',
  fr: 'DÉMARRER',
  de: 'STARTEN',
  pt: 'INICIAR',
};
/** Above a bot's description, before its chat is begun. */
const WELCOME: Readonly<Record<string, string>> = {
  en: 'What can this bot do?',
  es: '¿Qué puede hacer este bot?',
  fr: 'Que peut faire ce bot ?',
  de: 'Was kann dieser Bot?',
  pt: 'O que este bot pode fazer?',
};
const inLanguage = (texts: Readonly<Record<string, string>>, language: string | undefined): string =>
  texts[language?.split('-')[0] ?? 'en'] ?? texts['en'] ?? '';
const startLabel = (language: string | undefined): string => inLanguage(START, language);
export const welcomeLabel = (language: string | undefined): string => inLanguage(WELCOME, language);

/** The foot of a phone: START, UNBLOCK, or the input line with the menu of commands. */
export function Composer({ phone, store }: { readonly phone: PhoneState; readonly store: Store }) {
  const { id } = phone.user;
  const [text, setText] = useState('');
  const [menu, setMenu] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const below = activeKeyboard(phone);
  const asksReply = below !== undefined && 'force_reply' in below && !('keyboard' in below);
  useEffect(() => {
    if (asksReply && store.view().active === id) input.current?.focus();
  }, [asksReply, id, store]);

  if (!phone.started) {
    return html`<div class="foot"><button type="button" class="big" onClick=${() => store.start(id)}>${startLabel(phone.user.language_code)}</button></div>`;
  }
  if (phone.blocked) {
    return html`<div class="foot"><button type="button" class="big" onClick=${() => store.start(id)}>UNBLOCK</button></div>`;
  }
  const send = (value: string) => {
    if (value.trim() === '') return;
    store.say(id, value);
    setText('');
    setMenu(false);
  };
  const typed = /^\/\w*$/.test(text) ? text.slice(1) : undefined;
  const commands = phone.commands.filter((c) => typed === undefined || c.command.startsWith(typed));
  const showsMenu = (menu || typed !== undefined) && commands.length > 0;
  return html`<div class="foot">
    ${
      showsMenu &&
      html`<ul class="commands" aria-label="commands">${commands.map(
        (c) => html`<li><button type="button" onClick=${() => send(`/${c.command}`)}>
          <b>/${c.command}</b><span>${c.description}</span></button></li>`,
      )}</ul>`
    }
    <form class="line" onSubmit=${(event: SubmitEvent) => {
      event.preventDefault();
      send(text);
    }}>
      ${
        phone.commands.length > 0 &&
        html`<button type="button" class=${menu ? 'menu open' : 'menu'} aria-label="menu" aria-expanded=${menu}
          onClick=${() => setMenu(!menu)}><i aria-hidden="true">${menu ? '✕' : '☰'}</i><span>Menu</span></button>`
      }
      <input ref=${input} aria-label="message" autocomplete="off" maxlength="4096" value=${text}
        placeholder=${below?.input_field_placeholder ?? 'Message'}
        onFocus=${() => store.activate(id)}
        onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && setMenu(false)}
        onInput=${(event: InputEvent) => setText((event.currentTarget as HTMLInputElement).value)} />
      <label class="attach" title="send a picture"><span aria-hidden="true">📎</span>
        <input type="file" aria-label="picture" accept="image/png,image/jpeg,image/webp" onChange=${(
          event: Event,
        ) => {
          const field = event.currentTarget as HTMLInputElement;
          const photo = field.files?.[0];
          if (photo !== undefined) store.sendPhoto(id, photo, text);
          field.value = '';
          setText('');
        }} />
      </label>
      <button type="submit" class="send" aria-label="send" disabled=${text.trim() === ''}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentColor" d="M3.4 20.4 21.5 12 3.4 3.6l-.1 6.6L15 12 3.3 13.8z"/></svg>
      </button>
    </form>
    ${below !== undefined && 'keyboard' in below && html`<${ReplyKeyboard} markup=${below} send=${send} />`}
  </div>`;
}

type Below = ReplyKeyboardMarkup | { readonly force_reply: true; readonly input_field_placeholder?: string };

/** The newest keyboard that still counts: one-time keys and questions end with the person's next message. */
function activeKeyboard(phone: PhoneState): Below | undefined {
  let wrote = false;
  for (const item of [...phone.messages].reverse()) {
    if (item.message.from?.id === phone.user.id) wrote = true;
    const { keyboard } = item;
    if (keyboard === undefined) continue;
    if ('remove_keyboard' in keyboard) return undefined;
    if ('keyboard' in keyboard) return keyboard.one_time_keyboard === true && wrote ? undefined : keyboard;
    return wrote ? undefined : keyboard;
  }
  return undefined;
}
