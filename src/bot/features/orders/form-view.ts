import { priceOf } from '../../../core/orders/placement.ts';
import { displaySymbol } from '../../../core/tokens/display-name.ts';
import type { DraftView } from '../../../services/orders/place-orders.ts';
import type { Words } from '../../locales/words.ts';
import { tokenPriceText, unitsText } from '../../orders/order-text.ts';
import { refusalText } from '../../orders/refusal-text.ts';
import { percentText, shortTokenText, solText, usdNote } from '../../ui/amounts.ts';
import { bold, type Html, html, lines } from '../../ui/html.ts';
import { act, inRows, keyboard, type Row, ticked } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { intervalText } from '../../ui/time.ts';
import { type DraftState, type Leg, ORDERS } from './draft-state.ts';
import { EXIT_STEPS, type ExitType, hasExits } from './exits.ts';

export type FormFacts = {
  readonly state: DraftState;
  readonly view: DraftView;
  readonly stateId: string;
  /** Behind the way back to the trade card. */
  readonly cardId: string;
};

/** The price buttons of a limit order, by side. */
export const LIMIT_STEPS = {
  buy: ['-5%', '-10%', '-20%', '-50%'],
  sell: ['+10%', '+25%', '+50%', '+100%'],
} as const;
export const TP_STEPS = ['+25%', '+50%', '+100%', '+300%'] as const;
export const SL_STEPS = ['-10%', '-20%', '-30%', '-50%'] as const;
export const TRAIL_STEPS = [1_000, 1_500, 2_500] as const;

/** The form of an order: what it would do, what is against it, and its buttons. Place stands there when nothing is. */
export function formView(words: Words, facts: FormFacts): View {
  const { state, view, stateId, cardId } = facts;
  const on = (label: string, action: string) => act(label, ORDERS, action, stateId);
  const isReady = view.refusal === null && (state.tab === 'dca' || state.legs.length > 0);
  return {
    text: lines(
      bold(words.text(`order.form.${state.tab}`, { symbol: displaySymbol(view.token) })),
      words.html('order.form.amount', { amount: givenText(facts) }),
      html``,
      ...(state.tab === 'dca'
        ? [dcaLine(words, facts)]
        : state.legs.map((leg) => legLine(words, facts, leg))),
      ...exitLines(words, facts),
      nowLine(words, facts),
      ...warningLines(words, view),
      html``,
      state.legs.length === 0 && state.tab !== 'dca'
        ? words.html(`order.form.choose_${state.tab}`)
        : view.refusal === null
          ? words.html(`order.form.ready_${state.tab}`)
          : refusalText(words, view.refusal),
    ),
    keyboard: keyboard(
      ...priceRows(words, state, on),
      [
        on(words.text('btn.order_amount'), 'amount'),
        on(words.text('btn.order_days', { days: state.days }), 'days'),
        state.tab === 'tpsl' && on(words.text(`btn.order_hold_${state.hold}`), 'hold'),
        state.tab === 'tpsl' && on(ticked(words.text('btn.order_at_end'), state.sellsAtEnd), 'atend'),
        state.tab === 'limit' && on(ticked(words.text('btn.order_partial'), state.partial), 'partial'),
        state.tab !== 'tpsl' &&
          on(words.text(state.side === 'buy' ? 'btn.order_to_sell' : 'btn.order_to_buy'), 'side'),
      ],
      [isReady && on(words.text('btn.order_place'), 'place')],
      [act(words.text('btn.back'), 'trade', 'card', cardId)],
    ),
  };
}

function givenText({ state, view }: FormFacts): string {
  const text = unitsText(state.side, 'given', BigInt(state.amount), view.token);
  return state.side === 'buy' ? `${text}${usdNote(BigInt(state.amount), view.solUsd?.micros ?? null)}` : text;
}

type On = (label: string, action: string) => Row[number];

function priceRows(words: Words, state: DraftState, on: On): readonly Row[] {
  if (state.tab === 'dca') {
    return [
      [
        on(words.text('btn.order_rounds', { rounds: state.rounds }), 'rounds'),
        on(words.text('btn.order_every', { every: intervalText(state.everyMinutes) }), 'every'),
        state.band === null
          ? on(words.text(`btn.order_band_${state.side}`), 'band')
          : on(words.text('btn.order_no_band'), 'noband'),
      ],
    ];
  }
  if (state.tab === 'limit') {
    const chosen = state.legs[0]?.request;
    return [
      LIMIT_STEPS[state.side].map((step, index) => on(ticked(step, chosen === step), `step-${index}`)),
      [
        on(words.text('btn.order_price'), 'price'),
        ...(state.side === 'buy' ? [on(words.text('btn.order_breakout'), 'breakout')] : []),
      ],
      ...(hasExits(state) ? [exitRow(state, on)] : []),
    ];
  }
  return [
    ...inRows(
      TP_STEPS.map((step, index) => on(`TP ${step}`, `tp-${index}`)),
      4,
    ),
    ...inRows(
      SL_STEPS.map((step, index) => on(`SL ${step}`, `sl-${index}`)),
      4,
    ),
    TRAIL_STEPS.map((step, index) =>
      on(words.text('btn.order_trail', { percent: percentText(step) }), `trail-${index}`),
    ),
    [
      on(words.text('btn.order_tp_price'), 'tpprice'),
      on(words.text('btn.order_sl_price'), 'slprice'),
      on(words.text('btn.order_clear'), 'clear'),
    ],
  ];
}

function exitRow({ exits }: DraftState, on: On): Row {
  const isOn = (type: ExitType, step: string) =>
    exits.some((one) => one.type === type && one.request === step);
  const steps = (type: ExitType, label: 'TP' | 'SL', action: string) =>
    EXIT_STEPS[type].map((step, index) =>
      on(ticked(`${label} ${step}`, isOn(type, step)), `${action}-${index}`),
    );
  return [...steps('TAKE_PROFIT', 'TP', 'exittp'), ...steps('STOP_LOSS', 'SL', 'exitsl')];
}

/** What waits for the purchase, and by which price. */
function exitLines(words: Words, facts: FormFacts): readonly (Html | null)[] {
  const { state } = facts;
  if (state.exits.length === 0) return [];
  const sold = { ...facts, state: { ...state, tab: 'tpsl', side: 'sell' } } as const;
  return [words.html('order.form.then'), ...state.exits.map((leg) => legLine(words, sold, leg))];
}

function legLine(words: Words, { state, view }: FormFacts, leg: Leg): Html {
  const label = words.text(`order.type.${leg.type}_${state.side}`);
  const share = leg.shareBps === 0 ? words.text('order.all') : percentText(leg.shareBps);
  const where =
    leg.type === 'TRAILING_STOP'
      ? words.text('order.trails', { percent: percentText(leg.trailBps) })
      : tokenPriceText(
          priceOf(state.side, { got: BigInt(leg.got), given: BigInt(leg.given) }),
          leg.unit,
          view.token.decimals,
        );
  return state.tab === 'limit'
    ? html`${label}: ${where} (${leg.request})`
    : html`${label}${leg.request === '' ? '' : ` ${leg.request}`}: ${where} · ${share}`;
}

function dcaLine(words: Words, { state, view }: FormFacts): Html {
  const part = BigInt(state.amount) / BigInt(state.rounds);
  const { band, side } = state;
  return html`${words.html('order.form.dca_line', {
    rounds: state.rounds,
    part: unitsText(side, 'given', part, view.token),
    every: intervalText(state.everyMinutes),
  })}${
    band === null
      ? ''
      : html` ${words.html(`order.form.band_${side}`, {
          price: tokenPriceText(
            priceOf(side, { got: BigInt(band.got), given: BigInt(band.given) }),
            'SOL',
            view.token.decimals,
          ),
        })}`
  }`;
}

function nowLine(words: Words, { state, view }: FormFacts): Html | null {
  const now = view.looks[0]?.now;
  if (now == null) return null;
  return words.html('order.form.now', {
    price: tokenPriceText(priceOf(state.side, now.rate), 'SOL', view.token.decimals),
    got:
      state.side === 'buy'
        ? `${shortTokenText(now.got, view.token.decimals)} ${displaySymbol(view.token)}`
        : `${solText(now.got, 4)}${usdNote(now.got, view.solUsd?.micros ?? null)}`,
  });
}

function warningLines(words: Words, { looks }: DraftView): readonly Html[] {
  const warnings = looks.flatMap((look) => look.warnings);
  const [worst] = warnings;
  return worst === undefined ? [] : [words.html(`order.warn.${worst.kind}`)];
}
