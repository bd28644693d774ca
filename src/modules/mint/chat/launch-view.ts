import type { Words } from '../../../compose/texts/words.ts';
import { amountText, percentText, solText, typableSol } from '../../../platform/telegram/ui/amounts.ts';
import { code, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import type { LaunchQuote } from '../../launch/use/quote-launch.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import type { LaunchDraft } from './answers.ts';
import { CREATE_TOKEN } from './feature-name.ts';
import { fundsLines, reviewButtons } from './review-end.ts';

/** The launch with every cost; without money for it there is no Launch button. */
export function launchView(
  words: Words,
  facts: {
    readonly draft: LaunchDraft;
    readonly quote: LaunchQuote;
    readonly confirmId: string;
    readonly editId: string;
  },
): View {
  const { draft, quote, confirmId, editId } = facts;
  const { cost, firstBuy, params } = quote;
  const symbol = code(displayName(params.spec.symbol) ?? '…');
  return {
    text: lines(
      words.html('launch.title', {
        symbol,
        name: displayName(params.spec.name) ?? '…',
        pad: quote.pad.label,
        supply: amountText(words, quote.supply, quote.decimals),
      }),
      html``,
      words.html('launch.cost', {
        pad: solText(words, cost.padLamports),
        platform: solText(words, cost.platformFeeLamports),
        network: solText(words, cost.networkFeeLamports),
        buy: solText(words, cost.firstBuyLamports),
        total: solText(words, cost.totalLamports),
      }),
      firstBuy !== null &&
        words.html('launch.first_buy', {
          quoted: amountText(words, firstBuy.quotedTokens, quote.decimals),
          minimum: amountText(words, firstBuy.minTokens, quote.decimals),
          symbol,
          slippage: percentText(words, firstBuy.slippageBps),
        }),
      ...fundsLines(words, draft, quote, 'launch.short'),
      quote.missingLamports > 0n &&
        quote.mostFirstBuyLamports > 0n &&
        words.html('launch.most', { sol: typableSol(words, quote.mostFirstBuyLamports) }),
      html``,
      words.html('launch.final'),
    ),
    keyboard: keyboard(
      ...reviewButtons(words, {
        funds: quote,
        confirm: act(words.text('btn.launch'), CREATE_TOKEN, 'launch_yes', confirmId),
        change: [
          act(words.text('btn.change_first_buy'), CREATE_TOKEN, 'launch_buy', editId),
          act(words.text('btn.edit'), CREATE_TOKEN, 'launch_edit', editId),
        ],
        confirmId,
      }),
    ),
  };
}
