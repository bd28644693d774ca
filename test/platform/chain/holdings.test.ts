import { AccountState } from '@solana/spl-token';
import { TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { key, tokenAccountBytes } from '../../../packages/solana/test/token-account-bytes.ts';
import { sumHoldings } from '../../../src/platform/chain/holdings.ts';

const mint = key();
const owner = key();
const bytes = (amount: bigint, state: AccountState = AccountState.Initialized, of = mint) =>
  tokenAccountBytes({ mint: of, owner, amount, state });

describe('sumHoldings', () => {
  it('adds the accounts of one mint, orders by amount and leaves out what is not the owner’s', () => {
    const [a, b, c, d] = [key(), key(), key(), key()];
    const other = key();
    const owned = [
      { address: a, program: TOKEN_PROGRAM, data: bytes(3n) },
      { address: b, program: TOKEN_PROGRAM, data: bytes(100n, AccountState.Initialized, other) },
      { address: c, program: TOKEN_PROGRAM, data: bytes(4n, AccountState.Frozen) },
      { address: d, program: TOKEN_PROGRAM, data: bytes(9n, AccountState.Initialized, key()) },
    ];
    const decimals = new Map([
      [mint, 6],
      [other, 2],
    ]);
    const holdings = sumHoldings(owner, owned, (of) => decimals.get(of) ?? null);
    expect(holdings.map((one) => [one.mint, one.amount, one.decimals])).toEqual([
      [other, 100n, 2],
      [mint, 7n, 6],
    ]);
    expect(holdings[1]?.accounts).toEqual([
      { address: a, amount: 3n, frozen: false },
      { address: c, amount: 4n, frozen: true },
    ]);
    expect(sumHoldings(key(), owned, () => 6)).toEqual([]);
  });
});
