import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, type Keyboard, keyboard, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { isEventType } from '../rules/event-trigger.ts';
import type { Order } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { EditedView } from '../use/edit-order.ts';
import { ORDERS } from './draft-state.ts';
import { type EditState, hasChanges } from './edit-state.ts';
import { orderLine, tokenPriceText, unitsText } from './order-text.ts';
import { refusalText } from './refusal-text.ts';

export type EditFacts = {
  readonly state: EditState;
  readonly order: Order;
  /** The order with its changes, beside the market. */
  readonly view: EditedView;
  readonly stateId: string;
  /** Behind the way back to the order's page. */
  readonly pageId: string;
};

/** An order as it is, its changes, and the reason against them. Save is there when there is a change and no reason against it. */
export function editView(words: Words, facts: EditFacts): View {
  const { state, order, view } = facts;
  return {
    text: lines(
      bold(words.text('order.edit.title', { number: order.number })),
      orderLine(words, order, view.token),
      ...changeLines(words, facts),
      nowLine(words, facts),
      view.refusal !== null
        ? refusalText(words, view.refusal)
        : words.html(hasChanges(state) ? 'order.edit.ready' : 'order.edit.choose'),
    ),
    keyboard: editRows(words, facts),
  };
}

function editRows(words: Words, facts: EditFacts): Keyboard {
  const { state, order, view, stateId, pageId } = facts;
  const on = (label: string, action: string) => act(label, ORDERS, action, stateId);
  const partial = state.partial ?? order.partial;
  const sellsAtEnd = state.sellsAtEnd ?? order.terms.sellsOnExpiry;
  const isStop = order.type === 'STOP_LOSS' || order.type === 'TRAILING_STOP';
  const isEvent = isEventType(order.type);
  const fallBps = fallOf(facts);
  return keyboard(
    [
      order.trigger !== null && on(words.text('btn.order_price'), 'editprice'),
      order.terms.trailing !== null &&
        on(
          words.text('btn.order_trail', { percent: figuresOf(words.language).percent(trailOf(facts)) }),
          'edittrail',
        ),
      fallBps !== null &&
        on(
          words.text('btn.exit_liquidity', { percent: figuresOf(words.language).percent(fallBps) }),
          'editfall',
        ),
      order.amount.kind === 'fixed' && on(words.text('btn.order_amount'), 'editamount'),
    ],
    [
      on(
        state.days === null
          ? words.text('btn.order_end')
          : ticked(words.text('btn.order_days', { days: state.days }), true),
        'editdays',
      ),
      (isStop || order.type === 'LIQUIDITY_FALLS') &&
        on(words.text(`btn.order_hold_${state.hold ?? 'normal'}`), 'edithold'),
      order.type === 'LIMIT' &&
        !view.hasLegs &&
        on(ticked(words.text('btn.order_partial'), partial), 'editpartial'),
      (isStop || isEvent) && on(ticked(words.text('btn.order_at_end'), sellsAtEnd), 'editatend'),
    ],
    [
      (isStop || isEvent) && on(ticked(words.text('btn.order_any_price'), sellsAtAnyPrice(facts)), 'editany'),
      (isStop || isEvent) && on(words.text('btn.order_floor'), 'editfloor'),
      order.type === 'LIMIT' &&
        on(
          words.text('btn.order_tolerance', { percent: percentText(words, toleranceOf(facts)) }),
          'edittolerance',
        ),
      isOfEntry(order) && on(words.text('btn.order_of_entry', { request: order.terms.request }), 'editentry'),
    ],
    [hasChanges(state) && view.refusal === null && on(words.text('btn.order_save'), 'editsave')],
    [act(words.text('btn.back'), ORDERS, 'page', pageId)],
  );
}

export function trailOf({ state, order }: Pick<EditFacts, 'state' | 'order'>): number {
  return state.trailBps ?? order.terms.trailing?.bps ?? 0;
}

/** The fall of liquidity that it waits for, with the changes applied; null for any other order. */
export function fallOf({ state, order }: Pick<EditFacts, 'state' | 'order'>): number | null {
  const { event } = order.terms;
  return event?.kind === 'liquidity-falls' ? (state.fallBps ?? event.fallBps) : null;
}

/** Whether it sells at any price, with the changes applied. */
export function sellsAtAnyPrice({ state, order }: Pick<EditFacts, 'state' | 'order'>): boolean {
  if (state.floor !== null) return state.floor === 'any';
  const { floor } = order.terms;
  return floor === null ? order.trigger !== null : floor.got === 0n;
}

export function toleranceOf({ state, order }: Pick<EditFacts, 'state' | 'order'>): number {
  return state.toleranceBps ?? order.terms.toleranceBps;
}

/** Whether its price was typed relative to the price paid. It stays when more is bought, until its person moves it. */
function isOfEntry({ side, trigger, terms }: Order): boolean {
  return side === 'sell' && trigger !== null && /[%x]$/i.test(terms.request);
}

function changeLines(
  words: Words,
  { state, order, view }: Pick<EditFacts, 'state' | 'order' | 'view'>,
): readonly (Html | null)[] {
  const { price, amount, days, trailBps, fallBps, toleranceBps } = state;
  const { token } = view;
  return [
    price === null
      ? null
      : words.html('order.edit.price', {
          price: tokenPriceText(
            words,
            priceOf(order.side, { got: BigInt(price.got), given: BigInt(price.given) }),
            price.unit,
            token.decimals,
          ),
          request: price.request,
        }),
    trailBps === null ? null : words.html('order.edit.trail', { percent: percentText(words, trailBps) }),
    fallBps === null ? null : words.html('order.edit.fall', { percent: percentText(words, fallBps) }),
    floorLine(words, { state, order, view }),
    toleranceBps === null
      ? null
      : words.html('order.edit.tolerance', { percent: percentText(words, toleranceBps) }),
    amount === null
      ? null
      : words.html('order.edit.amount', {
          amount: unitsText(words, order.side, 'given', BigInt(amount), token),
        }),
    days === null ? null : words.html('order.edit.days', { days }),
  ];
}

function floorLine(
  words: Words,
  { state, order, view }: Pick<EditFacts, 'state' | 'order' | 'view'>,
): Html | null {
  const { floor, price } = state;
  if (floor === null) return null;
  if (typeof floor === 'string') return words.html(`order.edit.floor_${floor}`);
  const rate = { got: BigInt(floor.got), given: BigInt(floor.given) };
  return words.html('order.edit.floor', {
    price: tokenPriceText(words, priceOf(order.side, rate), price?.unit ?? order.unit, view.token.decimals),
  });
}

function nowLine(words: Words, { order, view }: EditFacts): Html | null {
  const now = view.looks[0]?.now;
  if (now == null) return null;
  return words.html('order.edit.now', {
    price: tokenPriceText(words, priceOf(order.side, now.rate), 'SOL', view.token.decimals),
  });
}
