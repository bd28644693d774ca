import { shortAddress } from '../../../core/address/address.ts';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { percentLabel, priceLabel } from '../../../core/charts/labels.ts';
import { valueAt } from '../../../core/swap/price.ts';
import { displayName, displaySymbol } from '../../../core/tokens/display-name.ts';
import { GOOD_EXIT_BPS } from '../../../core/tokens/safety.ts';
import type { Settings } from '../../../core/users/settings.ts';
import type { Wallet } from '../../../core/wallets/wallet.ts';
import type { TokenProfile } from '../../../services/market/token-profile.ts';
import type { TradeCard } from '../../../services/trading/trade-card.ts';
import type { Words } from '../../locales/words.ts';
import { safetyText } from '../../tokens/safety-text.ts';
import {
  amountText,
  compactUsd,
  percentText,
  shortTokenText,
  solShort,
  solText,
  usdNote,
} from '../../ui/amounts.ts';
import { bold, code, type Html, html, lines } from '../../ui/html.ts';
import { act, copy, inRows, type Keyboard, keyboard, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { tierText } from '../../ui/tier-text.ts';
import { ageText, utcClock } from '../../ui/time.ts';

export const TRADE = 'trade';

export function cardView(
  words: Words,
  facts: {
    readonly card: TradeCard;
    /** What the market data say of it; null where they say nothing. */
    readonly profile: TokenProfile | null;
    readonly wallet: Wallet;
    readonly settings: Settings;
    readonly stateId: string;
    /** Epoch milliseconds at which the card was read. */
    readonly readAt: number;
    /** Read first, such as why it was not bought at once. */
    readonly note?: Html | null;
  },
): View {
  const { card, wallet } = facts;
  const { token, microUsdPerSol } = card;
  return {
    text: lines(
      facts.note ?? null,
      words.html('trade.title', {
        name: displayName(token.name) ?? displaySymbol(token),
        symbol: code(displaySymbol(token)),
        mint: shortAddress(token.mint),
      }),
      priceLine(words, card),
      changeLine(words, facts.profile),
      marketLine(words, card),
      aboutLine(words, facts),
      card.unasked.length > 0 && words.html('trade.unasked', { venues: card.unasked.join(', ') }),
      words.html('trade.holding', {
        amount: shortTokenText(card.holdingUnits, token.decimals),
        symbol: code(displaySymbol(token)),
        worth:
          card.price === null || card.holdingUnits === 0n
            ? ''
            : usdNote(valueAt(card.price, card.holdingUnits, token.decimals), microUsdPerSol),
        wallet: bold(wallet.name),
        sol: solShort(card.walletLamports),
        usd: usdNote(card.walletLamports, microUsdPerSol),
      }),
      html``,
      ...safetyLines(words, card),
      html``,
      card.walletLamports === 0n && words.html('trade.no_sol', { wallet: wallet.name }),
      words.html('trade.read_at', { at: utcClock(facts.readAt) }),
    ),
    keyboard: cardButtons(words, facts),
  };
}

/** Only what can be done: nothing is bought without SOL, and nothing is traded where no market is. */
function cardButtons(
  words: Words,
  {
    card,
    settings,
    stateId,
  }: { readonly card: TradeCard; readonly settings: Settings; readonly stateId: string },
): Keyboard {
  const on = (label: string, action: string) => act(label, TRADE, action, stateId);
  const trades = card.price !== null;
  const buys = [
    ...settings.buyPresets.map((lamports, index) =>
      on(words.text('btn.buy_sol', { sol: formatUnits(lamports, 9) }), `buy-${index}`),
    ),
    on(words.text('btn.buy_x'), 'buyx'),
  ];
  const sells = [
    ...settings.sellPresetsBps.map((share, index) =>
      on(words.text('btn.sell_percent', { percent: percentText(share) }), `sell-${index}`),
    ),
    on(words.text('btn.sell_x'), 'sellx'),
  ];
  return keyboard(
    ...(trades && card.walletLamports > 0n ? inRows(buys, 3) : []),
    ...(trades && card.holdingUnits > 0n ? inRows(sells, 2) : []),
    card.walletLamports === 0n && [nav(words.text('btn.deposit'), 'deposit', 'open')],
    [
      act(words.text('btn.chart'), 'chart', 'open', stateId),
      act(words.text('btn.depth'), 'chart', 'depth', stateId),
      trades && act(words.text('btn.alert'), 'alerts', 'new', stateId),
    ],
    trades && [
      act(words.text('btn.tab_limit'), 'orders', 'limit', stateId),
      card.holdingUnits > 0n && act(words.text('btn.tab_tpsl'), 'orders', 'tpsl', stateId),
      act(words.text('btn.tab_dca'), 'orders', 'dca', stateId),
    ],
    trades && [
      nav(words.text('btn.slippage', { percent: percentText(settings.slippageBuyBps) }), 'setting', 'open'),
      nav(words.text('btn.priority', { tier: tierText(words, settings.tier) }), 'setting', 'priority'),
    ],
    [copy(words.text('btn.copy_mint'), card.token.mint), nav(words.text('btn.another_token'), TRADE, 'open')],
    [on(words.text('btn.refresh'), 'card'), nav(words.text('btn.home'), 'home', 'open')],
  );
}

function priceLine(words: Words, { price, picoUsd }: TradeCard): Html {
  if (price === null) return words.html('trade.price_unknown');
  // Shown, never computed with: 18 digits of the scale, 9 of the lamports.
  const sol = priceLabel(Number(price) / 1e27);
  return words.html('trade.price', {
    price:
      picoUsd === null
        ? words.html('trade.price_sol', { sol })
        : words.html('trade.price_both', { usd: `$${priceLabel(Number(picoUsd) / 1e12)}`, sol }),
  });
}

function changeLine(words: Words, profile: TokenProfile | null): Html | null {
  if (profile === null) return null;
  const { change } = profile;
  if (change['24h'] === null && change['1h'] === null && change['5m'] === null) return null;
  return words.html('trade.change', {
    m5: percentLabel(change['5m']),
    h1: percentLabel(change['1h']),
    h24: percentLabel(change['24h']),
  });
}

/** How old, how many hold it, and how far its launch came. */
function aboutLine(
  words: Words,
  { profile, readAt }: { readonly profile: TokenProfile | null; readonly readAt: number },
): Html | null {
  if (profile === null) return null;
  const parts = [
    ...(profile.volume24hUsd === null
      ? []
      : [words.text('trade.volume', { volume: compactUsd(profile.volume24hUsd) })]),
    words.text('trade.seen', { age: ageText(readAt - profile.firstSeenAt) }),
    ...(profile.holders === null ? [] : [holdersText(words, profile.holders)]),
    ...(profile.launch === null || profile.launch.graduated
      ? []
      : [words.text('trade.sold', { percent: percentText(profile.launch.soldBps) })]),
  ];
  return html`${parts.join(' · ')}`;
}

const holdersText = (words: Words, count: number): string =>
  count === 1
    ? words.text('trade.holder_one')
    : words.text('trade.holders', { count: amountText(BigInt(count), 0) });

function marketLine(words: Words, card: TradeCard): Html | null {
  if (card.price === null) return null;
  const { token, microUsdPerSol } = card;
  const usdPerSol = microUsdPerSol === null ? null : Number(microUsdPerSol) / 1e6;
  const whole = Number(token.supply) / 10 ** token.decimals;
  const cap = card.picoUsd === null ? null : (Number(card.picoUsd) / 1e12) * whole;
  return words.html('trade.market', {
    cap: compactUsd(cap),
    liquidity: usdPerSol === null ? 'n/a' : compactUsd((Number(card.liquidityLamports) / 1e9) * usdPerSol),
    sol: solText(card.liquidityLamports, 1),
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
