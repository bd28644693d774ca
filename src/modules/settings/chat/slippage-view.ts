import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Settings } from '../rules/settings.ts';

export const SLIPPAGES_BPS = [100, 500, 1_000, 2_000] as const;
/** From here on others take the difference. */
const WIDE_BPS = 1_500;
/** The width of a ticker in a button beside one other at 390 pixels. */
const BACK_LABEL = 5;

export type SlippageFacts = {
  readonly side: 'buy' | 'sell';
  readonly settings: Pick<Settings, 'slippageBuyBps' | 'slippageSellBps'>;
  /** The token of the card that it was opened from; null where there is none. */
  readonly token: Pick<Token, 'symbol' | 'name' | 'mint'> | null;
  readonly stateId: string;
};

/** The slippage of one side in place: its choices, the other side, and the way back to the card. */
export function slippageView(words: Words, { side, settings, token, stateId }: SlippageFacts): View {
  const figures = figuresOf(words.language);
  const of = { buy: settings.slippageBuyBps, sell: settings.slippageSellBps };
  const other = side === 'buy' ? 'sell' : 'buy';
  const on = (label: string, action: string) => act(label, 'setting', action, stateId);
  return {
    text: lines(
      words.html(`slippage.title_${side}`, { percent: figures.percent(of[side]) }),
      words.html('slippage.what'),
      of[side] > WIDE_BPS && words.html('slippage.wide'),
      words.html('slippage.type'),
    ),
    keyboard: keyboard(
      SLIPPAGES_BPS.map((bps, index) => on(ticked(figures.percent(bps), bps === of[side]), `slip-${index}`)),
      [on(words.text(`btn.slippage_${other}`, { percent: figures.percent(of[other]) }), `slip_${other}`)],
      [
        token !== null &&
          on(words.text('btn.back_to', { symbol: fitted(displaySymbol(token), BACK_LABEL) }), 'card'),
        nav(words.text('btn.settings'), 'setting', 'open'),
      ],
    ),
  };
}
