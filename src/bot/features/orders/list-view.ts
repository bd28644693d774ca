import type { Order, OrderFire } from '../../../core/orders/order.ts';
import type { OrderMark } from '../../../core/ports/order-feed-store.ts';
import type { Token } from '../../../core/tokens/token.ts';
import type { Words } from '../../locales/words.ts';
import { orderLine, reasonText, statusText, tokenPriceText, unitsText } from '../../orders/order-text.ts';
import { solText } from '../../ui/amounts.ts';
import { bold, type Html, html, lines } from '../../ui/html.ts';
import { act, inRows, keyboard, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { utcText } from '../../ui/time.ts';
import { ORDERS } from './draft-state.ts';

/** What has not been looked at for longer may have passed its price unseen. */
const STALE_MS = 30_000;

export type ListedOrder = { readonly order: Order; readonly token: Token };

/** A person's orders; `stateId` holds their ids in this order. */
export function listView(
  words: Words,
  facts: {
    readonly orders: readonly ListedOrder[];
    readonly marks: readonly OrderMark[];
    readonly now: number;
    readonly stateId: string;
    readonly isHistory: boolean;
  },
): View {
  const { orders, marks, now, stateId, isHistory } = facts;
  return {
    text: lines(
      bold(words.text(isHistory ? 'orders.history' : 'orders.title')),
      ...orders.map(
        ({ order, token }) => html`${orderLine(words, order, token)} · ${statusText(words, order)}`,
      ),
      orders.length === 0 && words.html(isHistory ? 'orders.none_yet' : 'orders.none'),
      !isHistory && orders.length > 0 && lastLook(words, marks, now),
    ),
    keyboard: keyboard(
      ...inRows(
        orders.map(({ order }, index) => act(`#${order.number}`, ORDERS, `page-${index}`, stateId)),
        5,
      ),
      [
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

function lastLook(words: Words, marks: readonly OrderMark[], now: number): Html {
  const at = marks.reduce((newest, mark) => Math.max(newest, mark.at), 0);
  if (at === 0) return words.html('orders.not_looked');
  return now - at > STALE_MS
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
    readonly fires: readonly OrderFire[];
    readonly now: number;
    readonly stateId: string;
  },
): View {
  const { order, token, mark, fires, stateId } = facts;
  const on = (label: string, action: string) => act(label, ORDERS, action, stateId);
  const isOver = ['FILLED', 'CANCELLED', 'EXPIRED'].includes(order.status);
  return {
    text: lines(
      bold(words.text('orders.page', { number: order.number })),
      orderLine(words, order, token),
      html`${statusText(words, order)}`,
      mark?.price != null &&
        words.html('orders.now', {
          price: tokenPriceText(mark.price, 'SOL', token.decimals),
          at: utcText(mark.at),
        }),
      order.holdSlots > 1 &&
        words.html('orders.hold', { slots: order.holdSlots, seconds: (order.holdSlots * 4) / 10 }),
      order.terms.floor !== null &&
        words.html('orders.floor', { price: tokenPriceText(order.terms.floor, order.unit, token.decimals) }),
      order.filled > 0n &&
        words.html('orders.filled', {
          given: unitsText(order.side, 'given', order.filled, token),
          got: unitsText(order.side, 'got', order.received, token),
        }),
      order.progress.note !== null &&
        !isOver &&
        words.html('orders.note', { reason: reasonText(words, order.progress.note.code) }),
      !isOver && words.html('orders.until', { at: utcText(order.expiresAt) }),
      ...fires.slice(0, 5).map((fire) => fireLine(words, fire, order, token)),
    ),
    keyboard: keyboard(
      [
        order.status === 'OPEN' && on(words.text('btn.order_pause'), 'pause'),
        order.status === 'PAUSED' && on(words.text('btn.order_resume'), 'unpause'),
        (order.status === 'OPEN' || order.status === 'PAUSED') && on(words.text('btn.order_edit'), 'edit'),
        !isOver && on(words.text('btn.order_cancel'), 'cancel'),
      ],
      [on(words.text('btn.refresh'), 'page'), nav(words.text('btn.orders'), ORDERS, 'open')],
    ),
  };
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
