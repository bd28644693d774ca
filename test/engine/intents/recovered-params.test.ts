import { NO_TOKEN_POWERS } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { recoveredParams } from '../../../src/engine/intents/rules/recovered-params.ts';
import type { Token } from '../../../src/modules/tokens/rules/token.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { addressOf, DESTINATION, MINT, TREASURY, WALLET } from './build.ts';

const PROGRAM = addressOf(30);
const landed: LandedTransaction = {
  signature: 'sig',
  slot: 10n,
  blockTime: null,
  err: null,
  feeLamports: 5_000n,
  logs: [],
  balances: [{ address: WALLET, before: 10_000n, after: 4_000n }],
  tokenBalances: [],
  signatureCount: 1,
};
const receipt: LandedReceipt = {
  signature: 'sig',
  slot: 10n,
  landedAt: null,
  feeLamports: 5_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 0n,
  walletLamportsDelta: -5_000n,
  tokenDeltas: [],
  rentLamports: 0n,
  platformFeeLamports: 40n,
};
const token: Token = {
  mint: MINT,
  tokenProgram: PROGRAM,
  decimals: 6,
  supply: 1n,
  symbol: null,
  name: null,
  mintAuthority: null,
  freezeAuthority: null,
  extensions: NO_TOKEN_POWERS,
};
const recover = (
  change: Partial<LandedReceipt>,
  transaction: Partial<LandedTransaction> = {},
  known: Token | null = token,
) =>
  recoveredParams(
    { ...landed, ...transaction },
    { ...receipt, ...change },
    { wallet: WALLET, treasury: TREASURY, token: known },
  );
const terms = (amountIn: bigint, out: bigint) => ({
  amountIn,
  quotedOut: out,
  minOut: out,
  platformFeeLamports: 40n,
  priceImpactBps: 0,
  slippageBps: 0,
  route: [],
});
const delta = (amount: bigint) => [{ mint: MINT, delta: amount }];

describe('the request behind a landed transaction', () => {
  it('is a purchase when lamports left beyond fee and rent, and tokens came', () => {
    expect(recover({ walletLamportsDelta: -7_100n, rentLamports: 100n, tokenDeltas: delta(9n) })).toEqual({
      kind: 'buy',
      mint: MINT,
      lamportsIn: 2_000n,
      terms: terms(2_000n, 9n),
      tier: 'normal',
    });
  });

  it('is a sale when tokens left, and lamports came beyond the fee', () => {
    expect(recover({ walletLamportsDelta: -4_000n, tokenDeltas: delta(-9n) })).toEqual({
      kind: 'sell',
      mint: MINT,
      amountIn: 9n,
      terms: terms(9n, 1_000n),
      tier: 'normal',
    });
  });

  const arrived = { account: addressOf(40), owner: DESTINATION, mint: MINT, before: 1n, after: 10n };

  it('is a withdrawal of tokens when they left for somebody else and nothing came', () => {
    const tokenBalances = [
      { ...arrived, account: addressOf(41), owner: addressOf(42), mint: addressOf(43) },
      { ...arrived, account: addressOf(44), owner: addressOf(45), before: 5n, after: 5n },
      { ...arrived, account: addressOf(46), owner: WALLET },
      arrived,
    ];
    const expected = {
      kind: 'withdraw-token',
      mint: MINT,
      tokenProgram: PROGRAM,
      decimals: 6,
      destination: DESTINATION,
      amount: 9n,
      tier: 'normal',
    };
    expect(recover({ tokenDeltas: delta(-9n) }, { tokenBalances })).toEqual(expected);
    // Rent for the recipient's account is no payment.
    expect(
      recover(
        { tokenDeltas: delta(-9n), walletLamportsDelta: -7_000n, rentLamports: 2_000n },
        { tokenBalances },
      ),
    ).toEqual(expected);
    expect(recover({ tokenDeltas: delta(-9n) }, { tokenBalances }, null)).toBeNull();
    expect(recover({ tokenDeltas: delta(-9n) }, { tokenBalances: tokenBalances.slice(0, 3) })).toBeNull();
    expect(recover({ tokenDeltas: delta(9n) }, { tokenBalances })).toBeNull();
  });

  it('is a withdrawal of SOL when one stranger got some', () => {
    const balances = [
      ...landed.balances,
      { address: WALLET, before: 1n, after: 3n },
      { address: addressOf(50), before: 7n, after: 7n },
      { address: addressOf(51), before: 7n, after: 6n },
      { address: DESTINATION, before: 100n, after: 1_100n },
    ];
    expect(recover({}, { balances })).toEqual({
      kind: 'withdraw-sol',
      destination: DESTINATION,
      lamports: 1_000n,
      everything: false,
      tier: 'normal',
    });
    expect(
      recover({}, { balances: [...balances, { address: addressOf(52), before: 0n, after: 1n }] }),
    ).toBeNull();
    expect(recover({}, { balances: [{ address: TREASURY, before: 0n, after: 1n }] })).toBeNull();
    expect(recover({})).toBeNull();
  });

  it('is nothing of ours when two tokens moved, or nothing was given for what came', () => {
    expect(
      recover({
        walletLamportsDelta: -9_000n,
        tokenDeltas: [...delta(9n), { mint: addressOf(60), delta: 1n }],
      }),
    ).toBeNull();
    expect(
      recover({ walletLamportsDelta: -5_000n, tokenDeltas: delta(9n) }, { tokenBalances: [arrived] }),
    ).toBeNull();
    expect(
      recover({ walletLamportsDelta: -4_000n, tokenDeltas: delta(9n) }, { tokenBalances: [arrived] }),
    ).toBeNull();
  });
});
