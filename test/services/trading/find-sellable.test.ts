import { AccountState } from '@solana/spl-token';
import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../../../src/core/address/programs.ts';
import type { Chain, ChainAccount } from '../../../src/core/ports/chain.ts';
import { findSellable } from '../../../src/services/trading/find-sellable.ts';
import { buildToken } from '../../core/tokens/build-token.ts';
import { key, tokenAccountBytes } from '../../core/tokens/token-account-bytes.ts';

const wallet = key();
const token = buildToken({ mint: key() });
const [associated, second, third] = [key(), key(), key()];

type Held = { readonly address: typeof wallet; readonly amount: bigint; readonly frozen: boolean };

function find(
  wanted: bigint,
  accounts: readonly Held[],
  overrides: { readonly token?: typeof token; readonly holdings?: Chain['holdings'] } = {},
) {
  const own = accounts.find((account) => account.address === associated);
  const associatedState: ChainAccount | null =
    own === undefined
      ? null
      : {
          lamports: 1n,
          owner: TOKEN_PROGRAM,
          executable: false,
          data: tokenAccountBytes({
            mint: token.mint,
            owner: wallet,
            amount: own.amount,
            state: own.frozen ? AccountState.Frozen : AccountState.Initialized,
          }),
        };
  const holdings = async () => [
    {
      mint: token.mint,
      tokenProgram: TOKEN_PROGRAM,
      decimals: token.decimals,
      amount: accounts.reduce((sum, account) => sum + account.amount, 0n),
      accounts,
    },
  ];
  const chain = { holdings: overrides.holdings ?? holdings } as Chain;
  return findSellable(
    { chain },
    { wallet, token: overrides.token ?? token, associated, associatedState, wanted },
  );
}

const held = (address: typeof wallet, amount: bigint, frozen = false): Held => ({ address, amount, frozen });

describe('findSellable', () => {
  it('takes the associated account without asking for the others when it holds enough', async () => {
    const holdings = () => Promise.reject(new Error('holdings were asked for'));
    expect(await find(10n, [held(associated, 10n)], { holdings })).toEqual({
      account: associated,
      units: 10n,
    });
  });

  it('takes the fullest other account when the associated one is short or missing', async () => {
    const others = [held(second, 30n), held(third, 50n)];
    expect(await find(40n, [held(associated, 10n), ...others])).toEqual({ account: third, units: 50n });
    expect(await find(1n, others)).toEqual({ account: third, units: 50n });
  });

  it('does not gather units from several accounts', async () => {
    await expect(find(60n, [held(associated, 30n), held(second, 40n)])).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { needed: 60n, available: 40n },
    });
  });

  it('says that units are frozen only when they are what is missing', async () => {
    await expect(find(10n, [held(associated, 10n, true)])).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRANSFERABLE',
    });
    await expect(find(20n, [held(associated, 10n, true), held(second, 5n)])).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { available: 5n },
    });
    expect(await find(5n, [held(associated, 10n, true), held(second, 5n)])).toMatchObject({
      account: second,
    });
  });

  it('never sells what may never move', async () => {
    const bound = buildToken({ mint: token.mint, extensions: { nonTransferable: true } });
    await expect(find(1n, [held(associated, 10n)], { token: bound })).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRANSFERABLE',
    });
  });
});
