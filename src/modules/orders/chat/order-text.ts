import type { Key } from '../../../compose/texts/catalogue.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf, marksOf } from '../../../core/text/figures.ts';
import { isErrorCode } from '../../../platform/telegram/errors.ts';
import { percentText, priceText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html, plain } from '../../../platform/telegram/ui/html.ts';
import { scaleMark, shortTokenOf } from '../../../platform/telegram/ui/token-amounts.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { OrderEvent } from '../rules/event-trigger.ts';
import type { Order, PriceUnit } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';

const PRECISION = 10n ** 36n;

/** The price of one whole token, from the price of a smallest unit, in the marks of the language. */
export function tokenPriceText(words: Words, price: Rate, unit: PriceUnit, decimals: number): string {
  const perUnit = Number((price.got * PRECISION) / price.given) / 1e36;
  const value = (perUnit * 10 ** decimals) / (unit === 'SOL' ? 1e9 : 1e6);
  // Five digits: a trigger and the price of now may differ in the fourth.
  const shown = value > 0 && value < 1_000 ? plainDigits(words, value) : priceText(words, value);
  return unit === 'SOL' ? `${shown} SOL` : `$${shown}`;
}

/** `0.000010225`: five significant digits, without an exponent. */
function plainDigits(words: Words, value: number): string {
  const digits = Math.min(18, Math.max(0, 4 - Math.floor(Math.log10(value))));
  return value
    .toFixed(digits)
    .replace(/\.?0+$/, '')
    .replace('.', marksOf(words.language).point);
}

/** The amount it would give: SOL of a buy, tokens or a share of a sale. */
export function amountOf(words: Words, order: Pick<Order, 'side' | 'amount'>, token: Token): string {
  const { amount, side } = order;
  if (amount.kind === 'rest') return words.text('order.all');
  if (amount.kind === 'share') return percentText(words, amount.bps);
  return side === 'buy'
    ? solText(words, amount.units, 4)
    : `${shortTokenOf(words, amount.units, token)}${scaleMark(words, token)}`;
}

/** When it fires: `≤ 0.0000021 SOL`, `15 % below its high`, `round 3 of 10`. */
export function conditionText(words: Words, order: Order, token: Token): string {
  const { type, side, trigger, unit, terms, progress } = order;
  if (terms.trailing !== null)
    return words.text('order.trails', { percent: percentText(words, terms.trailing.bps) });
  if (terms.schedule !== null) {
    const { done = 0 } = progress.schedule ?? {};
    return words.text('order.rounds', { done, total: terms.schedule.rounds });
  }
  if (terms.event !== undefined) return eventText(words, terms.event);
  if (trigger === null) return terms.request;
  const sign = (type === 'LIMIT' && side === 'buy') || type === 'STOP_LOSS' ? '≤' : '≥';
  return `${sign} ${tokenPriceText(words, priceOf(side, trigger), unit, token.decimals)}`;
}

/** The event that an order waits for: `the dev sells`, `liquidity falls 50%`. */
export function eventText(words: Words, event: OrderEvent): string {
  return event.kind === 'dev-sells'
    ? words.text('order.event.dev')
    : words.text('order.event.liquidity', { percent: figuresOf(words.language).percent(event.fallBps) });
}

/** `Dev sells`, `Liquidity −50%`: an exit by an event, as its button says it. */
export function eventMark(words: Words, type: Order['type'], fallBps: number): string {
  const mark = words.text(`order.mark.${type}_sell`);
  return type === 'DEV_SELLS' ? mark : `${mark} −${figuresOf(words.language).percent(fallBps)}`;
}

/** One line: `#18 Limit buy PUP · 0.5 SOL · ≤ 0.0000021 SOL`. */
export function orderLine(words: Words, order: Order, token: Token): Html {
  return html`#${String(order.number)} ${words.text(`order.type.${order.type}_${order.side}`)} ${displaySymbol(token)} · ${amountOf(words, order, token)} · ${conditionText(words, order, token)}`;
}

/** How long a price must hold. */
export function holdWords(words: Words, holdMs: number): { readonly time: string } {
  const seconds = holdMs / 1_000;
  return {
    time:
      holdMs === 0
        ? words.text('order.held_slot')
        : words.text('order.held_for', {
            seconds: String(seconds).replace('.', marksOf(words.language).point),
          }),
  };
}

/** Units that an order gives, or gets. */
export function unitsText(
  words: Words,
  side: 'buy' | 'sell',
  what: 'given' | 'got',
  units: bigint,
  token: Token,
): string {
  const isSol = (side === 'buy') === (what === 'given');
  return isSol
    ? solText(words, units, 6)
    : `${shortTokenOf(words, units, token)} ${displaySymbol(token)}${scaleMark(words, token)}`;
}

/** Why it did not happen, in words: a word of the orders' own, an error's, or the chain's text. */
export function reasonText(words: Words, code: string): Html {
  const key = `order.why.${code}`;
  if (words.has(key)) return words.html(key);
  if (isErrorCode(code)) return words.html('order.why_refused', { code });
  return plain(code.slice(0, 80));
}

/** The warnings that paused it, a line each, and the effect of resuming it. */
export function doubtLines(words: Words, { status, reason, progress }: Order): readonly Html[] {
  const isAsked = reason === 'safety' || reason === 'doubt';
  const doubts = status === 'PAUSED' && isAsked ? (progress.doubts ?? []) : [];
  if (doubts.length === 0) return [];
  const said = doubts.map((code) => {
    const key = `order.doubt.${code}`;
    return html`• ${words.has(key) ? words.html(key) : plain(code)}`;
  });
  return reason === 'doubt' ? said : [...said, words.html('order.doubt_accepted')];
}

/** Whether it paused for a reason that its person may allow: keeping it asks for the PIN where that is needed. */
export function asksAnew({ status, reason }: Pick<Order, 'status' | 'reason'>): boolean {
  return status === 'PAUSED' && ['cap', 'steep', 'doubt', 'locked'].includes(reason ?? '');
}

/** Why an order is paused or was cancelled. */
export function statusText(words: Words, { status, reason }: Pick<Order, 'status' | 'reason'>): Html {
  const state = words.html(`order.status.${status}`);
  if (reason === null) return state;
  const key: Key = `order.because.${reason}`;
  return html`${state}: ${words.html(key)}`;
}
