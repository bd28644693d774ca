import { describe, expect, it } from 'vitest';
import { WSOL_MINT } from '../../../src/core/address/programs.ts';
import { landedReceipt } from '../../../src/core/intents/receipt.ts';
import { isPriceFailure } from '../../../src/core/intents/retry.ts';
import type { LandedTransaction } from '../../../src/core/ports/chain.ts';
import { addressOf, MINT, PARAMS, TREASURY, WALLET } from './build.ts';

const ata = addressOf(20);
const landed: LandedTransaction = {
  signature: 'sig',
  slot: 10n,
  blockTime: 1_700_000_000,
  err: null,
  feeLamports: 12_000n,
  logs: [],
  balances: [
    { address: WALLET, before: 1_000_000_000n, after: 490_000_000n },
    { address: TREASURY, before: 1_000_000n, after: 6_000_000n },
    { address: ata, before: 0n, after: 2_039_280n },
  ],
  tokenBalances: [
    { account: ata, owner: WALLET, mint: MINT, before: 0n, after: 700n },
    { account: addressOf(21), owner: addressOf(22), mint: MINT, before: 900n, after: 200n },
  ],
  signatureCount: 2,
};

describe('the receipt of a landed transaction', () => {
  it('reads fees, deltas, rent and the platform fee from the chain alone', () => {
    expect(landedReceipt(landed, { wallet: WALLET, treasury: TREASURY, params: PARAMS.buy })).toEqual({
      signature: 'sig',
      slot: 10n,
      landedAt: 1_700_000_000_000,
      feeLamports: 12_000n,
      baseFeeLamports: 10_000n,
      priorityFeeLamports: 2_000n,
      walletLamportsDelta: -510_000_000n,
      tokenDeltas: [{ mint: MINT, delta: 700n }],
      rentLamports: 2_039_280n,
      platformFeeLamports: 5_000_000n,
    });
  });

  it('counts wrapped SOL beyond the rent as money and a payout as no fee', () => {
    const wrapped = {
      ...landed,
      balances: [{ address: ata, before: 0n, after: 2_039_280n + 500n }],
      tokenBalances: [{ account: ata, owner: WALLET, mint: WSOL_MINT, before: 0n, after: 500n }],
    };
    const receipt = landedReceipt(wrapped, { wallet: WALLET, treasury: TREASURY, params: PARAMS.buy });
    expect(receipt.rentLamports).toBe(2_039_280n);
    const own = landedReceipt(landed, { wallet: TREASURY, treasury: TREASURY, params: PARAMS.buy });
    expect(own.platformFeeLamports).toBe(0n);
  });

  it('knows a moved price by what programs log, and nothing else by it', () => {
    expect(isPriceFailure(['Program log: Error: exceeds desired slippage limit'])).toBe(true);
    expect(isPriceFailure(['Program log: AnchorError. Error Code: TooLittleOutputReceived.'])).toBe(true);
    expect(isPriceFailure(['Program log: Error: insufficient funds'])).toBe(false);
  });
});
