import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { type AutoSlippage, landingSlotsOf } from '../../trading/rules/auto-slippage.ts';
import type { Settings } from '../rules/settings.ts';

export const SLIPPAGES_BPS = [100, 500, 1_000, 2_000] as const;
/** From here on others take the difference. */
const WIDE_BPS = 1_500;
/** The width of a ticker in a button beside one other at 390 pixels. */
const BACK_LABEL = 5;

export type SlippageFacts = {
  readonly side: 'buy' | 'sell';
  readonly settings: Pick<
    Settings,
    'slippageBuyBps' | 'slippageSellBps' | 'autoSlipBuyBps' | 'autoSlipSellBps'
  >;
  /** The slippage of auto for the token now; null where it is not asked for. */
  readonly now:
    | (Pick<AutoSlippage, 'bps' | 'own' | 'movesBps' | 'landing'> & { readonly slotMs: number })
    | null;
  /** The token of the card that it was opened from; null where there is none. */
  readonly token: Pick<Token, 'symbol' | 'name' | 'mint'> | null;
  readonly stateId: string;
};

/** The slippage of one side in place: its choices, the other side, and the way back to the card. */
export function slippageView(words: Words, { side, settings, now, token, stateId }: SlippageFacts): View {
  const figures = figuresOf(words.language);
  const of = { buy: settings.slippageBuyBps, sell: settings.slippageSellBps };
  const auto = { buy: settings.autoSlipBuyBps, sell: settings.autoSlipSellBps };
  const cap = auto[side];
  const said = (one: 'buy' | 'sell'): string => {
    const most = auto[one];
    return most === null
      ? figures.percent(of[one])
      : words.text('slippage.auto_at_most', { percent: figures.percent(most) });
  };
  const seconds = (slots: number): string => figures.count(Math.ceil((slots * (now?.slotMs ?? 0)) / 1_000));
  const other = side === 'buy' ? 'sell' : 'buy';
  const on = (label: string, action: string) => act(label, 'setting', action, stateId);
  return {
    text: lines(
      words.html(`slippage.title_${side}`, { percent: said(side) }),
      token !== null &&
        now !== null &&
        words.html(now.movesBps === null ? 'slippage.now' : 'slippage.now_moves', {
          symbol: fitted(displaySymbol(token), BACK_LABEL),
          percent: figures.percent(now.bps),
          moves: now.movesBps === null ? '' : figures.percentUpTo(now.movesBps),
          seconds: seconds(landingSlotsOf(now.landing)),
        }),
      now?.landing != null && words.html('slippage.lands', { seconds: seconds(now.landing.p90) }),
      now?.own != null && words.html('slippage.own', now.own),
      words.html('slippage.what'),
      (cap ?? of[side]) > WIDE_BPS && words.html('slippage.wide'),
      words.html(cap === null ? 'slippage.type' : 'slippage.auto_type'),
    ),
    keyboard: keyboard(
      [
        ...SLIPPAGES_BPS.map((bps, index) =>
          on(ticked(figures.percent(bps), cap === null && bps === of[side]), `slip-${index}`),
        ),
        on(ticked(words.text('btn.slippage_auto'), cap !== null), 'slip_auto'),
      ],
      [on(words.text(`btn.slippage_${other}`, { percent: said(other) }), `slip_${other}`)],
      [
        token !== null &&
          on(words.text('btn.back_to', { symbol: fitted(displaySymbol(token), BACK_LABEL) }), 'card'),
        nav(words.text('btn.settings'), 'setting', 'open'),
      ],
    ),
  };
}
