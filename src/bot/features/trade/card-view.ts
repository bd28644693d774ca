import { formatUnits } from '../../../core/amounts/decimal.ts';
import { valueAt } from '../../../core/swap/price.ts';
import { displayName, displaySymbol } from '../../../core/tokens/display-name.ts';
import { GOOD_EXIT_BPS } from '../../../core/tokens/safety.ts';
import type { Settings } from '../../../core/users/settings.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import type { TradeCard } from '../../../services/trading/trade-card.ts';
import type { Words } from '../../locales/words.ts';
import { safetyText } from '../../tokens/safety-text.ts';
import { compactUsd, percentText, priceText, shortTokenText, solText, usdNote } from '../../ui/amounts.ts';
import { bold, code, type Html, html, lines } from '../../ui/html.ts';
import { act, inRows, keyboard, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { tierText } from '../../ui/tier-text.ts';

export const TRADE = 'trade';

export function cardView(
  words: Words,
  facts: {
    readonly card: TradeCard;
    readonly wallet: Wallet;
    readonly settings: Settings;
    readonly stateId: string;
  },
): View {
  const { card, settings, stateId, wallet } = facts;
  const { token, microUsdPerSol } = card;
  const holds = card.holdingUnits > 0n;
  const on = (label: string, action: string) => act(label, TRADE, action, stateId);
  return {
    text: lines(
      words.html('trade.title', {
        name: displayName(token.name) ?? displaySymbol(token),
        symbol: code(displaySymbol(token)),
        mint: code(token.mint),
      }),
      priceLine(words, card),
      marketLine(words, card),
      card.unasked.length > 0 && words.html('trade.unasked', { venues: card.unasked.join(', ') }),
      words.html('trade.holding', {
        amount: shortTokenText(card.holdingUnits, token.decimals),
        symbol: code(displaySymbol(token)),
        worth:
          card.price === null || !holds
            ? ''
            : usdNote(valueAt(card.price, card.holdingUnits, token.decimals), microUsdPerSol),
        wallet: bold(wallet.name),
        sol: solText(card.walletLamports, 4),
      }),
      html``,
      ...safetyLines(words, card),
      html``,
      words.html('trade.buy_with'),
    ),
    keyboard: keyboard(
      ...(card.price === null
        ? []
        : inRows(
            [
              ...settings.buyPresets.map((lamports, index) =>
                on(`${formatUnits(lamports, 9)} SOL`, `buy-${index}`),
              ),
              on(words.text('btn.buy_x'), 'buyx'),
            ],
            3,
          )),
      ...(holds
        ? inRows(
            [
              ...settings.sellPresetsBps.map((share, index) => on(percentText(share), `sell-${index}`)),
              on(words.text('btn.sell_x'), 'sellx'),
            ],
            4,
          )
        : []),
      [
        act(words.text('btn.tab_limit'), 'orders', 'limit', stateId),
        holds && act(words.text('btn.tab_tpsl'), 'orders', 'tpsl', stateId),
        act(words.text('btn.tab_dca'), 'orders', 'dca', stateId),
      ],
      [
        nav(words.text('btn.slippage', { percent: percentText(settings.slippageBuyBps) }), 'setting', 'open'),
        nav(words.text('btn.priority', { tier: tierText(words, settings.tier) }), 'setting', 'priority'),
      ],
      [
        on(words.text('btn.refresh'), 'card'),
        nav(words.text('btn.another_token'), TRADE, 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

function priceLine(words: Words, { price, picoUsd }: TradeCard): Html {
  if (price === null) return words.html('trade.price_unknown');
  // Shown, never computed with: 18 digits of the scale, 9 of the lamports.
  const sol = priceText(Number(price) / 1e27);
  return words.html('trade.price', {
    price:
      picoUsd === null
        ? words.html('trade.price_sol', { sol })
        : words.html('trade.price_both', { usd: `$${priceText(Number(picoUsd) / 1e12)}`, sol }),
  });
}

function marketLine(words: Words, card: TradeCard): Html | null {
  if (card.price === null) return null;
  const { token, microUsdPerSol } = card;
  const usdPerSol = microUsdPerSol === null ? null : Number(microUsdPerSol) / 1e6;
  const whole = Number(token.supply) / 10 ** token.decimals;
  const cap = card.picoUsd === null ? null : (Number(card.picoUsd) / 1e12) * whole;
  return words.html('trade.market', {
    cap: compactUsd(cap),
    liquidity:
      usdPerSol === null
        ? solText(card.liquidityLamports, 1)
        : compactUsd((Number(card.liquidityLamports) / 1e9) * usdPerSol),
  });
}

function safetyLines(words: Words, { safety, testSale }: TradeCard): readonly Html[] {
  // The poor way out is among the warnings already.
  const isSaid = safety.warnings.some(({ code: what }) => what === 'POOR_EXIT');
  return [...safetyText(words, safety), isSaid ? null : testSaleLine(words, testSale)].filter(
    (line) => line !== null,
  );
}

function testSaleLine(words: Words, testSale: TradeCard['testSale']): Html | null {
  if (testSale === null) return null;
  if (testSale.returnedBps === 0) return words.html('trade.test_sale_none');
  const percent = percentText(testSale.returnedBps);
  if (!testSale.simulated) return words.html('trade.quoted_sale', { percent });
  return words.html(testSale.returnedBps >= GOOD_EXIT_BPS ? 'trade.test_sale' : 'trade.test_sale_bad', {
    percent,
  });
}
