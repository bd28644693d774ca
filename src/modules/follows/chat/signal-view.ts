import type { Words } from '../../../compose/texts/words.ts';
import { fitted } from '../../../core/text/fit.ts';
import { bold, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { freshAct, freshNav, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcMinute } from '../../../platform/telegram/ui/time.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { spanText } from '../rules/read-signal.ts';
import { SIGNAL_LIMITS, type Signal } from '../rules/signal.ts';

const FOLLOW = 'follow';
/** Widths that lines hold beside their other parts. */
const LABEL = 6;
const LABELS = 3;

/** The signal as it is set, and how many wallets the person follows. */
export type SignalFacts = {
  readonly signal: Pick<Signal, 'wallets' | 'spanMs'> | null;
  readonly followed: number;
};

/** `3 in 30 min`, or `off`. */
export function signalText(words: Words, signal: SignalFacts['signal']): string {
  return signal === null
    ? words.text('signal.off')
    : words.text('signal.set', { wallets: signal.wallets, span: spanText(signal.spanMs) });
}

/** Says that fewer wallets are followed than the signal takes; false where that is not so. */
export function shortLine(words: Words, { signal, followed }: SignalFacts): Html | false {
  return (
    signal !== null &&
    signal.wallets > followed &&
    words.html('signal.short', { wallets: signal.wallets, followed })
  );
}

/** The signal of followed wallets, with the ways to change it. */
export function signalView(words: Words, facts: SignalFacts): View {
  const { signal, followed } = facts;
  const canSet = followed >= SIGNAL_LIMITS.wallets.least;
  return {
    text: lines(
      words.html('signal.title', { signal: signalText(words, signal) }),
      words.html('signal.about'),
      words.html('signal.counts'),
      shortLine(words, facts),
      signal === null && !canSet && words.html('signal.too_few', { least: SIGNAL_LIMITS.wallets.least }),
      words.html('follow.scope'),
    ),
    keyboard: keyboard(
      [
        canSet &&
          nav(words.text(signal === null ? 'btn.signal_on' : 'btn.signal_change'), FOLLOW, 'signal_set'),
        signal !== null && nav(words.text('btn.signal_off'), FOLLOW, 'signal_off'),
      ],
      [nav(words.text('btn.following'), FOLLOW, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** Several followed wallets bought the same token. `stateId`: behind the way to the token's card; null where the person has none. */
export function signalNoticeView(
  words: Words,
  told: {
    readonly token: Token;
    /** Of the wallets that bought, in the order of their purchases. */
    readonly labels: readonly string[];
    /** From the first of the purchases on, epoch milliseconds. */
    readonly beganAt: number;
    readonly spanMs: number;
    readonly funders: number;
    /** Wallets whose funder is not known. */
    readonly unknown: number;
    readonly stateId: string | null;
  },
): View {
  const { token, labels, stateId } = told;
  return {
    text: lines(
      words.html('signal.told', {
        wallets: labels.length,
        symbol: bold(displaySymbol(token)),
        span: spanText(told.spanMs),
      }),
      html`${firstLabels(labels)}`,
      fundersLine(words, { wallets: labels.length, funders: told.funders, unknown: told.unknown }),
      html`${utcMinute(told.beganAt)} UTC`,
    ),
    keyboard: keyboard([
      stateId !== null && freshAct(words.text('btn.trade_card'), 'trade', 'card', stateId),
      freshNav(words.text('btn.following'), FOLLOW, 'open'),
    ]),
  };
}

/** `Ana, whale1, whale2 +4`. */
function firstLabels(labels: readonly string[]): string {
  const shown = labels.slice(0, LABELS).map((label) => fitted(label, LABEL));
  return `${shown.join(', ')}${labels.length > LABELS ? ` +${labels.length - LABELS}` : ''}`;
}

/** `3 wallets, 2 funders`, with what is not known. */
function fundersLine(
  words: Words,
  {
    wallets,
    funders,
    unknown,
  }: { readonly wallets: number; readonly funders: number; readonly unknown: number },
): Html {
  if (funders === 0) return words.html('signal.funders_none', { wallets });
  if (unknown > 0) {
    const key = funders === 1 ? 'signal.funders_one_some' : 'signal.funders_many_some';
    return words.html(key, { wallets, funders, unknown });
  }
  return funders === 1
    ? words.html('signal.funders_one', { wallets })
    : words.html('signal.funders_many', { wallets, funders });
}

/** Signals beyond the twenty messages of an hour. */
export function signalDigestView(words: Words, { count }: { readonly count: number }): View {
  return {
    text: words.html('signal.digest', { count }),
    keyboard: keyboard([freshNav(words.text('btn.following'), FOLLOW, 'open')]),
  };
}
