import type { Words } from '../../../compose/texts/words.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, copy, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { tierText } from '../../../platform/telegram/ui/tier-text.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { safetyText } from '../../tokens/chat/safety-text.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { TradeCard } from '../use/trade-card.ts';
import { shortened, TRADE, titleLine } from './card-view.ts';

/** Every reason behind the one line of the card, and the whole address. */
export function safetyView(
  words: Words,
  { card, stateId }: { readonly card: TradeCard; readonly stateId: string },
): View {
  return {
    text: lines(
      titleLine(card),
      code(card.token.mint),
      ...safetyText(words, card.safety),
      // The poor way out is among the warnings already.
      card.safety.warnings.some(({ code: what }) => what === 'POOR_EXIT')
        ? null
        : testSaleLine(words, card.testSale),
    ),
    keyboard: keyboard([
      copy(words.text('btn.copy_mint'), card.token.mint),
      backTo(words, card.token, stateId),
    ]),
  };
}

/** The acts without a row on the card. */
export function moreView(
  words: Words,
  { token, tier, stateId }: { readonly token: Token; readonly tier: PriorityTier; readonly stateId: string },
): View {
  return {
    text: lines(titleLine({ token }), code(token.mint)),
    keyboard: keyboard(
      [
        act(words.text('btn.depth'), 'chart', 'depth', stateId),
        act(words.text('btn.feed_who'), 'launches', 'who', stateId),
      ],
      [copy(words.text('btn.copy_mint'), token.mint)],
      [
        act(words.text('btn.priority', { tier: tierText(words, tier) }), 'setting', 'priority', stateId),
        nav(words.text('btn.another_token'), TRADE, 'open'),
      ],
      [backTo(words, token, stateId), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

const backTo = (words: Words, token: Token, stateId: string) =>
  act(words.text('btn.back_to', { symbol: shortened(displaySymbol(token), 10) }), TRADE, 'card', stateId);

function testSaleLine(words: Words, testSale: TradeCard['testSale']): Html | null {
  if (testSale === null) return null;
  const percent = percentText(words, testSale.returnedBps);
  return words.html(testSale.simulated ? 'trade.test_sale' : 'trade.quoted_sale', { percent });
}
