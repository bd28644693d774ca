import type { Words } from '../../../compose/texts/words.ts';
import { amountText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { ConvertOutcome, ConvertPeriod } from '../rules.ts';
import type { ConvertOverview } from '../use/convert-overview.ts';

export const CONVERT = 'convert';

const number = (words: Words, points: bigint): string => amountText(words, points, 0);

/** `isOn` false = switched off here: periods are not shown, but a request for a notice of the next one is taken. */
export function convertView(words: Words, facts: ConvertOverview, isOn: boolean): View {
  const { period, phase } = facts;
  const isOpen = isOn && phase === 'open';
  return {
    text: lines(
      ...(isOn && period !== null && phase !== null
        ? periodLines(words, facts, period)
        : [words.html('convert.closed')]),
      html``,
      words.html('convert.have', { points: number(words, facts.points) }),
      facts.last !== null && lastText(words, facts.last),
      facts.isWatching && !isOpen && words.html('convert.watching'),
    ),
    keyboard: keyboard(
      [
        isOpen && nav(words.text('btn.enter_convert'), CONVERT, 'give'),
        !isOpen && !facts.isWatching && nav(words.text('btn.watch_convert'), CONVERT, 'watch'),
      ],
      [
        nav(words.text('btn.refresh'), CONVERT, 'open'),
        nav(words.text('btn.back'), 'points', 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

function periodLines(words: Words, facts: ConvertOverview, period: ConvertPeriod): readonly Html[] {
  return [
    words.html('convert.title', { number: period.number }),
    words.html('convert.rule', { budget: solText(words, period.budgetLamports) }),
    words.html('convert.dates', { from: utcText(period.opensAt), until: utcText(period.closesAt) }),
    facts.phase === 'closed'
      ? words.html('convert.settling')
      : words.html('convert.state', {
          total: number(words, facts.total),
          own: number(words, facts.own),
          share: solText(words, facts.share),
        }),
  ];
}

function lastText(words: Words, { period, points, lamports }: ConvertOutcome): Html {
  const common = { number: period, points: number(words, points) };
  return lamports > 0n
    ? words.html('convert.last_paid', { ...common, sol: solText(words, lamports) })
    : words.html('convert.last_back', common);
}

export function confirmConvertView(
  words: Words,
  facts: {
    readonly points: bigint;
    readonly period: ConvertPeriod;
    readonly share: bigint;
    readonly stateId: string;
  },
): View {
  const { points, period, share, stateId } = facts;
  return {
    text: words.html('convert.confirm', {
      points: number(words, points),
      number: period.number,
      until: utcText(period.closesAt),
      share: solText(words, share),
    }),
    keyboard: keyboard(
      [act(words.text('btn.give_points', { points: number(words, points) }), CONVERT, 'confirm', stateId)],
      [nav(words.text('btn.back'), CONVERT, 'open')],
    ),
  };
}

export function enteredView(words: Words, points: bigint, period: ConvertPeriod): View {
  return {
    text: words.html('convert.done', {
      points: number(words, points),
      number: period.number,
      until: utcText(period.closesAt),
    }),
    keyboard: keyboard([
      nav(words.text('btn.convert'), CONVERT, 'open'),
      nav(words.text('btn.home'), 'home', 'open'),
    ]),
  };
}
