import { html } from 'htm/preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { PhoneState } from '../http/sim-state.ts';
import { Avatar } from './avatar.ts';
import { startInAddress } from './links.ts';
import { NewPersona } from './new-persona.ts';
import { Panel } from './panel.ts';
import { Phone } from './phone.ts';
import type { Store } from './store.ts';

const PHONE_WIDTH = 376;
/** As in the style sheet: from here on the panel is laid over the phones. */
const NARROW = '(max-width: 1023px)';
const GAP = 20;

/** The page: header, people, as many phones as fit, and the workbench on the right. */
export function App({ store }: { readonly store: Store }) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => store.subscribe(() => redraw(undefined)), [store]);
  const [panelOpen, setPanelOpen] = useState(() => window.innerWidth >= 1180);
  const [shown, setShown] = useState<readonly number[]>([]);
  const [capacity, stage] = useCapacity();
  const view = store.view();
  const { page } = view;
  const phones = page?.phones ?? [];
  const visible = pickVisible(phones, shown, capacity);
  const visibleIds = visible.map((phone) => phone.user.id);
  const show = (id: number) => {
    store.activate(id);
    if (!visibleIds.includes(id)) setShown([id, ...visibleIds.filter((other) => other !== id)]);
  };
  // A link opened as another person, or a new person: bring their phone in, keep the one just used.
  useEffect(() => {
    if (view.active !== 0 && !visibleIds.includes(view.active)) show(view.active);
  }, [view.active]);
  useEffect(() => store.clearUnread(visibleIds));
  useStartInAddress(store, view.active);
  // On a narrow window the panel would lie over the chat: a person who wants it there opens it again.
  useEffect(() => {
    const narrow = window.matchMedia(NARROW);
    const close = () => narrow.matches && setPanelOpen(false);
    narrow.addEventListener('change', close);
    return () => narrow.removeEventListener('change', close);
  }, []);

  if (page === undefined) return html`<p class="loading">Connecting to the local Telegram…</p>`;
  return html`<div class=${panelOpen ? 'page with-panel' : 'page'}>
    <header class="top">
      <span class="brand"><img class="logo" src="/icon.svg" alt="" />${phones[0]?.botName ?? 'Bot'}<small>local chat</small></span>
      <span class="banner" role="note">Local – no real funds</span>
      ${!view.connected && html`<span class="offline">reconnecting…</span>`}
      <nav>${page.links.map(
        (link) =>
          html`<a class="nav-link" href=${link.url} target="_blank" rel="noopener noreferrer">${link.label}</a>`,
      )}</nav>
      <button type="button" class="toggle" aria-expanded=${panelOpen} onClick=${() => setPanelOpen(!panelOpen)}>
        ${panelOpen ? 'Hide workbench' : 'Workbench'}</button>
    </header>
    <div class="people-bar" role="tablist" aria-label="people" aria-multiselectable="true">
      ${phones.map((phone) => {
        const { id, first_name } = phone.user;
        const unread = view.unread.get(id) ?? 0;
        const isShown = visibleIds.includes(id);
        return html`<button type="button" role="tab" key=${id} aria-selected=${isShown} class=${isShown ? 'tab shown' : 'tab'}
          onClick=${() => show(id)}><${Avatar} name=${first_name} seed=${id} size="small" /><span>${first_name}</span>
          ${unread > 0 && !isShown && html`<i class="unread">${unread}</i>`}</button>`;
      })}
      <${NewPersona} store=${store} phones=${phones} />
    </div>
    <main class="stage-row" ref=${stage}>
      ${visible.map(
        (phone) =>
          html`<${Phone} key=${phone.user.id} phone=${phone} store=${store} botUsername=${page.botUsername} />`,
      )}
    </main>
    ${panelOpen && html`<${Panel} store=${store} page=${page} close=${() => setPanelOpen(false)} />`}
  </div>`;
}

/**
 * Another page led here with `#start=…`: it is asked once who opens it, and the address forgets it, or a reload would ask again.
 * Nothing is sent without that tap: any site could link here.
 */
function useStartInAddress(store: Store, active: number): void {
  useEffect(() => {
    if (active === 0) return;
    const open = () => {
      const payload = startInAddress(window.location.hash);
      if (payload === null) return;
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
      store.choose({ from: active, payload, origin: 'address' });
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [store, active]);
}

/** The chosen phones first, filled up in order; drawn in the people's order, so that no phone jumps sides. */
function pickVisible(
  phones: readonly PhoneState[],
  shown: readonly number[],
  capacity: number,
): readonly PhoneState[] {
  const ids = [...new Set([...shown, ...phones.map((phone) => phone.user.id)])].slice(0, capacity);
  return phones.filter((phone) => ids.includes(phone.user.id));
}

/** How many phones fit side by side. */
function useCapacity() {
  const element = useRef<HTMLElement | null>(null);
  const observer = useRef<ResizeObserver | null>(null);
  const [capacity, setCapacity] = useState(1);
  const attach = (node: HTMLElement | null) => {
    if (element.current === node) return;
    observer.current?.disconnect();
    element.current = node;
    if (node === null) return;
    const measure = () =>
      setCapacity(Math.max(1, Math.floor((node.clientWidth + GAP) / (PHONE_WIDTH + GAP))));
    observer.current = new ResizeObserver(measure);
    observer.current.observe(node);
    measure();
  };
  return [capacity, attach] as const;
}
