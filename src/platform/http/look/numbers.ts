import { ageAt } from '../../../core/time/age.ts';
import type { Frame } from './frame.ts';
import { type Html, html } from './html.ts';

/** Numbers as people read them. An unknown number is `n/a`, never 0. */

const UNKNOWN = 'n/a';
const DIGITS = 5;
const MAX_PLACES = 18;

/** Fraction digits with which a price of this size shows five that count. */
export function placesOf(price: number): number {
  if (!(price > 0)) return 2;
  return Math.min(MAX_PLACES, Math.max(2, DIGITS - 1 - Math.floor(Math.log10(price))));
}

/** `1,234.50`, `0.0123457`: five digits that count, no exponent. */
export function priceText(price: string | number | null): string {
  const value = Number(price ?? Number.NaN);
  if (!(value > 0)) return UNKNOWN;
  const places = placesOf(value);
  return value.toLocaleString('en-US', {
    minimumFractionDigits: Math.min(places, 2),
    maximumFractionDigits: places,
  });
}

/** `12.3K`, `4.56M`, `0.0042`. */
export function amountText(amount: string | number | null): string {
  if (amount === null) return UNKNOWN;
  const value = Number(amount);
  if (!Number.isFinite(value)) return UNKNOWN;
  if (value !== 0 && Math.abs(value) < 1)
    return value.toLocaleString('en-US', { maximumSignificantDigits: 4, maximumFractionDigits: MAX_PLACES });
  return value.toLocaleString('en-US', {
    notation: Math.abs(value) < 10_000 ? 'standard' : 'compact',
    maximumFractionDigits: 2,
  });
}

/** The price of one token in dollars. */
export const dollarPrice = (price: number | null): string =>
  price === null ? UNKNOWN : `$${priceText(price)}`;

export function dollarText(amount: number | null): string {
  return amount === null
    ? UNKNOWN
    : amount > 0 && amount < 1
      ? `$${priceText(amount)}`
      : `$${amountText(amount)}`;
}

/** `▲ +2.88 %`: sign and arrow beside the colour. */
export function change(percent: number | null): Html {
  if (percent === null) return html`<span class="soft">${UNKNOWN}</span>`;
  const text = `${Math.abs(percent).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} %`;
  if (percent === 0) return html`<span class="soft">0.00 %</span>`;
  return percent > 0 ? html`<span class="up">▲ +${text}</span>` : html`<span class="down">▼ −${text}</span>`;
}

/** `12 s ago`, `3 h ago`. */
export function age(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${agoText(ageAt(at, now))}</time>`;
}

function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** An address or signature: short to read, whole to hover over and to copy. */
export function short(text: string, options: { readonly copies?: boolean } = {}): Html {
  const letters = html`<code title="${text}">${text.slice(0, 4)}…${text.slice(-4)}</code>`;
  if (options.copies === false) return letters;
  return html`<span class="addr">${letters}<button class="copy" type="button" hidden data-copy="${text}" aria-label="Copy ${text.slice(0, 4)}…${text.slice(-4)}">Copy</button></span>`;
}

/** A line of prices, in the colour of the change beside it. */
export function spark(prices: readonly number[] | undefined, percent: number | null): Html {
  if (prices === undefined || prices.length < 2) return html`<span class="soft">–</span>`;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const points = prices.map((price, at) => {
    const y = high === low ? 14 : 26 - ((price - low) / (high - low)) * 24;
    return `${((at / (prices.length - 1)) * 96).toFixed(1)},${y.toFixed(1)}`;
  });
  const way = percent === null || percent === 0 ? 'flat' : percent > 0 ? 'up' : 'down';
  return html`<svg class="spark ${way}" viewBox="0 0 96 28" preserveAspectRatio="none" role="img" aria-label="24 hours: ${way}"><polyline points="${points.join(' ')}"/></svg>`;
}

/** A signature that leads to the transaction, where an explorer is known. */
export function transaction(signature: string, frame: Pick<Frame, 'transactionUrl'>): Html {
  const url = frame.transactionUrl(signature);
  const letters = short(signature, { copies: false });
  return url === null ? short(signature) : html`<a href="${url}" rel="noopener">${letters}</a>`;
}

const HUES = 360;

/** A drawn letter in the colour of an address, for what has no picture. */
export function letterMark(name: string, address: string): Html {
  const [letter = '?'] = name.toUpperCase();
  const hue = Buffer.from(address).reduce((sum, byte) => (sum * 31 + byte) % HUES, 7);
  return html`<svg class="letter" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="16" fill="hsl(${hue} 45% 42%)"/><text x="16" y="22" text-anchor="middle" font-size="16" font-weight="600" fill="#fff">${letter}</text></svg>`;
}
