import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { ageAt, leftAt } from '../../../core/time/age.ts';
import { percentText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { pageRow } from '../../../platform/telegram/ui/pages.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { ageText, utcClock, utcDayMinute, utcMinute, utcText } from '../../../platform/telegram/ui/time.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { isClosed, type Order, type OrderFire } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import type { OrderMark } from '../store/order-feed-store-port.ts';
import type { TrailHigh } from '../use/trail-high.ts';
import { ORDERS } from './draft-state.ts';
import { capText, priceOfOrder, rateText, requestText, saleRequest } from './order-figures.ts';
import {
  amountOf,
  asksAnew,
  conditionText,
  doubtLines,
  holdWords,
  reasonText,
  statusText,
  tokenPriceText,
  unitsText,
} from './order-text.ts';

/** An order that was not checked for longer may have passed its price unseen. */
const STALE_MS = 30_000;

export type ListedOrder = { readonly order: Order; readonly token: Token };

/** Widths of a ticker in a line, and of a row of four buttons; see `fitted`. */
const HEAD_SYMBOL = 10;

/** A page of a person's orders, those of one token together; `stateId` holds their ids in this order. */
export function listView(
  words: Words,
  facts: {
    readonly orders: readonly ListedOrder[];
    readonly all: readonly Order[];
    /** From 0. */
    readonly page: number;
    readonly pages: number;
    readonly marks: readonly OrderMark[];
    readonly microUsdPerSol: bigint | null;
    readonly now: number;
    readonly stateId: string;
    readonly isHistory: boolean;
  },
): View {
  const { orders, all, page, pages, marks, now, stateId, isHistory } = facts;
  return {
    text: lines(
      html`${bold(words.text(isHistory ? 'orders.history' : 'orders.title'))}${isHistory || orders.length === 0 ? '' : countText(words, all)}${
        pages === 1 ? '' : words.text('page.of', { page: page + 1, pages })
      }`,
      ...orders.flatMap((one, index) => [
        one.order.mint === orders[index - 1]?.order.mint ? null : tokenLine(words, one, facts),
        rowLine(words, one, facts),
      ]),
      orders.length === 0 && words.html(isHistory ? 'orders.none_yet' : 'orders.none'),
      !isHistory && orders.length > 0 && lastLook(words, marks, now),
    ),
    keyboard: keyboard(
      orders.map(({ order }, index) => act(`#${order.number}`, ORDERS, `page-${index}`, stateId)),
      pageRow({ page, pages }, ORDERS, stateId),
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

type Market = {
  readonly marks: readonly OrderMark[];
  readonly microUsdPerSol: bigint | null;
  readonly now: number;
};

/** The price that was read last, while it may be believed. */
function priceNow({ marks, now }: Market, mint: Order['mint']): Rate | null {
  const mark = marks.find((one) => one.mint === mint);
  return mark?.price != null && ageAt(mark.at, now) <= STALE_MS ? mark.price : null;
}

/** `**PUP** $0.00151 · cap $1.51M`, above the orders of the token. */
function tokenLine(words: Words, { order, token }: ListedOrder, market: Market): Html {
  const symbol = bold(fitted(displaySymbol(token), HEAD_SYMBOL));
  const price = priceNow(market, order.mint);
  return price === null
    ? symbol
    : html`${symbol} ${words.html('orders.token', {
        price: rateText(words, price, 'SOL', token, market.microUsdPerSol),
        cap: capText(words, price, 'SOL', token, market.microUsdPerSol),
      })}`;
}

/** One line: its deed, its price and its state. */
function rowLine(words: Words, one: ListedOrder, market: Market): Html {
  const { order } = one;
  const parts = order.terms.schedule === null ? priceParts(words, one, market) : roundParts(words, one);
  if (order.status === 'OPEN') return html`#${String(order.number)} ${parts.join(' · ')}`;
  const status = words.text(`order.status.${order.status}`);
  return html`#${String(order.number)} ${parts[0] ?? ''} · ${status}`;
}

function priceParts(words: Words, { order, token }: ListedOrder, market: Market): readonly string[] {
  const mark = words.text(`order.mark.${order.type}_${order.side}`);
  const price = priceOfOrder(words, order, token, market.microUsdPerSol);
  const isExit = order.side === 'sell' && order.type !== 'LIMIT';
  if (order.terms.event !== undefined) return [eventRow(words, order, token)];
  if (isExit)
    return [
      [mark, saleRequest(words, order), price].filter((part) => part !== '').join(' '),
      sellsText(words, order, token),
    ];
  const away = awayFrom(words, order, priceNow(market, order.mint));
  return [
    words.text(order.type === 'STOP_BUY' ? 'order.row_above' : 'order.row_at', {
      mark,
      amount:
        order.side === 'buy' && order.amount.kind === 'fixed'
          ? figuresOf(words.language).sol(order.amount.units)
          : amountOf(words, order, token),
      price,
    }),
    ...(away === null ? [] : [away]),
    ageText(leftAt(order.expiresAt, market.now)),
  ];
}

/** `Sells if the dev sells`; `Sells 50% if liquidity falls 30%`. */
function eventRow(words: Words, order: Order, token: Token): string {
  const event = conditionText(words, order, token);
  return order.amount.kind === 'rest'
    ? words.text('order.row_event', { event })
    : words.text('order.row_event_part', {
        event,
        amount:
          order.amount.kind === 'share'
            ? figuresOf(words.language).percent(order.amount.bps)
            : amountOf(words, order, token),
      });
}

/** `sells 50%`, `sells the rest`. */
function sellsText(words: Words, order: Order, token: Token): string {
  const { amount } = order;
  if (amount.kind === 'rest') return words.text('order.sells_rest');
  const what =
    amount.kind === 'share' ? figuresOf(words.language).percent(amount.bps) : amountOf(words, order, token);
  return words.text('order.sells', { amount: what });
}

/** `DCA 3/10`, then when the next round is due. */
function roundParts(words: Words, { order }: ListedOrder): readonly string[] {
  const { schedule } = order.terms;
  const { done = 0, slot = 0 } = order.progress.schedule ?? {};
  const mark = words.text(`order.mark.${order.type}_${order.side}`);
  if (schedule === null) return [mark];
  const next = utcMinute(schedule.startAt + slot * schedule.intervalMs);
  return [`${mark} ${done}/${schedule.rounds}`, words.text('orders.next', { at: next })];
}

/** How far its price lies from the price of now, in percent of now. Null where the two are not in one unit. */
function awayFrom(words: Words, { side, trigger, unit }: Order, now: Rate | null): string | null {
  if (trigger === null || unit !== 'SOL' || now === null) return null;
  const price = priceOf(side, trigger);
  const [wanted, whole] = [price.got * now.given, now.got * price.given];
  return figuresOf(words.language).change(wanted - whole, whole);
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
        price: tokenPriceText(words, priceOf(order.side, rate), 'SOL', token.decimals),
      });
}

/** How far the price of now lies from the price at which it fires: `20 % above`. Null where they are in different units. */
function awayText(words: Words, { side, trigger, unit }: Order, now: Rate): string | null {
  if (trigger === null || unit !== 'SOL') return null;
  const price = priceOf(side, trigger);
  const bps = Number((now.got * price.given * 10_000n) / (now.given * price.got)) - 10_000;
  const percent = percentText(words, Math.abs(Math.abs(bps) < 1_000 ? bps : Math.round(bps / 100) * 100));
  return words.text(bps >= 0 ? 'orders.above' : 'orders.below', { percent });
}

function lastLook(words: Words, marks: readonly OrderMark[], now: number): Html {
  const at = marks.reduce((newest, mark) => Math.max(newest, mark.at), 0);
  if (at === 0) return words.html('orders.not_looked');
  return ageAt(at, now) > STALE_MS
    ? words.html('orders.blind', { at: utcText(at) })
    : words.html('orders.looked', { seconds: Math.round(ageAt(at, now) / 1_000) });
}

/** One order: its prices and acts, the distance to them, its history, and its buttons. */
export function pageView(
  words: Words,
  facts: {
    readonly order: Order;
    readonly token: Token;
    readonly mark: OrderMark | null;
    readonly trail: TrailHigh | null;
    readonly fires: readonly OrderFire[];
    readonly microUsdPerSol: bigint | null;
    readonly now: number;
    readonly stateId: string;
  },
): View {
  const { order, token, fires, stateId } = facts;
  const on = (label: string, action: string) => act(label, ORDERS, action, stateId);
  const isOver = isClosed(order);
  return {
    text: lines(
      words.html('orders.page', {
        number: order.number,
        type: words.text(`order.type.${order.type}_${order.side}`),
        symbol: fitted(displaySymbol(token), HEAD_SYMBOL),
        status: words.text(`order.status.${order.status}`),
      }),
      order.reason !== null && html`${statusText(words, order)}`,
      ...doubtLines(words, order),
      ...priceLines(words, facts),
      order.filled > 0n &&
        words.html('orders.filled', {
          given: unitsText(words, order.side, 'given', order.filled, token),
          got: unitsText(words, order.side, 'got', order.received, token),
        }),
      order.progress.note !== null &&
        !isOver &&
        words.html('orders.note', { reason: reasonText(words, order.progress.note.code) }),
      !isOver && endLine(words, order),
      endsBefore(order) &&
        words.html('orders.granted_until', { at: utcText(order.terms.grants?.until ?? 0) }),
      ...fires.slice(0, SHOWN_FIRES).map((fire) => fireLine(words, fire, order, token)),
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
        act(words.text('btn.trade_card'), 'trade', 'card', stateId),
        on(words.text('btn.refresh'), 'page'),
      ],
      [nav(words.text('btn.orders'), ORDERS, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** The newest tries: older ones are in the history of the wallet. */
const SHOWN_FIRES = 3;

/** Whether its grant ends before the order does: an earlier PIN was still valid for trades when it was placed. */
function endsBefore({ status, terms, expiresAt }: Order): boolean {
  return status === 'OPEN' && terms.grants != null && terms.grants.until < expiresAt;
}

type PageFacts = Parameters<typeof pageView>[1];

/** Its prices and acts; its share; the distance from the present price. */
function priceLines(words: Words, facts: PageFacts): readonly (Html | false)[] {
  const { order, token, trail, mark } = facts;
  const textOf = (rate: Rate): string =>
    tokenPriceText(words, priceOf(order.side, rate), order.unit, token.decimals);
  return [
    triggerLine(words, facts),
    order.trigger !== null &&
      words.html('orders.exact', { price: textOf(order.trigger), request: requestNote(words, order) }),
    mark?.price != null && nowLine(words, facts, mark.price, mark.at),
    trail !== null &&
      words.html('orders.high', { high: textOf(trail.high), threshold: textOf(trail.threshold) }),
    order.terms.schedule !== null && !isClosed(order) && html`${roundsText(words, order, token)}`,
    order.side === 'buy'
      ? words.html('orders.gives', { amount: amountOf(words, order, token) })
      : words.html('orders.sells', { what: sellsText(words, order, token) }),
    order.terms.event !== undefined && words.html(`orders.event_${order.terms.event.kind}`),
    order.terms.floor !== null &&
      words.html('orders.floor', {
        price: tokenPriceText(words, order.terms.floor, order.unit, token.decimals),
      }),
    order.holdMs > 0 && words.html('orders.hold', holdWords(words, order.holdMs)),
  ];
}

/** `Sells at **$0.00109** or less · cap $1.09M`. */
function triggerLine(words: Words, { order, token, microUsdPerSol }: PageFacts): Html {
  const { trigger, side, unit } = order;
  if (order.terms.event !== undefined)
    return words.html('order.row_event', { event: bold(conditionText(words, order, token)) });
  if (trigger === null) return html`${bold(conditionText(words, order, token))}`;
  const price = priceOf(side, trigger);
  const isBelow = order.type === 'STOP_LOSS' || (order.type === 'LIMIT' && side === 'buy');
  return words.html(`orders.at_${isBelow ? 'less' : 'more'}_${side}`, {
    price: bold(rateText(words, price, unit, token, microUsdPerSol)),
    cap: capText(words, price, unit, token, microUsdPerSol),
  });
}

function requestNote(words: Words, order: Order): string {
  const said = requestText(words, order.terms.request);
  return said === '' ? '' : ` (${said})`;
}

/** `Now $0.00151: 39% above it`. */
function nowLine(words: Words, { order, token, microUsdPerSol }: PageFacts, now: Rate, at: number): Html {
  const price = rateText(words, now, 'SOL', token, microUsdPerSol);
  const away = awayText(words, order, now);
  return away === null
    ? words.html('orders.now', { price, at: utcClock(at) })
    : words.html('orders.now_away', { price, away, at: utcClock(at) });
}

/** When its time is over. */
const endLine = (words: Words, order: Order): Html =>
  words.html(order.terms.schedule === null ? 'orders.until' : 'orders.until_rounds', {
    at: utcDayMinute(order.expiresAt),
  });

function fireLine(words: Words, fire: OrderFire, order: Order, token: Token): Html {
  const at = utcText(fire.firedAt);
  const { end } = fire;
  if (end === null) return words.html('orders.fire_live', { at });
  return end.result === 'settled'
    ? words.html('orders.fire_settled', {
        at,
        given: unitsText(words, order.side, 'given', end.given, token),
        got: unitsText(words, order.side, 'got', end.got, token),
      })
    : words.html('orders.fire_voided', {
        at,
        reason: reasonText(words, end.reason ?? ''),
        cost: solText(words, end.burntLamports),
      });
}
