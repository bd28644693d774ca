// What every page runs: the switch between light and dark, buttons that copy, and the parts that stay fresh. All of it is an extra:
// without it the page says the same.

const KEY = 'theme';
const root = document.documentElement;

/** Storage may be forbidden: then the choice lasts as long as the page. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // See above.
  }
}

const kept = remembered();
// Before anything is painted, or a dark page would flash white.
if (kept === 'light' || kept === 'dark') root.dataset.theme = kept;

function isDark() {
  return root.dataset.theme === undefined
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : root.dataset.theme === 'dark';
}

function addThemeSwitches() {
  const buttons = [...document.querySelectorAll('nav.site')].map((place) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'theme';
    place.insertBefore(button, place.querySelector('.go'));
    return button;
  });
  const label = () => {
    for (const button of buttons) {
      button.textContent = isDark() ? 'Light' : 'Dark';
      button.setAttribute('aria-label', isDark() ? 'Switch to light colours' : 'Switch to dark colours');
    }
  };
  for (const button of buttons)
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      remember(root.dataset.theme);
      label();
      dispatchEvent(new Event('theme'));
    });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    label();
    dispatchEvent(new Event('theme'));
  });
  label();
}

/** One listener for all: parts of the page are put in anew. */
function listenForCopies() {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
    if (!(button instanceof HTMLElement)) return;
    navigator.clipboard?.writeText(button.dataset.copy ?? '').then(
      () => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 1_500);
      },
      () => undefined,
    );
  });
}

/** Buttons that only a script can serve are hidden until there is one. */
function showCopyButtons() {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll('[data-copy][hidden]')) button.removeAttribute('hidden');
}

const parser = new DOMParser();

/**
 * Reads the page again and puts in the parts marked `data-live` that have changed; what somebody has their focus in stays.
 * Gives whether anything changed. Throws when the page cannot be had.
 */
async function refresh() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`the page answered ${response.status}`);
  const fresh = parser.parseFromString(await response.text(), 'text/html');
  let changed = false;
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (next === null || next.innerHTML === part.dataset?.before) continue;
    const isFirst = part.dataset.before === undefined;
    const isSame = isFirst && next.innerHTML === part.innerHTML;
    part.dataset.before = next.innerHTML;
    if (isSame || part.contains(document.activeElement)) continue;
    part.replaceChildren(...next.childNodes);
    changed = true;
  }
  showCopyButtons();
  return changed;
}

const EVERY_MS = 2_000;
const SLOWEST_MS = 30_000;
/** While the stream tells of each trade. */
const TOLD_EVERY_MS = 15_000;

/**
 * Asks to be told of each trade of the market that the page is about. Gives whether that works just now: without a stream, or one too
 * many of them, the page reads itself as often as before.
 */
function followTrades(tell) {
  const [, market] = /^\/market\/([1-9A-HJ-NP-Za-km-z]{32,44})$/.exec(location.pathname) ?? [];
  if (market === undefined || typeof EventSource !== 'function') return () => false;
  const stream = new EventSource(`/stream?markets=${market}`);
  for (const name of ['trade', 'retract']) stream.addEventListener(name, tell);
  addEventListener('pagehide', () => stream.close());
  return () => stream.readyState === EventSource.OPEN;
}

/** Keeps the page fresh as long as somebody looks at it. */
function keepFresh() {
  if (document.querySelector('[data-live]') === null) return;
  let wait = EVERY_MS;
  let timer = 0;
  let isReading = false;
  let isAsked = false;
  const run = async () => {
    clearTimeout(timer);
    if (isReading) return;
    isReading = true;
    try {
      if (!document.hidden) {
        const changed = await refresh();
        if (changed) dispatchEvent(new Event('fresh'));
      }
      wait = isTold() ? TOLD_EVERY_MS : EVERY_MS;
    } catch {
      // The server is away: asked again, more and more seldom.
      wait = Math.min(wait * 2, SLOWEST_MS);
    } finally {
      isReading = false;
      timer = setTimeout(() => void run(), isAsked ? 0 : wait);
      isAsked = false;
    }
  };
  const isTold = followTrades(() => {
    if (isReading) isAsked = true;
    else void run();
  });
  timer = setTimeout(() => void run(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void run());
}

document.addEventListener('DOMContentLoaded', () => {
  addThemeSwitches();
  listenForCopies();
  showCopyButtons();
  keepFresh();
});
