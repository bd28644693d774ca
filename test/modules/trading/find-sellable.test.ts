import { AccountState } from '@solana/spl-token';
import { type ChainAccount, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { key, tokenAccountBytes } from '../../../packages/solana/test/token-account-bytes.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { findSellable, findShare } from '../../../src/modules/trading/use/find-sellable.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { buildToken } from '../tokens/build-token.ts';

const wallet = key();
const token = buildToken({ mint: key() });
const [associated, second, third] = [key(), key(), key()];

type Held = { readonly address: typeof wallet; readonly amount: bigint; readonly frozen: boolean };

function find(
  wanted: bigint,
  accounts: readonly Held[],
  overrides: { readonly token?: typeof token; readonly holding?: Chain['holding'] } = {},
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
  const chain = { holding: overrides.holding ?? holdingOf(accounts) } as Chain;
  return findSellable(
    { chain },
    { wallet, token: overrides.token ?? token, associated, associatedState, wanted },
  );
}

const holdingOf = (accounts: readonly Held[]) => async () => ({
  amount: accounts.reduce((sum, account) => sum + account.amount, 0n),
  accounts,
});

const share = (bpsOf: number, accounts: readonly Held[]) =>
  findShare(
    { chain: { holding: holdingOf(accounts) } as never },
    { wallet, token, associated, shareBps: bps(bpsOf) },
  );

const held = (address: typeof wallet, amount: bigint, frozen = false): Held => ({ address, amount, frozen });

describe('findSellable', () => {
  it('takes the associated account without asking for the others when it holds enough', async () => {
    const holding = () => Promise.reject(new Error('the holding was asked for'));
    expect(await find(10n, [held(associated, 10n)], { holding })).toEqual({
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
      details: { needed: 60n, available: 40n, together: 70n },
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

describe('findShare', () => {
  it('is a share of all accounts together, from the associated one where that has so much', async () => {
    const accounts = [held(associated, 60n), held(second, 41n)];
    expect(await share(5_000, accounts)).toEqual({
      sold: { account: associated, units: 60n },
      units: 50n,
      elsewhere: 0n,
    });
    expect(await share(5_000, [held(associated, 41n), held(second, 60n)])).toEqual({
      sold: { account: second, units: 60n },
      units: 50n,
      elsewhere: 0n,
    });
  });

  it('takes what the fullest account has, and says what of the share lies in others', async () => {
    const accounts = [held(associated, 1n), held(second, 60n), held(third, 40n)];
    expect(await share(10_000, accounts)).toEqual({
      sold: { account: second, units: 60n },
      units: 60n,
      elsewhere: 41n,
    });
  });

  it('counts no frozen units, and takes at least one', async () => {
    expect(await share(10_000, [held(associated, 5n), held(second, 60n, true)])).toMatchObject({
      units: 5n,
      elsewhere: 0n,
    });
    expect(await share(1, [held(associated, 5n)])).toMatchObject({ units: 1n });
    await expect(share(1, [held(associated, 5n, true)])).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRANSFERABLE',
    });
    await expect(share(1, [])).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
  });
});
