import { deriveKey, seedOf, startLocalChain } from '@tradepost/local-chain';
import { type Address, type ChainAccount, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it, onTestFinished } from 'vitest';
import { key, tokenAccountBytes } from '../../../packages/solana/test/token-account-bytes.ts';
import { address } from '../../../src/core/address/address.ts';
import { createOwnedAccounts } from '../../../src/platform/chain/owned-accounts.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';

async function cutNode() {
  const running = await startLocalChain({ slotMs: 0, seed: 'cut', wsPort: null, faults: {} });
  onTestFinished(() => running.stop());
  const owner = address(deriveKey(seedOf('cut'), 'treasury').address);
  const mints = running.world.tokens.map(({ mint }) => address(mint));
  const open = (booked?: readonly Address[]) =>
    createRpcChain({ urls: [running.rpcUrl], ...(booked && { booked: async () => booked }) });
  const cut = (times?: number) =>
    running.faults?.setPlan({
      rules: [{ kind: 'truncate', method: 'getTokenAccountsByOwner', ...(times !== undefined && { times }) }],
    });
  return { owner, mints, open, cut };
}

describe('what a wallet holds, where a node cuts its lists', () => {
  it('is found of one mint', async () => {
    const { owner, mints, open, cut } = await cutNode();
    const chain = open();
    const mint = mints[0] ?? key();
    const whole = await chain.holding(owner, mint);
    expect(whole.amount).toBeGreaterThan(0n);
    cut();
    expect(await chain.holding(owner, mint)).toEqual(whole);
  });

  it('is found of all mints that an earlier look saw, and is in doubt', async () => {
    const { owner, open, cut } = await cutNode();
    const chain = open();
    const whole = await chain.holdings(owner);
    expect(whole.length).toBeGreaterThan(2);
    expect(whole.some(({ ofCutList }) => ofCutList)).toBe(false);
    cut();
    expect(await chain.holdings(owner)).toEqual(whole.map((one) => ({ ...one, ofCutList: true })));
    // Two lists, one for each token program, were cut once: the second ones say all.
    cut(2);
    expect(await chain.holdings(owner)).toEqual(whole);
  });

  it('is found of all mints that the books know, by a process that never looked', async () => {
    const { owner, open, cut } = await cutNode();
    const whole = await open().holdings(owner);
    cut();
    const booked = whole.map(({ mint }) => mint);
    expect(await open(booked).holdings(owner)).toEqual(whole.map((one) => ({ ...one, ofCutList: true })));
    expect((await open([]).holdings(owner)).length).toBeLessThan(whole.length);
  });
});

describe('the accounts of an owner', () => {
  function world() {
    const owner = key();
    const states = new Map<Address, ChainAccount>();
    const give = (units: bigint, to = owner): Address => {
      const account = key();
      const data = tokenAccountBytes({ mint: key(), owner: to, amount: units });
      states.set(account, { lamports: 1n, owner: TOKEN_PROGRAM, data, executable: false });
      return account;
    };
    const asked: (readonly Address[])[] = [];
    const owned = createOwnedAccounts(async (addresses) => {
      asked.push(addresses);
      return addresses.map((one) => states.get(one) ?? null);
    });
    const look = async (listed: readonly Address[], mayHave: readonly Address[] = []) => {
      const { accounts, isCut } = await owned(owner, {
        list: async () =>
          listed.flatMap((one) => {
            const state = states.get(one);
            return state === undefined ? [] : [{ address: one, program: state.owner, data: state.data }];
          }),
        mayHave: async () => mayHave,
      });
      return { found: accounts.map((one) => one.address), isCut };
    };
    return { states, give, look, asked };
  }

  it('are asked for by address only where a list lacks what was there', async () => {
    const { give, look, asked } = world();
    const [one, two] = [give(5n), give(7n)];
    await look([one, two]);
    await look([two, one]);
    expect(asked).toEqual([]);
    expect(await look([one])).toEqual({ found: [one, two], isCut: true });
    expect(asked).toEqual([[two], [two]]);
  });

  it('are gone where the chain says so, and are not asked for again', async () => {
    const { states, give, look, asked } = world();
    const [one, two] = [give(5n), give(7n)];
    await look([one, two]);
    states.delete(two);
    expect(await look([one])).toEqual({ found: [one], isCut: false });
    expect(await look([one])).toEqual({ found: [one], isCut: false });
    expect(asked).toEqual([[two]]);
  });

  it('are not those of another owner', async () => {
    const { give, look } = world();
    const [mine, foreign] = [give(5n), give(9n, key())];
    expect(await look([mine], [foreign])).toEqual({ found: [mine], isCut: false });
  });

  it('that held nothing are not asked for', async () => {
    const { give, look, asked } = world();
    const [mine, empty] = [give(5n), give(0n)];
    await look([mine, empty]);
    await look([mine]);
    expect(asked).toEqual([]);
  });
});
