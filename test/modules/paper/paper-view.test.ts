import { parseHtml } from '@tradepost/local-telegram';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import {
  paperConfirmView,
  paperDoneView,
  paperHomeView,
  paperTokenView,
} from '../../../src/modules/paper/chat/view.ts';
import { newPaperBook, type PaperHolding } from '../../../src/modules/paper/rules.ts';
import type { PaperQuote } from '../../../src/modules/paper/use/paper-quote.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { Html } from '../../../src/platform/telegram/ui/html.ts';
import { buildToken } from '../tokens/build-token.ts';

const STATE = 'A'.repeat(22);
const words = wordsOf('en');
const uiScale = { numerator: 21n, denominator: 20n };
const token = buildToken({ symbol: 'PUP', decimals: 6, uiScale });
const holding: PaperHolding = { mint: token.mint, decimals: 6, units: 100_000_000n, cost: 1n };
const book = { ...newPaperBook(), holdings: [holding] };
const quote: PaperQuote = {
  side: 'sell',
  token,
  safety: { level: 'OK', warnings: [] },
  fill: { mint: token.mint, decimals: 6, units: 100_000_000n, lamports: 1_000_000n },
  platformFeeLamports: 1n,
  networkFeeLamports: 1n,
  slot: 1n,
};
const said = ({ text }: { readonly text: Html }): string => parseHtml(text.markup).text;

describe('a token that scales its amounts, on paper', () => {
  it.each([
    [
      'the book',
      () =>
        paperHomeView(words, {
          book,
          positions: [{ holding, symbol: 'PUP', uiScale, worth: 1n }],
          microUsdPerSol: null,
          stateId: STATE,
          hasWallet: true,
        }),
    ],
    [
      'the card',
      () =>
        paperTokenView(words, {
          book,
          token,
          safety: quote.safety,
          profile: null,
          settings: DEFAULT_SETTINGS,
          stateId: STATE,
        }),
    ],
    ['the question', () => paperConfirmView(words, quote, STATE)],
    ['the answer', () => paperDoneView(words, quote, holding, STATE)],
  ])('is shown as on every other screen, and says so: %s', (_what, view) => {
    const text = said(view());
    expect(text).toMatch(/\b105\b/);
    expect(text).toContain('× 1.05');
    expect(text).not.toMatch(/\b100\b/);
  });
});
