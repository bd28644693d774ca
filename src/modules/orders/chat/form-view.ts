import type { Words } from '../../../compose/texts/words.ts';
import { compactUsd, percentText, solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { bold, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, type Row, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { intervalText, utcDayMinute } from '../../../platform/telegram/ui/time.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { defaultFloor } from '../rules/fire-terms.ts';
import type { PriceUnit } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { roundsTakeMs } from '../rules/schedule.ts';
import { holdSlotsOf } from '../rules/trigger.ts';
import type { DraftView } from '../use/place-orders.ts';
import { type DraftState, type Leg, ORDERS, scheduleOf } from './draft-state.ts';
import { EXIT_STEPS, type ExitType, hasExits } from './exits.ts';
import { holdWords, tokenPriceText, unitsText } from './order-text.ts';
import { refusalText } from './refusal-text.ts';

export type FormFacts = {
  readonly state: DraftState;
  readonly view: DraftView;
  /** What the wallet has paid for a smallest unit, fees in; null where nobody knows, and for a purchase. */
  readonly entry: Rate | null;
  readonly now: number;
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
      stopLine(words, facts),
      entryLine(words, facts),
      nowLine(words, facts),
      ...warningLines(words, view),
      html``,
      state.legs.length === 0 && state.tab !== 'dca'
        ? words.html(`order.form.choose_${state.tab}`)
        : view.refusal === null
          ? readyText(words, state)
          : refusalText(words, view.refusal),
    ),
    keyboard: keyboard(
      ...priceRows(words, state, on),
      [
        on(words.text('btn.order_amount'), 'amount'),
        state.tab !== 'dca' && on(words.text('btn.order_days', { days: state.days }), 'days'),
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

function readyText(words: Words, { tab, legs, toleranceBps }: DraftState): Html {
  return legs[0]?.type === 'LIMIT' && toleranceBps > 0
    ? words.html('order.form.ready_tolerant', { percent: percentText(toleranceBps) })
    : words.html(`order.form.ready_${tab}`);
}

function givenText({ state, view }: FormFacts): string {
  const text = unitsText(state.side, 'given', BigInt(state.amount), view.token);
  return state.side === 'buy' ? `${text}${usdNote(BigInt(state.amount), view.solUsd?.micros ?? null)}` : text;
}

type On = (label: string, action: string) => Row[number];

function priceRows(words: Words, state: DraftState, on: On): readonly Row[] {
  switch (state.tab) {
    case 'limit':
      return limitRows(words, state, on);
    case 'tpsl':
      return saleRows(words, state, on);
    case 'dca':
      return [
        roundRow(words, state, on),
        [
          on(words.text('btn.order_rhythm'), 'rhythm'),
          on(
            words.text(state.firstInMinutes === 0 ? 'btn.order_first_now' : 'btn.order_first_later'),
            'first',
          ),
        ],
      ];
  }
}

function roundRow(words: Words, { rounds, everyMinutes, band, side }: DraftState, on: On): Row {
  return [
    on(words.text('btn.order_rounds', { rounds }), 'rounds'),
    on(words.text('btn.order_every', { every: intervalText(everyMinutes) }), 'every'),
    band === null
      ? on(words.text(`btn.order_band_${side}`), 'band')
      : on(words.text('btn.order_no_band'), 'noband'),
  ];
}

function limitRows(words: Words, state: DraftState, on: On): readonly Row[] {
  const { side, legs, toleranceBps } = state;
  const [chosen] = legs;
  return [
    LIMIT_STEPS[side].map((step, index) => on(ticked(step, chosen?.request === step), `step-${index}`)),
    [
      on(words.text('btn.order_price'), 'price'),
      ...(side === 'buy' ? [on(words.text('btn.order_breakout'), 'breakout')] : []),
    ],
    chosen?.type === 'LIMIT'
      ? [on(words.text('btn.order_tolerance', { percent: percentText(toleranceBps) }), 'tolerance')]
      : [],
    hasExits(state) ? exitRow(state, on) : [],
  ];
}

function saleRows(words: Words, state: DraftState, on: On): readonly Row[] {
  const stop = stopOf(state);
  return [
    TP_STEPS.map((step, index) => on(`TP ${step}`, `tp-${index}`)),
    SL_STEPS.map((step, index) => on(`SL ${step}`, `sl-${index}`)),
    TRAIL_STEPS.map((step, index) =>
      on(words.text('btn.order_trail', { percent: percentText(step) }), `trail-${index}`),
    ),
    [
      on(words.text('btn.order_tp_price'), 'tpprice'),
      on(words.text('btn.order_sl_price'), 'slprice'),
      on(words.text('btn.order_clear'), 'clear'),
    ],
    stop === undefined
      ? []
      : [
          on(ticked(words.text('btn.order_any_price'), state.anyPrice), 'anyprice'),
          ...(stop.type === 'TRAILING_STOP' ? [on(words.text('btn.order_trail_from'), 'trailfrom')] : []),
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
    leg.type === 'TRAILING_STOP' ? trailText(words, leg, view) : legPrice(words, state, leg, view);
  return state.tab === 'limit'
    ? html`${label}: ${where} (${leg.request})`
    : html`${label}${leg.request === '' || leg.type === 'TRAILING_STOP' ? '' : ` ${leg.request}`}: ${where} · ${share}`;
}

/** `0.00001 SOL · cap $1.5M`: the price that stands, whatever was typed, and what it makes all tokens worth. */
function legPrice(words: Words, { side }: Pick<DraftState, 'side'>, leg: Leg, view: DraftView): string {
  const price = priceOf(side, { got: BigInt(leg.got), given: BigInt(leg.given) });
  const cap = capOf(price, leg.unit, view);
  const text = tokenPriceText(price, leg.unit, view.token.decimals);
  return cap === null ? text : `${text} · ${words.text('order.form.cap', { cap: compactUsd(cap) })}`;
}

/** In whole dollars, for reading; null while nobody knows the price of SOL. */
function capOf({ got, given }: Rate, unit: PriceUnit, { token, solUsd }: DraftView): number | null {
  const units = (got * token.supply) / given;
  if (unit === 'USD') return Number(units) / 1e6;
  return solUsd === null ? null : Number((units * solUsd.micros) / solUsd.lamports) / 1e6;
}

function trailText(words: Words, leg: Leg, { token }: DraftView): string {
  const percent = percentText(leg.trailBps);
  if (leg.got === '0') return words.text('order.trails', { percent });
  const price = priceOf('sell', { got: BigInt(leg.got), given: BigInt(leg.given) });
  return words.text('order.trails_from', { percent, price: tokenPriceText(price, leg.unit, token.decimals) });
}

function stopOf({ tab, legs }: Pick<DraftState, 'tab' | 'legs'>): Leg | undefined {
  return tab === 'tpsl' ? legs.find(({ type }) => type !== 'TAKE_PROFIT') : undefined;
}

/** Down to where a stop sells, and how long its price must stand. */
function stopLine(words: Words, { state, view }: FormFacts): Html | null {
  const stop = stopOf(state);
  if (stop === undefined) return null;
  const slots = holdSlotsOf('FALL', state.hold);
  const held = holdWords(words, slots);
  if (state.anyPrice) return words.html('order.form.stop_any', held);
  if (stop.type === 'TRAILING_STOP') return words.html('order.form.stop_trail', held);
  const floor = defaultFloor({ got: BigInt(stop.got), given: BigInt(stop.given) });
  return words.html('order.form.stop_floor', {
    ...held,
    floor: tokenPriceText(priceOf('sell', floor), stop.unit, view.token.decimals),
  });
}

function entryLine(words: Words, { state, view, entry }: FormFacts): Html | null {
  if (state.side === 'buy' || state.tab === 'dca' || entry === null) return null;
  return words.html('order.form.entry', { price: tokenPriceText(entry, 'SOL', view.token.decimals) });
}

function dcaLine(words: Words, { state, view, now }: FormFacts): Html {
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
  } ${dcaTimes(words, state, now)}`;
}

/** When the first round comes, and the last. */
function dcaTimes(words: Words, state: DraftState, now: number): Html {
  const first = now + state.firstInMinutes * 60_000;
  return html`${
    state.firstInMinutes === 0
      ? words.html(`order.form.dca_first_${state.side}`)
      : words.html('order.form.dca_first_later', { at: utcDayMinute(first) })
  } ${words.html('order.form.dca_last', { at: utcDayMinute(first + roundsTakeMs(scheduleOf(state))) })}`;
}

function nowLine(words: Words, { state, view }: FormFacts): Html | null {
  const now = view.looks[0]?.now;
  if (now == null) return null;
  return words.html('order.form.now', {
    price: tokenPriceText(priceOf(state.side, now.rate), 'SOL', view.token.decimals),
    got:
      state.side === 'buy'
        ? unitsText('buy', 'got', now.got, view.token)
        : `${solText(now.got, 4)}${usdNote(now.got, view.solUsd?.micros ?? null)}`,
  });
}

function warningLines(words: Words, { looks }: DraftView): readonly Html[] {
  const warnings = looks.flatMap((look) => look.warnings);
  const [worst] = warnings;
  return worst === undefined ? [] : [words.html(`order.warn.${worst.kind}`)];
}
