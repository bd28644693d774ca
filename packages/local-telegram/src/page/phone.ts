import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PhoneState } from '../http/sim-state.ts';
import { Avatar } from './avatar.ts';
import { Bubble } from './bubble.ts';
import { Composer, welcomeLabel } from './composer.ts';
import { type Choice, fullName, type Store } from './store.ts';

type Props = { readonly phone: PhoneState; readonly store: Store; readonly botUsername: string };

/** One person's phone. Tests select by its labels. */
export function Phone({ phone, store, botUsername }: Props) {
  const { user } = phone;
  const view = store.view();
  const isTyping = view.typing.has(user.id);
  const toast = view.toasts.get(user.id);
  const alert = view.alerts.get(user.id);
  const isActive = view.active === user.id;
  return html`<section class=${isActive ? 'phone active' : 'phone'} aria-label=${`chat of ${user.first_name}`}
    onPointerDown=${() => store.activate(user.id)}>
    <div class="owner"><${Avatar} name=${user.first_name} seed=${user.id} size="small" />
      <b title=${fullName(user)}><bdi>${fullName(user)}</bdi></b><span class="lang">${user.language_code ?? '–'}</span>
      ${phone.blocked && html`<span class="badge">blocked the bot</span>`}</div>
    <header class="bot-head"><span class="bot-avatar" aria-hidden="true">${botMark}</span>
      <span class="who"><b>${phone.botName}</b>
        <small class=${isTyping ? 'typing' : ''}>${isTyping ? activity(view.typing.get(user.id)?.action) : 'bot'}</small></span></header>
    <div class="stage">
      <${Messages} phone=${phone} store=${store} botUsername=${botUsername} isTyping=${isTyping} />
      <div class="toasts" role="status" aria-live="polite">${
        toast !== undefined && html`<div class="toast" key=${toast.id}>${toast.text}</div>`
      }</div>
    </div>
    <${Composer} phone=${phone} store=${store} />
    ${alert !== undefined && html`<${Alert} text=${alert.text} name=${phone.botName} close=${() => store.closeAlert(user.id)} />`}
    ${view.choice?.from === user.id && html`<${Chooser} store=${store} choice=${view.choice} />`}
  </section>`;
}

function Messages(props: Props & { readonly isTyping: boolean }) {
  const { phone, store, botUsername, isTyping } = props;
  const log = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const box = log.current;
    if (box !== null && follows.current) box.scrollTop = box.scrollHeight;
  }, [phone.messages, isTyping]);
  // A smaller window, or keys below the input line, must not push the newest message out of sight.
  useEffect(() => {
    const box = log.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => {
      if (follows.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const box = log.current;
    if (box !== null) follows.current = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  };
  return html`<div class="messages" role="log" ref=${log} onScroll=${onScroll} tabindex="0"
    onLoadCapture=${() => {
      const box = log.current;
      if (box !== null && follows.current) box.scrollTop = box.scrollHeight;
    }}>
    ${!phone.started && html`<${Welcome} phone=${phone} />`}
    ${phone.started && phone.messages.length > 0 && html`<div class="day"><span>${day(phone.messages[0]?.message.date)}</span></div>`}
    ${phone.messages.map(
      (item) =>
        html`<${Bubble} key=${item.message.message_id} item=${item} userId=${phone.user.id} store=${store} botUsername=${botUsername} />`,
    )}
    ${isTyping && html`<div class="message bot"><div class="bubble dots" aria-label="typing"><i></i><i></i><i></i></div></div>`}
  </div>`;
}

function Welcome({ phone }: { readonly phone: PhoneState }) {
  return html`<div class="welcome"><span class="bot-avatar large" aria-hidden="true">${botMark}</span>
    <b>${welcomeLabel(phone.user.language_code)}</b>
    <p>${phone.description === '' ? 'Press START to open the chat.' : phone.description}</p></div>`;
}

function Alert(props: { readonly text: string; readonly name: string; readonly close: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return html`<div class="shade"><div class="dialog" role="alertdialog" aria-label=${props.name}>
    <b>${props.name}</b><p>${props.text}</p>
    <div class="dialog-foot"><button type="button" ref=${button} onClick=${props.close}>OK</button></div></div></div>`;
}

const ASKED: Readonly<Record<Choice['origin'], string>> = {
  message: 'In real life somebody else taps an invite link. Who is it here?',
  address: 'Another page led here. In Telegram you would press START now.',
};

/**
 * A link to the bot was opened: ask as which person. One in a chat is for another person, one from another page for the person who clicked
 * it.
 */
function Chooser(props: { readonly store: Store; readonly choice: Choice }) {
  const { store, choice } = props;
  const { from, payload, origin } = choice;
  const phones = store.view().page?.phones ?? [];
  const others = phones.filter((phone) => phone.user.id !== from);
  const self = phones.filter((phone) => phone.user.id === from);
  const people = origin === 'message' ? [...others, ...self] : [...self, ...others];
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const pick = (userId: number) => {
    store.choose(undefined);
    store.start(userId, payload);
  };
  return html`<div class="shade"><div class="dialog" role="dialog" aria-label="open the link">
    <b>Open this link as…</b><p>${ASKED[origin]}</p>
    <div class="people">${people.map(
      (
        { user },
        at,
      ) => html`<button type="button" ref=${at === 0 ? first : undefined} onClick=${() => pick(user.id)}>
        <${Avatar} name=${user.first_name} seed=${user.id} size="small" /><span>open as ${user.first_name}</span></button>`,
    )}</div>
    <div class="dialog-foot"><button type="button" onClick=${() => store.choose(undefined)}>Cancel</button></div></div></div>`;
}

const ACTIVITY: Readonly<Record<string, string>> = {
  typing: 'typing…',
  upload_photo: 'sending photo…',
  upload_document: 'sending file…',
};

function activity(action: string | undefined): string {
  return ACTIVITY[action ?? ''] ?? 'typing…';
}

function day(seconds: number | undefined): string {
  const date = new Date((seconds ?? 0) * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? 'Today' : date.toLocaleDateString('en', { day: 'numeric', month: 'long' });
}

const botMark = html`<svg viewBox="0 0 32 32"><path d="M8 20l6-8 4 5 6-7" fill="none" stroke="currentColor" stroke-width="3"
  stroke-linecap="round" stroke-linejoin="round"/></svg>`;
