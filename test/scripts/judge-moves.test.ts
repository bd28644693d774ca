import { describe, expect, it } from 'vitest';
import { type Confirmed, judgeMoves, type MoveRule } from '../../scripts/torture/judge-moves.ts';
import type { LandedTransaction } from '../../src/platform/ports/chain.ts';
import { addressOf, MINT, PARAMS } from '../engine/intents/build.ts';

const [WALLET, OTHER, TO, THIEF] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const FEE = 5_000n;

const record = (
  moves: readonly (readonly [address: typeof WALLET, lamports: bigint])[],
  tokens: readonly (readonly [owner: typeof WALLET, units: bigint])[] = [],
): LandedTransaction => ({
  signature: 'signature',
  slot: 1n,
  blockTime: null,
  err: null,
  feeLamports: FEE,
  logs: [],
  balances: moves.map(([address, lamports]) => ({
    address,
    before: 10n ** 10n,
    after: 10n ** 10n + lamports,
  })),
  tokenBalances: tokens.map(([owner, units]) => ({
    account: owner,
    owner,
    mint: MINT,
    before: 10n ** 12n,
    after: 10n ** 12n + units,
  })),
  signatureCount: 1,
});

const withdrawal = { ...PARAMS.withdrawSol, destination: TO, lamports: 1_000n, everything: false };
const SOL: Confirmed = { wallet: WALLET, params: withdrawal };
const BUY: Confirmed = { wallet: WALLET, params: { ...PARAMS.buy, mint: MINT } };
const SELL: Confirmed = { wallet: WALLET, params: { ...PARAMS.sell, mint: MINT } };

const judged = (
  agreed: Confirmed | null,
  moved: LandedTransaction,
  { times = 1, follows = false }: { readonly times?: number; readonly follows?: boolean } = {},
): readonly MoveRule[] =>
  judgeMoves({
    moves: Array.from({ length: times }, () => ({ intentId: 'I', record: moved })),
    confirmed: () => agreed,
    follows: () => follows,
    wallets: new Set([WALLET, OTHER]),
    thief: THIEF,
  }).map(({ rule }) => rule);

describe('the judge of moves', () => {
  const right = record([
    [WALLET, -1_000n - FEE],
    [TO, 1_000n],
  ]);
  const bought = record([[WALLET, -PARAMS.buy.lamportsIn - FEE]], [[WALLET, PARAMS.buy.terms.minOut]]);

  it('finds nothing in what was confirmed, and in what follows from it', () => {
    expect(judged(SOL, right)).toEqual([]);
    expect(judged(BUY, bought)).toEqual([]);
    expect(judged(null, right, { follows: true })).toEqual([]);
  });

  it('names each move that no person confirmed', () => {
    expect(judged(null, right)).toEqual(['unconfirmed']);
    expect(judged(SOL, right, { times: 2 })).toEqual(['twice']);
    expect(judged({ ...SOL, wallet: OTHER }, right)).toContain('foreign-wallet');
  });

  it('names another receiver and other amounts', () => {
    expect(
      judged(
        SOL,
        record([
          [WALLET, -1_000n - FEE],
          [THIEF, 1_000n],
        ]),
      ),
    ).toEqual(['to-the-thief', 'other-terms']);
    expect(
      judged(
        SOL,
        record([
          [WALLET, -1_001n - FEE],
          [TO, 1_001n],
        ]),
      ),
    ).toEqual(['other-terms']);
    expect(judged(SELL, record([[WALLET, -FEE]], [[THIEF, 5n]]))).toContain('to-the-thief');
  });

  it('names a purchase that brings less or costs more, and a sale of more units', () => {
    const { lamportsIn, terms } = PARAMS.buy;
    expect(judged(BUY, record([[WALLET, -lamportsIn]], [[WALLET, terms.minOut - 1n]]))).toEqual([
      'other-terms',
    ]);
    expect(judged(BUY, record([[WALLET, -lamportsIn - 10n ** 9n]], [[WALLET, terms.minOut]]))).toEqual([
      'other-terms',
    ]);
    const { amountIn, terms: sold } = PARAMS.sell;
    expect(judged(SELL, record([[WALLET, sold.minOut]], [[WALLET, -amountIn - 1n]]))).toEqual([
      'other-terms',
    ]);
  });
});
