import { SOL_DECIMALS, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { marksOf } from '../../../core/text/figures.ts';
import { percentLabel, priceLabel } from '../../../platform/pictures/rules/labels.ts';
import { percentText, plainText, solShort, solText, usdNote } from '../../../platform/telegram/ui/amounts.ts';
import { code, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { scaleMark, scaleNote, shortTokenOf } from '../../../platform/telegram/ui/token-amounts.ts';
import type { TokenProfile } from '../../market/use/token-profile.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import { safetyText } from '../../tokens/chat/safety-text.ts';
import { displayName, displaySymbol } from '../../tokens/rules/display-name.ts';
import type { TokenSafety } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { UiScale } from '../../tokens/rules/ui-scale.ts';
import { holdingOf, PAPER_LAMPORTS, type PaperBook, type PaperHolding } from '../rules.ts';
import type { PaperQuote } from '../use/paper-quote.ts';

export const PAPER = 'paper';

/** A holding with its token; `worth`: lamports that selling all of it would bring now, null without a market. */
export type PaperPosition = {
  readonly holding: PaperHolding;
  readonly symbol: string;
  /** How its amounts are shown; null where the chain does not give it just now: unit by unit. */
  readonly uiScale: UiScale | null;
  readonly worth: bigint | null;
};

export function paperHomeView(
  words: Words,
  facts: {
    readonly book: PaperBook;
    readonly positions: readonly PaperPosition[];
    readonly microUsdPerSol: bigint | null;
    readonly stateId: string;
    readonly hasWallet: boolean;
  },
): View {
  const { book, positions, stateId } = facts;
  const total = positions.reduce((sum, { worth }) => sum + (worth ?? 0n), book.lamports);
  return {
    text: lines(
      words.html('paper.title'),
      words.html('paper.intro', { sol: solText(words, PAPER_LAMPORTS) }),
      html``,
      words.html('paper.balance', {
        sol: solShort(words, book.lamports),
        usd: usdNote(words, book.lamports, facts.microUsdPerSol),
      }),
      ...(positions.length === 0 ? [words.html('paper.none')] : []),
      ...positions.map(({ holding, symbol, uiScale, worth }) => {
        const shown = shortTokenOf(words, holding.units, { decimals: holding.decimals, uiScale });
        const amount = `${shown}${scaleMark(words, { uiScale })}`;
        return worth === null
          ? words.html('paper.row_unknown', { symbol, amount, cost: solShort(words, holding.cost) })
          : words.html('paper.row', {
              symbol,
              amount,
              worth: solShort(words, worth),
              change: gain(words, worth, holding.cost),
            });
      }),
      words.html('paper.total', { sol: solShort(words, total), change: gain(words, total, PAPER_LAMPORTS) }),
    ),
    keyboard: keyboard(
      ...inRows(
        positions.map(({ symbol }, index) => act(symbol, PAPER, `pick-${index}`, stateId)),
        3,
      ),
      [nav(words.text('btn.search'), 'search', 'open'), nav(words.text('btn.trending'), 'search', 'trend-0')],
      [
        nav(words.text('btn.refresh'), PAPER, 'open'),
        nav(words.text('btn.paper_reset', { sol: solText(words, PAPER_LAMPORTS) }), PAPER, 'reset'),
      ],
      [
        nav(words.text('btn.leave_paper'), PAPER, 'leave'),
        !facts.hasWallet && nav(words.text('btn.create_wallet'), 'start', 'create'),
      ],
    ),
  };
}

export function paperTokenView(
  words: Words,
  facts: {
    readonly book: PaperBook;
    readonly token: Token;
    readonly safety: TokenSafety;
    readonly profile: TokenProfile | null;
    readonly settings: Settings;
    readonly stateId: string;
  },
): View {
  const { book, token, profile, settings, stateId } = facts;
  const held = holdingOf(book, token.mint)?.units ?? 0n;
  const on = (label: string, action: string) => act(label, PAPER, action, stateId);
  return {
    text: lines(
      words.html('paper.token', {
        name: displayName(token.name) ?? displaySymbol(token),
        symbol: code(displaySymbol(token)),
        mint: shortAddress(token.mint),
      }),
      profile?.price != null &&
        words.html('paper.price', {
          price: `$${priceLabel(marksOf(words.language), profile.price.usd)}`,
          change: percentLabel(marksOf(words.language), profile.change['24h']),
        }),
      words.html('paper.hold', {
        amount: shortTokenOf(words, held, token),
        symbol: displaySymbol(token),
      }),
      scaleNote(words, token),
      words.html('paper.balance', { sol: solShort(words, book.lamports), usd: '' }),
      html``,
      ...safetyText(words, facts.safety),
    ),
    keyboard: keyboard(
      ...inRows(
        settings.buyPresets.map((lamports, index) => {
          const sol = plainText(words, lamports, SOL_DECIMALS);
          return on(words.text('btn.buy_sol', { sol }), `buy-${index}`);
        }),
        2,
      ),
      held > 0n &&
        settings.sellPresetsBps.map((share, index) =>
          on(words.text('btn.sell_percent', { percent: percentText(words, share) }), `sell-${index}`),
        ),
      [
        on(words.text('btn.refresh'), 'token'),
        act(words.text('btn.alert'), 'alerts', 'new', stateId),
        nav(words.text('btn.paper_home'), PAPER, 'open'),
      ],
    ),
  };
}

export function paperConfirmView(words: Words, quote: PaperQuote, stateId: string): View {
  const { side, token, fill } = quote;
  const symbol = displaySymbol(token);
  const amount = `${shortTokenOf(words, fill.units, token)}${scaleMark(words, token)}`;
  const sol = solShort(words, fill.lamports);
  return {
    text: lines(
      side === 'buy'
        ? words.html('paper.confirm_buy', { symbol, sol })
        : words.html('paper.confirm_sell', { symbol, amount }),
      words.html('paper.about', { amount: side === 'buy' ? `${amount} ${symbol}` : sol }),
      words.html('paper.fees', {
        platform: solShort(words, quote.platformFeeLamports),
        network: solShort(words, quote.networkFeeLamports),
      }),
      html``,
      words.html('paper.settles'),
    ),
    keyboard: keyboard([
      act(words.text(side === 'buy' ? 'btn.paper_buy' : 'btn.paper_sell'), PAPER, 'settle', stateId),
      act(words.text('btn.back'), PAPER, 'token', stateId),
    ]),
  };
}

/** `before`: the holding before the sale, for its gain. */
export function paperDoneView(
  words: Words,
  { side, token, fill }: PaperQuote,
  before: PaperHolding | null,
  stateId: string,
): View {
  const values = {
    amount: `${shortTokenOf(words, fill.units, token)}${scaleMark(words, token)}`,
    symbol: displaySymbol(token),
    sol: solShort(words, fill.lamports),
  };
  const cost = before === null ? 0n : (before.cost * fill.units) / before.units;
  return {
    text:
      side === 'buy'
        ? words.html('paper.bought', values)
        : words.html('paper.sold', { ...values, change: gain(words, fill.lamports, cost) }),
    keyboard: keyboard([
      act(words.text('btn.trade_card'), PAPER, 'token', stateId),
      nav(words.text('btn.paper_home'), PAPER, 'open'),
    ]),
  };
}

/** Net of every fee, in percent. */
const gain = (words: Words, worth: bigint, cost: bigint): string =>
  percentLabel(
    marksOf(words.language),
    cost === 0n ? null : Number(((worth - cost) * 100_000n) / cost) / 1_000,
  );
