import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { readPrice, relativePrice, triggerOf } from '../../orders/rules/placement.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import type { OrderDraft } from '../../orders/use/draft.ts';

/** Where what a purchase brings is sold again, as its buttons say it: percent of the entry; empty = nowhere. */
export type Exits = { readonly takeAt: string; readonly stopAt: string };

export const NO_EXITS: Exits = { takeAt: '', stopAt: '' };
const TRAIL = 'trail';
const TRAIL_BPS = 1_500;
const TAKES: readonly string[] = ['', '+25%', '+50%', '+100%', '+300%'];
const STOPS: readonly string[] = ['', '-10%', '-20%', '-30%', '-50%', TRAIL];

const after = (all: readonly string[], now: string): string => all[(all.indexOf(now) + 1) % all.length] ?? '';

/** The next choice of one of the two buttons. */
export function nextExits(exits: Exits, which: keyof Exits): Exits {
  return which === 'takeAt'
    ? { ...exits, takeAt: after(TAKES, exits.takeAt) }
    : { ...exits, stopAt: after(STOPS, exits.stopAt) };
}

/** What was written behind a button; what is no choice of these is none. */
export function exitsOf(takeAt: string | null, stopAt: string | null): Exits {
  const one = (all: readonly string[], text: string | null): string =>
    all.includes(text ?? '') ? (text ?? '') : '';
  return { takeAt: one(TAKES, takeAt), stopAt: one(STOPS, stopAt) };
}

export function hasExits({ takeAt, stopAt }: Exits): boolean {
  return takeAt !== '' || stopAt !== '';
}

export function takeLabel(words: Words, { takeAt }: Exits): string {
  return takeAt === '' ? words.text('btn.exit_take_off') : `TP ${shown(words, takeAt)}`;
}

export function stopLabel(words: Words, { stopAt }: Exits): string {
  if (stopAt === '') return words.text('btn.exit_stop_off');
  return stopAt === TRAIL
    ? words.text('btn.order_trail', { percent: percentText(TRAIL_BPS) })
    : `SL ${shown(words, stopAt)}`;
}

/** As the screens write percentages. */
const shown = (words: Words, percent: string): string =>
  figuresOf(words.language).move(Number(percent.replace('%', '')));

/** One line that says what follows the purchase; null where nothing does. */
export function exitsLine(words: Words, exits: Exits): Html | null {
  if (!hasExits(exits)) return null;
  const parts = [
    ...(exits.takeAt === '' ? [] : [takeLabel(words, exits)]),
    ...(exits.stopAt === '' ? [] : [stopLabel(words, exits)]),
  ];
  return words.html('trade.exits', { exits: parts.join(' · ') });
}

const SALE = {
  side: 'sell',
  unit: 'SOL',
  floor: 'default',
  trailing: null,
  hold: 'normal',
  partial: false,
  schedule: null,
  sellsOnExpiry: false,
} as const;

/** The sales that wait for a purchase at this price: all that arrives for the profit, what is left for the stop, each once. */
export function exitDrafts({ takeAt, stopAt }: Exits, price: Rate): readonly OrderDraft[] {
  const drafts: OrderDraft[] = [];
  if (takeAt !== '') {
    const amount = { kind: 'share', bps: 10_000 } as const;
    drafts.push({ ...SALE, type: 'TAKE_PROFIT', amount, trigger: ofEntry(price, takeAt), request: takeAt });
  }
  const rest = { kind: 'rest' } as const;
  if (stopAt === TRAIL) {
    const trailing = { bps: TRAIL_BPS, activation: null };
    drafts.push({ ...SALE, type: 'TRAILING_STOP', amount: rest, trigger: null, trailing, request: '' });
  } else if (stopAt !== '') {
    drafts.push({
      ...SALE,
      type: 'STOP_LOSS',
      amount: rest,
      trigger: ofEntry(price, stopAt),
      request: stopAt,
    });
  }
  return drafts;
}

function ofEntry(price: Rate, percent: string): Rate {
  const request = readPrice(percent);
  if (request.kind !== 'percent') throw new RangeError(`exits: no percentage ${percent}`);
  return triggerOf('sell', relativePrice(price, { ...request, kind: 'percent' }));
}
