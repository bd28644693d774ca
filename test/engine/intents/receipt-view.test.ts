import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { receiptView } from '../../../src/engine/intents/chat/receipt-view.ts';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import type { Sandwich } from '../../../src/modules/trading/rules/sandwich.ts';
import { buildToken } from '../../modules/tokens/build-token.ts';
import { addressOf, buildIntent, PARAMS } from './build.ts';

const USD = addressOf(50);
const POOL = addressOf(52);
const terms = {
  ...PARAMS.buy.terms,
  route: [
    { venue: 'Desk South', pool: POOL, percent: 100, from: null, to: USD },
    { venue: 'Desk South', pool: POOL, percent: 100, from: USD, to: null },
  ],
};
const receipt: LandedReceipt = {
  signature: 'sig',
  slot: 5n,
  landedAt: 1_700_000_000_000,
  feeLamports: 5_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 0n,
  rentLamports: 0n,
  platformFeeLamports: 0n,
  walletLamportsDelta: -500_005_000n,
  tokenDeltas: [
    { mint: PARAMS.buy.mint, delta: 175_020_000_000n },
    { mint: USD, delta: 1_234_567n },
  ],
};

const view = (
  intermediates: Parameters<typeof receiptView>[1]['intermediates'],
  stateId: string | null = null,
  sandwich: Sandwich | null = null,
) =>
  receiptView(wordsOf('en'), {
    intent: buildIntent({ params: { ...PARAMS.buy, terms } }),
    receipt,
    terms,
    token: buildToken({ mint: PARAMS.buy.mint }),
    intermediates,
    explorerUrl: 'https://x.example/{signature}',
    stateId,
    profit: null,
    sandwich,
  });
const text = (intermediates: Parameters<typeof receiptView>[1]['intermediates']): string =>
  view(intermediates).text.markup;

describe('the receipt of a trade over another token', () => {
  it('names that token, and tells what stayed in it as an amount', () => {
    const shown = text([buildToken({ mint: USD, symbol: 'USDC', decimals: 6 })]);
    expect(shown).toContain('Left over on the way: 1.234567 USDC');
    expect(shown).toContain('Desk South to USDC, then Desk South');
    expect(shown).not.toContain('units of');
  });

  it('says units of an address where the token cannot be read', () => {
    const shown = text([]);
    expect(shown).toContain('1234567 units of');
    expect(shown).toContain(USD.slice(0, 4));
  });
});

it('leads back to the result that it was opened from, and only there', () => {
  const labels = (stateId: string | null) =>
    (view([], stateId).keyboard ?? []).flat().map(({ text: label }) => label);
  expect(labels('a'.repeat(22))).toContain('Back');
  expect(labels(null)).not.toContain('Back');
});

it('names the trades around it and their cost, as sure as they are', () => {
  const trade = { id: 1n, base: 1n, quote: 1n, fee: null, trader: USD, signature: 's', dust: false };
  const [front, back] = [
    { ...trade, side: 'buy' as const },
    { ...trade, side: 'sell' as const },
  ];
  const said = (certainty: Sandwich['certainty']): string =>
    view([], null, { certainty, front, back, costBps: 123 }).text.markup;
  expect(said('sure')).toContain('A wallet bought right before you and sold right after. Cost about 1.23 %.');
  expect(said('likely')).toContain('Likely: a purchase right before you');
  expect(view([]).text.markup).not.toContain('right before you');
});
