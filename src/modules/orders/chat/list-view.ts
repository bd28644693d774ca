import type { Words } from '../../../compose/texts/words.ts';
import { ageAt, leftAt } from '../../../core/time/age.ts';
import { percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ageText, utcMinute, utcText } from '../../../platform/telegram/ui/time.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { isClosed, type Order, type OrderFire } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import type { OrderMark } from '../store/order-feed-store-port.ts';
import type { TrailHigh } from '../use/trail-high.ts';
import { ORDERS } from './draft-state.ts';
import {
  asksAnew,
  doubtLines,
  holdWords,
  orderLine,
  reasonText,
  statusText,
  tokenPriceText,
  unitsText,
} from './order-text.ts';

/** What has not been looked at for longer may have passed its price unseen. */
const STALE_MS = 30_000;

export type ListedOrder = { readonly order: Order; readonly token: Token };

/** A page of a person's orders, from the one at `from` of `all` on; `stateId` holds their ids in this order. */
export function listView(
  words: Words,
  facts: {
    readonly orders: readonly ListedOrder[];
    readonly all: readonly Order[];
    readonly from: number;
    readonly marks: readonly OrderMark[];
    readonly now: number;
    readonly stateId: string;
    readonly isHistory: boolean;
  },
): View {
  const { orders, all, from, marks, now, stateId, isHistory } = facts;
  return {
    text: lines(
      html`${bold(words.text(isHistory ? 'orders.history' : 'orders.title'))}${isHistory || orders.length === 0 ? '' : countText(words, all)}`,
      html``,
      ...orders.map(
        ({ order, token }) =>
          html`${orderLine(words, order, token)} · ${listTail(words, { order, token, marks, now })}`,
      ),
      orders.length === 0 && words.html(isHistory ? 'orders.none_yet' : 'orders.none'),
      !isHistory && orders.length > 0 && html``,
      !isHistory && orders.length > 0 && lastLook(words, marks, now),
    ),
    keyboard: keyboard(
      ...inRows(
        orders.map(({ order }, index) => act(`#${order.number}`, ORDERS, `page-${index}`, stateId)),
        5,
      ),
      [
        !isHistory && from > 0 && act(words.text('btn.previous_page'), ORDERS, 'previous', stateId),
        !isHistory &&
          from + orders.length < all.length &&
          act(words.text('btn.next_page'), ORDERS, 'next', stateId),
      ],
      [
        !isHistory && all.length === 0 && nav(words.text('btn.trade'), 'trade', 'open'),
        !isHistory && orders.length > 0 && nav(words.text('btn.orders_pause'), ORDERS, 'pauseall'),
        !isHistory && orders.length > 0 && nav(words.text('btn.orders_cancel'), ORDERS, 'cancelall'),
        !isHistory && nav(words.text('btn.orders_history'), ORDERS, 'history'),
        !isHistory && nav(words.text('btn.alerts'), 'alerts', 'open'),
      ],
      [
        nav(words.text(isHistory ? 'btn.orders' : 'btn.refresh'), ORDERS, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

function countText(words: Words, orders: readonly Order[]): Html {
  const paused = orders.filter(({ status }) => status === 'PAUSED').length;
  return paused === 0
    ? words.html('orders.count', { open: orders.length })
    : words.html('orders.count_paused', { open: orders.length - paused, paused });
}

/** What an order that only waits is near to, or when its next round is; of any other, how it stands. */
function listTail(
  words: Words,
  { order, token, marks, now }: ListedOrder & { readonly marks: readonly OrderMark[]; readonly now: number },
): Html {
  if (order.status !== 'OPEN') return statusText(words, order);
  if (order.terms.schedule !== null) return html`${roundsText(words, order, token)}`;
  const left = words.text('orders.left', { time: ageText(leftAt(order.expiresAt, now)) });
  const mark = marks.find(({ mint }) => mint === order.mint);
  const isFresh = mark?.price != null && ageAt(mark.at, now) <= STALE_MS;
  return isFresh
    ? html`${words.text('orders.near', { price: tokenPriceText(mark.price, 'SOL', token.decimals) })} · ${left}`
    : html`${left}`;
}

/** `next 15:00, average 0.0417 SOL`; without an average before the first round. */
function roundsText(words: Words, order: Order, token: Token): string {
  const { schedule } = order.terms;
  const progress = order.progress.schedule;
  if (schedule === null || progress === null) return '';
  const next = utcMinute(schedule.startAt + progress.slot * schedule.intervalMs);
  const rate = { got: order.received, given: order.filled };
  return order.received === 0n || order.filled === 0n
    ? words.text('orders.next', { at: next })
    : words.text('orders.next_average', {
        at: next,
        price: tokenPriceText(priceOf(order.side, rate), 'SOL', token.decimals),
      });
}

/** How far the price of now lies from the price at which it fires: `20 % above`. Null where they are in different units. */
function awayText(words: Words, { side, trigger, unit }: Order, now: Rate): string | null {
  if (trigger === null || unit !== 'SOL') return null;
  const price = priceOf(side, trigger);
  const bps = Number((now.got * price.given * 10_000n) / (now.given * price.got)) - 10_000;
  const percent = percentText(Math.abs(Math.abs(bps) < 1_000 ? bps : Math.round(bps / 100) * 100));
  return words.text(bps >= 0 ? 'orders.above' : 'orders.below', { percent });
}

function lastLook(words: Words, marks: readonly OrderMark[], now: number): Html {
  const at = marks.reduce((newest, mark) => Math.max(newest, mark.at), 0);
  if (at === 0) return words.html('orders.not_looked');
  return ageAt(at, now) > STALE_MS
    ? words.html('orders.blind', { at: utcText(at) })
    : words.html('orders.looked', { at: utcText(at) });
}

/** One order: what it waits for, what happened to it, what can be done. */
export function pageView(
  words: Words,
  facts: {
    readonly order: Order;
    readonly token: Token;
    readonly mark: OrderMark | null;
    readonly trail: TrailHigh | null;
    readonly fires: readonly OrderFire[];
    readonly now: number;
    readonly stateId: string;
  },
): View {
  const { order, token, fires, stateId } = facts;
  const on = (label: string, action: string) => act(label, ORDERS, action, stateId);
  const isOver = isClosed(order);
  return {
    text: lines(
      bold(words.text('orders.page', { number: order.number })),
      orderLine(words, order, token),
      html`${statusText(words, order)}`,
      ...doubtLines(words, order),
      ...priceLines(words, facts),
      order.filled > 0n &&
        words.html('orders.filled', {
          given: unitsText(order.side, 'given', order.filled, token),
          got: unitsText(order.side, 'got', order.received, token),
        }),
      order.progress.note !== null &&
        !isOver &&
        words.html('orders.note', { reason: reasonText(words, order.progress.note.code) }),
      !isOver &&
        words.html(order.terms.schedule === null ? 'orders.until' : 'orders.until_rounds', {
          at: utcText(order.expiresAt),
        }),
      endsBefore(order) &&
        words.html('orders.granted_until', { at: utcText(order.terms.grants?.until ?? 0) }),
      ...fires.slice(0, 5).map((fire) => fireLine(words, fire, order, token)),
    ),
    keyboard: keyboard(
      [
        order.status === 'OPEN' && on(words.text('btn.order_pause'), 'pause'),
        order.status === 'PAUSED' &&
          on(words.text(asksAnew(order) ? 'btn.order_keep' : 'btn.order_resume'), 'unpause'),
        (order.status === 'OPEN' || order.status === 'PAUSED') && on(words.text('btn.order_edit'), 'edit'),
        !isOver && on(words.text('btn.order_cancel'), 'cancel'),
      ],
      [endsBefore(order) && on(words.text('btn.order_keep_to_end'), 'unpause')],
      [
        act(words.text('btn.chart'), 'chart', 'open', stateId),
        on(words.text('btn.refresh'), 'page'),
        nav(words.text('btn.orders'), ORDERS, 'open'),
      ],
    ),
  };
}

/** Whether what it was granted ends before it does: an earlier PIN was still good for trades when it was placed. */
function endsBefore({ status, terms, expiresAt }: Order): boolean {
  return status === 'OPEN' && terms.grants != null && terms.grants.until < expiresAt;
}

/** The price now, and at which it fires. */
function priceLines(
  words: Words,
  { order, token, mark, trail }: Pick<Parameters<typeof pageView>[1], 'order' | 'token' | 'mark' | 'trail'>,
): readonly Html[] {
  const textOf = (rate: Rate): string =>
    tokenPriceText(priceOf(order.side, rate), order.unit, token.decimals);
  return [
    mark?.price != null && nowLine(words, order, token, mark.price, mark.at),
    trail !== null &&
      words.html('orders.high', { high: textOf(trail.high), threshold: textOf(trail.threshold) }),
    order.terms.schedule !== null && !isClosed(order) && html`${roundsText(words, order, token)}`,
    order.holdSlots > 1 && words.html('orders.hold', holdWords(words, order.holdSlots)),
    order.terms.floor !== null &&
      words.html('orders.floor', { price: tokenPriceText(order.terms.floor, order.unit, token.decimals) }),
  ].filter((line) => line !== false);
}

function nowLine(words: Words, order: Order, token: Token, now: Rate, at: number): Html {
  const away = awayText(words, order, now);
  const price = tokenPriceText(now, 'SOL', token.decimals);
  return away === null
    ? words.html('orders.now', { price, at: utcText(at) })
    : words.html('orders.now_away', { price, away, at: utcText(at) });
}

function fireLine(words: Words, fire: OrderFire, order: Order, token: Token): Html {
  const at = utcText(fire.firedAt);
  const { end } = fire;
  if (end === null) return words.html('orders.fire_live', { at });
  return end.result === 'settled'
    ? words.html('orders.fire_settled', {
        at,
        given: unitsText(order.side, 'given', end.given, token),
        got: unitsText(order.side, 'got', end.got, token),
      })
    : words.html('orders.fire_voided', {
        at,
        reason: reasonText(words, end.reason ?? ''),
        cost: solText(end.burntLamports),
      });
}
