import { WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  arrivalsOf,
  isTold,
  SMALLEST_LAMPORTS,
  tokenAccountsOf,
} from '../../../src/modules/deposits/rules/arrivals.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const wallet = newAddress();
const stranger = newAddress();
const mint = newAddress();
const account = newAddress();
const other = newAddress();

function landed(change: Partial<LandedTransaction> = {}): LandedTransaction {
  return {
    signature: 'signature',
    slot: 5n,
    blockTime: 9,
    err: null,
    feeLamports: 5_000n,
    logs: [],
    balances: [
      { address: stranger, before: 9_000_000n, after: 1_000n },
      { address: wallet, before: 1n, after: 1n + SMALLEST_LAMPORTS },
    ],
    tokenBalances: [],
    signatureCount: 1,
    ...change,
  };
}
type TokenRow = LandedTransaction['tokenBalances'][number];
const token = (of: Partial<TokenRow> & Pick<TokenRow, 'after'>): TokenRow => ({
  account,
  owner: wallet,
  mint,
  before: 0n,
  ...of,
});

describe('what came into a wallet', () => {
  it('is SOL from the smallest amount on that is told', () => {
    expect(arrivalsOf(landed(), wallet)).toEqual([{ asset: 'SOL', units: SMALLEST_LAMPORTS }]);
    const dust = landed({
      balances: [
        { address: stranger, before: 9n, after: 1n },
        { address: wallet, before: 1n, after: SMALLEST_LAMPORTS },
      ],
    });
    expect(arrivalsOf(dust, wallet)).toEqual([]);
  });

  it('is nothing of a transaction that failed or that the wallet itself signed', () => {
    expect(arrivalsOf(landed({ err: '{}' }), wallet)).toEqual([]);
    expect(arrivalsOf(landed({ signatureCount: 2 }), wallet)).toEqual([]);
  });

  it('is units of a mint over all accounts of the wallet, what left it taken off', () => {
    const moved = landed({
      balances: [],
      tokenBalances: [
        token({ after: 7n }),
        token({ account: other, before: 3n, after: 1n }),
        token({ owner: stranger, before: 9n, after: 2n }),
      ],
    });
    expect(arrivalsOf(moved, wallet)).toEqual([{ asset: mint, units: 5n }]);
    expect(tokenAccountsOf(moved, wallet)).toEqual([
      { account, units: 7n },
      { account: other, units: 1n },
    ]);
  });

  it('is neither wrapped SOL nor what only leaves', () => {
    const moved = landed({
      balances: [],
      tokenBalances: [token({ mint: WSOL_MINT, after: 7n }), token({ before: 3n, after: 1n })],
    });
    expect(arrivalsOf(moved, wallet)).toEqual([]);
  });
});

describe('a token that arrived', () => {
  it('is told where it was bought here, unless it is dust', () => {
    expect(isTold({ known: true, worth: null })).toBe(true);
    expect(isTold({ known: true, worth: 1_000_000n })).toBe(true);
    expect(isTold({ known: true, worth: 999_999n })).toBe(false);
  });

  it('of a stranger’s making is told only where a sale would bring something', () => {
    expect(isTold({ known: false, worth: null })).toBe(false);
    expect(isTold({ known: false, worth: 9_999_999n })).toBe(false);
    expect(isTold({ known: false, worth: 10_000_000n })).toBe(true);
  });
});
