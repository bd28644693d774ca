import { LAMPORTS_PER_SOL, SOL_DECIMALS } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { tradedUnits } from '../../../engine/intents/chat/trade-lines.ts';
import { percentText, plainText } from '../../../platform/telegram/ui/amounts.ts';
import { bold, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, type Row, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { intervalText, utcDayMinute } from '../../../platform/telegram/ui/time.ts';
import { LIQUIDITY_STEPS_BPS } from '../../settings/rules/exit-set.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { microUsd } from '../../trading/rules/price.ts';
import { isEventType } from '../rules/event-trigger.ts';
import { defaultFloor } from '../rules/fire-terms.ts';
import { isStop } from '../rules/join-position.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { roundsTakeMs } from '../rules/schedule.ts';
import { holdMsOf } from '../rules/trigger.ts';
import type { DraftView } from '../use/place-orders.ts';
import {
  type DraftState,
  EVERY,
  type Leg,
  ORDERS,
  PARTS,
  partOf,
  ROUNDS,
  scheduleOf,
} from './draft-state.ts';
import { EXIT_STEPS, type ExitType, hasExits } from './exits.ts';
import { capText, rateText, requestText } from './order-figures.ts';
import { eventMark, holdWords, tokenPriceText, unitsText } from './order-text.ts';
import { refusalText } from './refusal-text.ts';

export type FormFacts = {
  readonly state: DraftState;
  readonly view: DraftView;
  /** The wallet's cost of a smallest unit, fees in; null where it is unknown, and for a purchase. */
  readonly entry: Rate | null;
  readonly now: number;
  readonly stateId: string;
  /** Behind the way back to the trade card. */
  readonly cardId: string;
};

const TITLE_SYMBOL = 10;

/** The price buttons of a limit order, by side. */
export const LIMIT_STEPS = {
  buy: ['-5%', '-10%', '-20%', '-50%'],
  sell: ['+10%', '+25%', '+50%', '+100%'],
} as const;
export const TP_STEPS = ['+25%', '+50%', '+100%', '+300%'] as const;
export const SL_STEPS = ['-10%', '-20%', '-30%', '-50%'] as const;
export const TRAIL_STEPS = [1_000, 1_500, 2_500] as const;

/** The form of an order: its effect, the refusals and the buttons. It has [Place] when nothing refuses. */
export function formView(words: Words, facts: FormFacts): View {
  const { state, view, stateId, cardId } = facts;
  const on = (label: string, action: string) => act(label, ORDERS, action, stateId);
  const isReady = view.refusal === null && (state.tab === 'dca' || state.legs.length > 0);
  return {
    text: lines(
      state.tab === 'dca'
        ? dcaTitle(words, facts)
        : words.html(state.tab === 'limit' ? `order.form.limit_${state.side}` : 'order.form.tpsl', {
            symbol: bold(fitted(displaySymbol(view.token), TITLE_SYMBOL)),
            amount: givenText(words, facts),
          }),
      ...(state.tab === 'dca'
        ? dcaLines(words, facts)
        : [
            ...state.legs
              .filter(({ type }) => !isEventType(type))
              .flatMap((leg) => legLines(words, facts, leg)),
            eventLegs(words, state.legs),
          ]),
      ...exitLines(words, facts),
      stopLine(words, facts),
      state.tab === 'dca' ? null : nowLine(words, facts),
      ...warningLines(words, view),
      state.legs.length === 0 && state.tab !== 'dca'
        ? words.html(`order.form.choose_${state.tab}`)
        : view.refusal === null
          ? readyText(words, state)
          : refusalText(words, view.refusal),
      state.tab === 'limit' && endText(words, state),
      state.tab === 'dca' && words.html(`order.form.type_dca_${state.side}`),
    ),
    keyboard: keyboard(
      ...priceRows(words, state, on),
      state.tab === 'limit' && [
        on(words.text('btn.order_amount'), 'amount'),
        on(words.text('btn.order_days', { days: state.days }), 'days'),
      ],
      [
        isReady && on(words.text(state.tab === 'dca' ? 'btn.order_start' : 'btn.order_place'), 'place'),
        state.tab === 'tpsl' && state.legs.length > 0 && on(words.text('btn.order_clear'), 'clear'),
        state.tab !== 'tpsl' &&
          on(words.text(state.side === 'buy' ? 'btn.order_to_sell' : 'btn.order_to_buy'), 'side'),
        state.tab !== 'tpsl' && act(words.text('btn.back'), 'trade', 'card', cardId),
      ],
      state.tab === 'tpsl' && [
        !state.advanced && on(words.text('btn.exits_advanced'), 'advanced'),
        !state.advanced && state.legs.length > 0 && on(words.text('btn.exits_default'), 'asdefault'),
        state.advanced
          ? on(words.text('btn.back'), 'plain')
          : act(words.text('btn.back'), 'trade', 'card', cardId),
      ],
    ),
  };
}

function readyText(words: Words, { tab, side, legs, toleranceBps }: DraftState): Html | null {
  if (tab === 'dca') return null;
  if (tab === 'tpsl') return words.html('order.form.ready_tpsl');
  return legs[0]?.type === 'LIMIT' && toleranceBps > 0
    ? words.html('order.form.ready_tolerant', { percent: percentText(words, toleranceBps) })
    : words.html(`order.form.ready_${side}`);
}

/** When it ends, and whether it may trade a part of it. */
const endText = (words: Words, { days, partial }: DraftState): Html =>
  words.html(partial ? 'order.form.ends_parts' : 'order.form.ends', { days });

/** Of a purchase in SOL and dollars, exact; of a sale in tokens. */
function givenText(words: Words, { state, view }: FormFacts): string {
  const units = BigInt(state.amount);
  const figures = figuresOf(words.language);
  if (state.side === 'sell') return tradedUnits(words, units, view.token);
  const micros = microUsdOf(view);
  return `${figures.solExact(units)}${micros === null ? '' : ` (${figures.usd(microUsd(units, micros))})`}`;
}

const microUsdOf = ({ solUsd }: DraftView): bigint | null =>
  solUsd === null ? null : (solUsd.micros * LAMPORTS_PER_SOL) / solUsd.lamports;

type On = (label: string, action: string) => Row[number];

function priceRows(words: Words, state: DraftState, on: On): readonly Row[] {
  switch (state.tab) {
    case 'limit':
      return limitRows(words, state, on);
    case 'tpsl':
      return state.advanced ? termRows(words, state, on) : saleRows(words, state, on);
    case 'dca':
      return roundRows(words, state, on);
  }
}

function roundRows(words: Words, state: DraftState, on: On): readonly Row[] {
  const { rounds, everyMinutes, band, side } = state;
  return [
    EVERY.map((minutes, index) =>
      on(ticked(intervalText(minutes), minutes === everyMinutes), `every-${index}`),
    ),
    [
      ...ROUNDS.map((count, index) => on(ticked(`${count}×`, count === rounds), `rounds-${index}`)),
      on('X×', 'rhythm'),
    ],
    side === 'sell'
      ? [on(words.text('btn.order_amount'), 'amount')]
      : [
          ...PARTS.map((part, index) =>
            on(ticked(plainText(words, part, SOL_DECIMALS), part === partOf(state)), `part-${index}`),
          ),
          on('X SOL', 'part_typed'),
        ],
    [
      on(words.text(state.firstInMinutes === 0 ? 'btn.order_first_now' : 'btn.order_first_later'), 'first'),
      band === null
        ? on(words.text(`btn.order_band_${side}`), 'band')
        : on(words.text(`btn.order_band_off_${side}`), 'noband'),
    ],
  ];
}

function limitRows(words: Words, state: DraftState, on: On): readonly Row[] {
  const { side, legs, toleranceBps } = state;
  const [chosen] = legs;
  return [
    LIMIT_STEPS[side].map((step, index) =>
      on(ticked(requestText(words, step), chosen?.request === step), `step-${index}`),
    ),
    [
      on(words.text('btn.order_price'), 'price'),
      ...(side === 'buy' ? [on(words.text('btn.order_breakout'), 'breakout')] : []),
    ],
    [
      on(ticked(words.text('btn.order_partial'), state.partial), 'partial'),
      ...(chosen?.type === 'LIMIT'
        ? [on(words.text('btn.order_tolerance', { percent: percentText(words, toleranceBps) }), 'tolerance')]
        : []),
    ],
    ...(hasExits(state) ? exitRows(words, state, on) : []),
  ];
}

function saleRows(words: Words, state: DraftState, on: On): readonly Row[] {
  // The first of a row says which it is: a phone has no room for four.
  const row = (mark: 'TP' | 'SL', steps: readonly string[], action: string): Row =>
    steps.map((step, index) => {
      const label = index === 0 ? `${mark} ${requestText(words, step)}` : requestText(words, step);
      const isChosen = state.legs.some(({ request }) => request === step);
      return on(isChosen ? `✓${label}` : label, `${action}-${index}`);
    });
  return [
    row('TP', TP_STEPS, 'tp'),
    row('SL', SL_STEPS, 'sl'),
    TRAIL_STEPS.map((step, index) => {
      const percent = figuresOf(words.language).percent(step);
      const isOn = state.legs.some(({ type, trailBps }) => type === 'TRAILING_STOP' && trailBps === step);
      const label = index === 0 ? words.text('btn.order_trail', { percent }) : percent;
      return on(isOn ? `✓${label}` : label, `trail-${index}`);
    }),
  ];
}

/** The terms of exits beside their prices: those of the stop where there is one. */
function termRows(words: Words, state: DraftState, on: On): readonly Row[] {
  const stop = stopOf(state);
  const dev = state.legs.find(({ type }) => type === 'DEV_SELLS');
  const fall = state.legs.find(({ type }) => type === 'LIQUIDITY_FALLS');
  return [
    [
      on(words.text('btn.order_tp_price'), 'tpprice'),
      on(words.text('btn.order_sl_price'), 'slprice'),
      ...(stop?.type === 'TRAILING_STOP' ? [on(words.text('btn.order_trail_from'), 'trailfrom')] : []),
    ],
    [
      on(ticked(eventMark(words, 'DEV_SELLS', 0), dev !== undefined), 'devsells'),
      on(
        ticked(
          eventMark(words, 'LIQUIDITY_FALLS', fall?.trailBps ?? LIQUIDITY_STEPS_BPS[0]),
          fall !== undefined,
        ),
        'liquidity',
      ),
    ],
    stop === undefined
      ? []
      : [
          on(ticked(words.text('btn.order_any_price'), state.anyPrice), 'anyprice'),
          on(words.text(`btn.order_hold_${state.hold}`), 'hold'),
        ],
    [
      on(words.text('btn.order_days', { days: state.days }), 'days'),
      ...(stop === undefined ? [] : [on(ticked(words.text('btn.order_at_end'), state.sellsAtEnd), 'atend')]),
    ],
  ];
}

function exitRows(words: Words, { exits }: DraftState, on: On): readonly Row[] {
  const isOn = (type: ExitType, step: string) =>
    exits.some((one) => one.type === type && one.request === step);
  const steps = (type: ExitType, label: 'TP' | 'SL', action: string) =>
    EXIT_STEPS[type].map((step, index) =>
      on(ticked(`${label} ${requestText(words, step)}`, isOn(type, step)), `${action}-${index}`),
    );
  return [steps('TAKE_PROFIT', 'TP', 'exittp'), steps('STOP_LOSS', 'SL', 'exitsl')];
}

/** The exits that wait for the purchase, and the price that they are relative to. */
function exitLines(words: Words, facts: FormFacts): readonly (Html | null)[] {
  const { state } = facts;
  if (state.exits.length === 0) return [];
  const sold = { ...facts, state: { ...state, tab: 'tpsl', side: 'sell' } } as const;
  const priced = state.exits.filter(({ type }) => !isEventType(type));
  return [
    words.html('order.form.then'),
    ...priced.flatMap((leg) => legLines(words, sold, leg)),
    eventLegs(words, state.exits),
  ];
}

/** The price in dollars. For a limit order also the exact price in its own unit: the person agrees to that one. */
function legLines(words: Words, { state, view }: FormFacts, leg: Leg): readonly Html[] {
  const { side, tab } = state;
  const { token } = view;
  if (leg.type === 'TRAILING_STOP')
    return [
      words.html('order.form.leg_trail', {
        mark: words.text(`order.mark.${leg.type}_${side}`),
        where: trailText(words, leg, view),
        share: shareText(words, leg),
      }),
    ];
  const price = priceOf(side, { got: BigInt(leg.got), given: BigInt(leg.given) });
  const shown = bold(rateText(words, price, leg.unit, token, microUsdOf(view)));
  if (tab !== 'limit')
    return [
      words.html('order.form.leg', {
        mark: [words.text(`order.mark.${leg.type}_${side}`), requestText(words, leg.request)]
          .filter((part) => part !== '')
          .join(' '),
        price: shown,
        share: shareText(words, leg),
      }),
    ];
  const isBelow = leg.type === 'LIMIT' && side === 'buy';
  return [
    words.html(isBelow ? 'order.form.at_less' : 'order.form.at_more', {
      price: shown,
      cap: capText(words, price, leg.unit, token, microUsdOf(view)),
    }),
    words.html('orders.exact', {
      price: tokenPriceText(words, price, leg.unit, token.decimals),
      request: requestText(words, leg.request) === '' ? '' : ` (${requestText(words, leg.request)})`,
    }),
  ];
}

/** `Dev sells · Liquidity −50% · any price`: each sells the rest, without a floor. */
function eventLegs(words: Words, legs: readonly Leg[]): Html | null {
  const marks = legs
    .filter(({ type }) => isEventType(type))
    .map(({ type, trailBps }) => eventMark(words, type, trailBps));
  return marks.length === 0 ? null : words.html('order.form.leg_event', { marks: marks.join(' · ') });
}

const shareText = (words: Words, { shareBps }: Leg): string =>
  shareBps === 0
    ? words.text('order.sells_rest')
    : words.text('order.sells', { amount: figuresOf(words.language).percent(shareBps) });

function trailText(words: Words, leg: Leg, { token }: DraftView): string {
  const percent = percentText(words, leg.trailBps);
  if (leg.got === '0') return words.text('order.trails', { percent });
  const price = priceOf('sell', { got: BigInt(leg.got), given: BigInt(leg.given) });
  return words.text('order.trails_from', {
    percent,
    price: tokenPriceText(words, price, leg.unit, token.decimals),
  });
}

function stopOf({ tab, legs }: Pick<DraftState, 'tab' | 'legs'>): Leg | undefined {
  return tab === 'tpsl' ? legs.find(isStop) : undefined;
}

/** The lowest price at which a stop sells, and how long its trigger must hold. */
function stopLine(words: Words, { state, view }: FormFacts): Html | null {
  const stop = stopOf(state);
  if (stop === undefined) return null;
  const held = holdWords(words, holdMsOf('FALL', state.hold));
  if (state.anyPrice) return words.html('order.form.stop_any', held);
  if (stop.type === 'TRAILING_STOP') return words.html('order.form.stop_trail', held);
  const floor = defaultFloor({ got: BigInt(stop.got), given: BigInt(stop.given) });
  return words.html('order.form.stop_floor', {
    ...held,
    floor: rateText(words, priceOf('sell', floor), stop.unit, view.token, microUsdOf(view)),
  });
}

/** What each round trades and when, all of it together, at which price, and when it ends. */
function dcaLines(words: Words, facts: FormFacts): readonly (Html | null)[] {
  const { state, view, now } = facts;
  const { band, side, rounds, everyMinutes } = state;
  const first = now + state.firstInMinutes * 60_000;
  return [
    words.html('order.form.dca_every', { every: intervalText(everyMinutes), rounds }),
    words.html('order.form.dca_total', {
      amount: givenText(words, facts),
      at: utcDayMinute(first + roundsTakeMs(scheduleOf(state))),
    }),
    band === null
      ? words.html('order.form.dca_any')
      : words.html(`order.form.band_${side}`, {
          price: tokenPriceText(
            words,
            priceOf(side, { got: BigInt(band.got), given: BigInt(band.given) }),
            'SOL',
            view.token.decimals,
          ),
        }),
    words.html(`order.form.dca_missed_${side}`),
  ];
}

/** What one round gives, and when the first one is due. */
function dcaTitle(words: Words, { state, view }: FormFacts): Html {
  const { side, firstInMinutes } = state;
  const figures = figuresOf(words.language);
  return words.html(`order.form.dca_${side}`, {
    symbol: bold(fitted(displaySymbol(view.token), TITLE_SYMBOL)),
    part: side === 'buy' ? figures.solExact(partOf(state)) : tradedUnits(words, partOf(state), view.token),
    when:
      firstInMinutes === 0
        ? words.text('order.form.dca_now')
        : words.text('order.form.dca_in', { time: intervalText(firstInMinutes) }),
  });
}

/** The cost, where percentages count from it, and the present price with the proceeds of the whole size. */
function nowLine(words: Words, { state, view, entry }: FormFacts): Html | null {
  const now = view.looks[0]?.now;
  const figures = figuresOf(words.language);
  const micros = microUsdOf(view);
  const textOf = (rate: Rate): string => rateText(words, rate, 'SOL', view.token, micros);
  const hasEntry = state.side === 'sell' && state.tab !== 'dca' && entry !== null;
  if (now == null) return hasEntry ? words.html('order.form.entry', { entry: textOf(entry) }) : null;
  const price = textOf(priceOf(state.side, now.rate));
  const got =
    state.side === 'buy'
      ? unitsText(words, 'buy', 'got', now.got, view.token)
      : micros === null
        ? figures.sol(now.got)
        : figures.usd(microUsd(now.got, micros));
  return hasEntry
    ? words.html('order.form.entry_now', { entry: textOf(entry), price, got })
    : words.html('order.form.now', { price, got });
}

function warningLines(words: Words, { looks }: DraftView): readonly Html[] {
  const warnings = looks.flatMap((look) => look.warnings);
  const [worst] = warnings;
  return worst === undefined ? [] : [words.html(`order.warn.${worst.kind}`)];
}
