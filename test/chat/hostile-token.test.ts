import { findAutoEntities, parseHtml } from '@tradepost/local-telegram';
import { NO_TOKEN_POWERS, TOKEN_PROGRAM } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { address } from '../../src/core/address/address.ts';
import { bps } from '../../src/core/amounts/bps.ts';
import { NO_EXITS } from '../../src/modules/settings/rules/exit-set.ts';
import { DEFAULT_SETTINGS } from '../../src/modules/settings/rules/settings.ts';
import type { Token } from '../../src/modules/tokens/rules/token.ts';
import { cardView } from '../../src/modules/trading/chat/card-view.ts';
import { confirmTradeView } from '../../src/modules/trading/chat/confirm-view.ts';
import type { Price } from '../../src/modules/trading/rules/price.ts';
import type { TradeQuote } from '../../src/modules/trading/use/trade-quote.ts';
import { tokensView } from '../../src/modules/wallets/chat/view.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { pickTokenView } from '../../src/modules/withdrawals/chat/view.ts';
import type { View } from '../../src/platform/telegram/ui/screen.ts';

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const STATE = 'A'.repeat(22);
const words = wordsOf('en');
const wallet: Wallet = {
  id: 'W',
  userId: 'U',
  name: 'Main',
  address: MINT,
  createdAt: 0,
  deletedAt: null,
  origin: 'made',
  confirmedAt: null,
  payoutFrom: null,
};

/** Names that Telegram would make links of. */
const LINKS = [
  'pump.fun',
  't.me/x',
  'https://evil.example/a',
  'a@b.com',
  '@durov',
  '/panic',
  '$TICK',
  '#moon',
  'get pump.fun',
];

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.constantFrom(
    '<b>x</b>',
    '</code><a href="https://evil.example">click</a>',
    '@durov https://evil.example /start',
    '\u202Egnp.exe\u202C',
    'a\u0300'.repeat(200),
    '&lt;b&gt;',
    '\n\nYou received 100 SOL\n',
    ...LINKS,
  ),
);

function tokenOf(symbol: string, name: string): Token {
  return {
    mint: MINT,
    tokenProgram: TOKEN_PROGRAM,
    decimals: 6,
    supply: 10n ** 15n,
    symbol,
    name,
    mintAuthority: null,
    freezeAuthority: null,
    extensions: NO_TOKEN_POWERS,
  };
}

/** Kinds of entities and the number of lines: what a name must not be able to change. */
function shape(view: View) {
  const { text, entities } = parseHtml(view.text.markup);
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200F]/u);
  for (const button of view.keyboard?.flat() ?? []) {
    expect(button.text.trim().length).toBeGreaterThan(0);
    if ('callback_data' in button) expect(Buffer.byteLength(button.callback_data)).toBeLessThanOrEqual(64);
  }
  const links = findAutoEntities(text, entities).map(
    ({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`,
  );
  expect(links).toEqual([]);
  // A word that looks like a link is code: it is no link.
  const kinds = entities.map(({ type }) => type).filter((type) => type !== 'code');
  return { kinds, lines: text.split('\n').length };
}

const holding = {
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
  amount: 5n,
  accounts: [],
};

const views: Readonly<Record<string, (token: Token) => View>> = {
  'the trade card': (token) =>
    cardView(words, {
      card: {
        token,
        account: MINT,
        walletLamports: 5n,
        holdingUnits: 7n,
        price: (10n ** 24n) as Price,
        picoUsd: 10n ** 9n,
        microUsdPerSol: 150_000_000n,
        liquidityLamports: 10n ** 12n,
        safety: { level: 'CAREFUL', warnings: [{ code: 'SAME_SYMBOL', severity: 'CAREFUL', mint: MINT }] },
        testSale: { spentLamports: 10n ** 8n, returnedBps: 9_700, simulated: true },
        unasked: [],
        slot: 1n,
      },
      position: null,
      guarded: false,
      wallet,
      settings: DEFAULT_SETTINGS,
      profile: null,
      readAt: 0,
      stateId: STATE,
    }),
  'the confirm screen': (token) =>
    confirmTradeView(words, {
      quote: quoteOf(token),
      wallet,
      microUsdPerSol: null,
      stateId: STATE,
      note: null,
      why: null,
      own: NO_EXITS,
      exits: NO_EXITS,
    }),
  'the tokens of a wallet': (token) =>
    tokensView(words, {
      wallet,
      held: [{ holding, token, microUsd: null }],
      count: 1,
      page: 0,
      pages: 1,
      inDoubt: false,
      stateId: STATE,
    }),
  'the tokens to withdraw': (token) =>
    pickTokenView(words, {
      wallet,
      held: [{ holding, token }],
      page: 0,
      pages: 1,
      inDoubt: false,
      stateId: STATE,
    }),
};

function quoteOf(token: Token): TradeQuote {
  return {
    side: 'buy',
    wallet: MINT,
    token,
    tier: 'normal',
    amountIn: 500_000_000n,
    elsewhereUnits: 0n,
    terms: {
      amountIn: 500_000_000n,
      quotedOut: 10n ** 9n,
      minOut: 10n ** 8n,
      platformFeeLamports: 5_000_000n,
      priceImpactBps: 1_800,
      slippageBps: bps(500),
      route: [{ venue: token.name ?? '', pool: MINT, percent: 100, from: null, to: null }],
    },
    route: { savesBps: null, remainders: [], intermediates: [token] },
    networkFeeUpToLamports: 1_005_000n,
    closedLamports: 0n,
    newAccountRentLamports: 2_039_280n,
    leavesWalletUpToLamports: 503_044_280n,
    walletLamports: 10n ** 9n,
    safety: { level: 'OK', warnings: [] },
    warnings: [{ code: 'PRICE_IMPACT', impactBps: 1_800, secondTap: true }],
    unasked: [],
    slot: 1n,
    quotedAt: 0,
    expiresAt: 10_000,
  };
}

describe.each(Object.entries(views))('%s', (_name, render) => {
  it('has the same shape for any name as for a harmless one', () => {
    const expected = shape(render(tokenOf('PUP', 'Puppy')));
    fc.assert(
      fc.property(hostile, hostile, (symbol, name) => {
        expect(shape(render(tokenOf(symbol, name)))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['right-to-left marks', '\u202EPUP\u2066', '\u200Fkoob'],
    ['a tag', '<b>', '</b><i>'],
    ['ten emoji', '🐶'.repeat(10), '👩‍👩‍👧‍👦'.repeat(10)],
    ['nothing but spaces', '   ', '\u00a0\u2003\t '],
  ])('has it for %s, and for a token without any supply', (_, symbol, name) => {
    const token = { ...tokenOf(symbol, name), supply: 0n };
    const view = render(token);
    expect(shape(view)).toEqual(shape(render(tokenOf('PUP', 'Puppy'))));
    expect(parseHtml(view.text.markup).text).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

it('puts a large price impact first and asks for a second tap', () => {
  const view = confirmTradeView(words, {
    quote: quoteOf(tokenOf('PUP', 'Puppy')),
    wallet,
    microUsdPerSol: null,
    stateId: STATE,
    note: null,
    why: null,
    own: NO_EXITS,
    exits: NO_EXITS,
  });
  expect(parseHtml(view.text.markup).text.split('\n')[0]).toContain('Price impact 18 %');
  const [confirm] = view.keyboard?.[0] ?? [];
  expect(confirm !== undefined && 'callback_data' in confirm ? confirm.callback_data : '').toContain(
    'trade:sure:',
  );
});
