import { TOKEN_PROGRAM } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { address } from '../../src/core/address/address.ts';
import { tokensWorth } from '../../src/modules/wallets/chat/home-tokens-worth.ts';
import { type HomeFacts, homeView } from '../../src/modules/wallets/chat/home-view.ts';

const mintOf = (last: string) => address(`So1111111111111111111111111111111111111111${last}`);
const holding = (last: string, amount: bigint) => ({
  mint: mintOf(last),
  tokenProgram: TOKEN_PROGRAM,
  decimals: 6,
  amount,
  accounts: [],
});
const price = (usd: number) => ({
  usd,
  priceSol: null,
  confidence: 'high' as const,
  stale: false,
  liquidityUsd: null,
  at: 0,
});

const facts: HomeFacts = {
  bot: 'Tradepost',
  receives: true,
  wallet: {
    id: 'w',
    userId: 'u',
    name: 'Main',
    address: mintOf('9'),
    createdAt: 0,
    deletedAt: null,
    origin: 'made',
    confirmedAt: null,
    payoutFrom: null,
  },
  count: 1,
  max: 5,
  funds: { lamports: 1_000_000_000n, tokens: [holding('2', 2_500_000n), holding('3', 1n)], inDoubt: false },
  worth: null,
  openOrders: 0,
  microUsdPerSol: 150_000_000n,
  points: 0n,
  pauses: [],
  paper: false,
  frozen: null,
};
const shown = (changes: Partial<HomeFacts>) => homeView(wordsOf('en'), { ...facts, ...changes });
const labels = (changes: Partial<HomeFacts> = {}) =>
  (shown(changes).keyboard ?? []).flat().map(({ text }) => text);

it('says what everything is worth, and what of it has no price', async () => {
  const tokens = facts.funds?.tokens ?? [];
  const half = async () => new Map([[mintOf('2'), price(0.5)]]);
  const worth = await tokensWorth({ values: half }, tokens);
  expect(worth).toEqual({ microUsd: 1_250_000n, unpriced: 1 });
  expect(shown({ worth }).text.markup).toMatch(
    /1 SOL \(\$150\.00\) · 2 tokens \(\$1\.25\)\nPortfolio about <b>\$151\.25<\/b>, without 1 unpriced/,
  );
  expect(shown({ worth: { microUsd: 1_250_000n, unpriced: 0 } }).text.markup).toMatch(
    /Portfolio about <b>\$151\.25<\/b>\n/,
  );
});

it('says nothing where nothing is known, and never 0', async () => {
  const away = () => Promise.reject(new Error('away'));
  expect(await tokensWorth({ values: away }, facts.funds?.tokens ?? [])).toBeNull();
  const none = { microUsd: 0n, unpriced: 2 };
  for (const changes of [{ worth: null }, { worth: none, microUsdPerSol: null }, { funds: null }])
    expect(shown(changes).text.markup).not.toContain('Portfolio');
  expect(shown({ worth: none }).text.markup).toContain('· 2 tokens\n');
});

it('has each way once, and the number of open orders', () => {
  const all = labels();
  expect(new Set(all).size).toBe(all.length);
  expect(all).toContain('Orders');
  expect(labels({ openOrders: 2 })).toContain('Orders (2)');
  expect(all.slice(0, 4)).toEqual(['Trade', 'Search', 'Positions', 'Orders']);
});
