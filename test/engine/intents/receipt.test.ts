import { type Address, NO_SPEC_EXTENSIONS, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { LaunchParams } from '../../../src/engine/intents/kinds/launch/params.ts';
import { landedReceipt } from '../../../src/engine/intents/rules/receipt.ts';
import { isPriceFailure } from '../../../src/engine/intents/rules/retry.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { addressOf, DESTINATION, MINT, PARAMS, TREASURY, WALLET } from './build.ts';

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

const bought = (lamports: bigint) => ({ lamports, quotedTokens: 10n, minTokens: 9n, slippageBps: 500 });
const LAUNCH: LaunchParams = {
  kind: 'launch',
  pad: 'desk',
  program: null,
  config: null,
  spec: {
    program: 'token',
    name: 'Cat',
    symbol: 'CAT',
    decimals: 6,
    supply: 1_000n,
    mintTo: WALLET,
    mintAuthority: false,
    freezeAuthority: false,
    updateAuthority: false,
    extensions: NO_SPEC_EXTENSIONS,
  },
  uri: 'https://example.org/cat.json',
  metadataHash: null,
  firstBuy: null,
  costLamports: 20_000_000n,
  feeLamports: 5_000_000n,
  tier: 'normal',
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

  const receiptOf = (
    change: Partial<LandedTransaction>,
    parties: Partial<Parameters<typeof landedReceipt>[1]> = {},
  ) =>
    landedReceipt(
      { ...landed, ...change },
      { wallet: WALLET, treasury: TREASURY, params: PARAMS.buy, ...parties },
    );

  it('has no time where the block has none, and no platform fee where the treasury lost', () => {
    const treasury = { address: TREASURY, before: 9n, after: 4n };
    expect(receiptOf({ blockTime: null, balances: [treasury] })).toMatchObject({
      landedAt: null,
      walletLamportsDelta: 0n,
      platformFeeLamports: 0n,
    });
  });

  it('never tells a priority fee below nothing: what the chain took is the base fee then', () => {
    expect(receiptOf({ feeLamports: 6_000n })).toMatchObject({
      feeLamports: 6_000n,
      baseFeeLamports: 6_000n,
      priorityFeeLamports: 0n,
    });
  });

  it('adds up a wallet’s accounts of one token, and leaves out what did not change', () => {
    const other = addressOf(23);
    const row = (account: number, mint: Address, before: bigint, after: bigint) => ({
      account: addressOf(account),
      owner: WALLET,
      mint,
      before,
      after,
    });
    const tokenBalances = [
      row(30, MINT, 5n, 9n),
      row(31, MINT, 10n, 3n),
      row(32, other, 8n, 8n),
      row(33, addressOf(24), 8n, 2n),
      row(34, addressOf(24), 0n, 6n),
    ];
    expect(receiptOf({ tokenBalances }).tokenDeltas).toEqual([{ mint: MINT, delta: -3n }]);
  });

  it('counts rent of accounts that were opened for the wallet or the recipient, and of no others', () => {
    const rents = (owner: Address, before: bigint) =>
      receiptOf(
        {
          balances: [{ address: ata, before, after: 2_039_280n }],
          tokenBalances: [{ account: ata, owner, mint: MINT, before: 0n, after: 1n }],
        },
        { params: PARAMS.withdrawSol },
      ).rentLamports;
    expect(rents(WALLET, 0n)).toBe(2_039_280n);
    expect(rents(DESTINATION, 0n)).toBe(2_039_280n);
    expect(rents(addressOf(70), 0n)).toBe(0n);
    expect(rents(WALLET, 1n)).toBe(0n);
    const unlisted = receiptOf({
      balances: [],
      tokenBalances: [{ account: ata, owner: WALLET, mint: MINT, before: 0n, after: 1n }],
    });
    expect(unlisted.rentLamports).toBe(0n);
  });

  it('takes off the rent of the wallet’s accounts that were closed, so that no sale has it as profit', () => {
    const closed = (owner: Address, mint: Address, lamports: bigint, units: bigint) =>
      receiptOf({
        balances: [{ address: ata, before: lamports, after: 0n }],
        tokenBalances: [{ account: ata, owner, mint, before: units, after: 0n }],
      }).rentLamports;
    expect(closed(WALLET, MINT, 2_039_280n, 700n)).toBe(-2_039_280n);
    expect(closed(DESTINATION, MINT, 2_039_280n, 700n)).toBe(0n);
    // Wrapped SOL beyond the rent is money that came out of the account.
    expect(closed(WALLET, WSOL_MINT, 2_039_280n + 500n, 500n)).toBe(-2_039_280n);
  });

  it('says how much of a token withdrawal arrived, where the mint withheld a part', () => {
    const tokenBalances = [
      { account: ata, owner: WALLET, mint: MINT, before: 900n, after: 200n },
      { account: addressOf(21), owner: DESTINATION, mint: MINT, before: 1n, after: 694n },
    ];
    const params = {
      kind: 'withdraw-token',
      mint: MINT,
      tokenProgram: addressOf(90),
      decimals: 6,
      destination: DESTINATION,
      amount: 700n,
      tier: 'normal',
    } as const;
    expect(receiptOf({ tokenBalances }, { params }).arrivedUnits).toBe(693n);
    expect(receiptOf({ tokenBalances })).not.toHaveProperty('arrivedUnits');
  });

  const createdMint = addressOf(80);
  const creation = {
    balances: [
      { address: WALLET, before: 100_000_000n, after: 79_988_000n },
      { address: TREASURY, before: 0n, after: 5_000_000n },
      { address: createdMint, before: 0n, after: 1_461_600n },
      { address: ata, before: 0n, after: 2_039_280n },
      { address: addressOf(81), before: 3n, after: 11_499_123n },
    ],
  };

  it('counts as a creation’s rent all that fills new accounts but the treasury, and names the mint', () => {
    const receipt = receiptOf(creation, { createdMint });
    expect(receipt.rentLamports).toBe(1_461_600n + 2_039_280n);
    expect(receipt.createdMint).toBe(createdMint);
    expect(receiptOf(creation, { createdMint: null })).not.toHaveProperty('createdMint');
  });

  it('names no mint of a creation that failed', () => {
    const failed = receiptOf({ ...creation, err: '{"Custom":1}' }, { createdMint });
    expect(failed).not.toHaveProperty('createdMint');
    expect(failed.rentLamports).toBe(2_039_280n);
  });

  it('counts as a launch’s cost what left beyond fees and the first buy', () => {
    const cost = (firstBuy: bigint | null, change: Partial<LandedTransaction> = {}) =>
      receiptOf(
        { ...creation, ...change },
        { createdMint, params: { ...LAUNCH, firstBuy: firstBuy === null ? null : bought(firstBuy) } },
      ).rentLamports;
    // 20,012,000 left: 12,000 for the network, 5,000,000 for the platform.
    expect(cost(null)).toBe(15_000_000n);
    expect(cost(9_000_000n)).toBe(6_000_000n);
    // A first buy that was cheaper than quoted is no cost below nothing.
    expect(cost(16_000_000n)).toBe(0n);
    const own = receiptOf(creation, { createdMint, wallet: TREASURY, params: LAUNCH });
    expect(own).toMatchObject({ rentLamports: 0n, platformFeeLamports: 0n });
    const paid = [{ address: TREASURY, before: 30_000_000n, after: 9_988_000n }];
    expect(
      receiptOf({ balances: paid }, { createdMint, wallet: TREASURY, params: LAUNCH }).rentLamports,
    ).toBe(20_000_000n);
    expect(
      cost(null, { balances: [{ address: TREASURY, before: 8n, after: 1n }, creation.balances[0]!] }),
    ).toBe(20_000_000n);
  });

  it('knows a moved price by what programs log, and nothing else by it', () => {
    expect(isPriceFailure(['Program log: Error: exceeds desired slippage limit'])).toBe(true);
    expect(isPriceFailure(['Program log: AnchorError. Error Code: TooLittleOutputReceived.'])).toBe(true);
    expect(isPriceFailure(['Program log: Error: insufficient funds'])).toBe(false);
  });
});
