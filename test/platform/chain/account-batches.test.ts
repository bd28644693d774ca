import { Keypair } from '@solana/web3.js';
import { type Address, SYSTEM_PROGRAM } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { createAccountBatches } from '../../../src/platform/chain/account-batches.ts';

const fresh = (count: number): readonly Address[] =>
  Array.from({ length: count }, () => address(Keypair.generate().publicKey.toBase58()));

/** A chain on which every account holds as many lamports as its address has characters. */
function chainThatCounts() {
  const calls: (readonly Address[])[] = [];
  const read = async (addresses: readonly Address[]) => {
    calls.push(addresses);
    return {
      slot: BigInt(calls.length),
      accounts: addresses.map((one) => ({
        lamports: BigInt(one.charCodeAt(0)),
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(),
        executable: false,
      })),
    };
  };
  return { calls, read };
}

it('answers callers of one turn from one call, each in its own order, shared addresses once', async () => {
  const { calls, read } = chainThatCounts();
  const accounts = createAccountBatches(read, 100);
  const [a, b, c] = fresh(3) as [Address, Address, Address];
  const answers = await Promise.all([
    accounts([a, b]),
    // A few promises later still belongs to the turn.
    Promise.resolve().then(() => Promise.resolve().then(() => accounts([c, b, b]))),
  ]);
  expect(calls).toEqual([[a, b, c]]);
  const lamports = (one: Address) => BigInt(one.charCodeAt(0));
  expect(answers[0].accounts.map((one) => one?.lamports)).toEqual([a, b].map(lamports));
  expect(answers[1].accounts.map((one) => one?.lamports)).toEqual([c, b, b].map(lamports));
  await accounts([a]);
  expect(calls).toHaveLength(2);
});

it('never spreads what one caller asked for over two calls', async () => {
  const { calls, read } = chainThatCounts();
  const accounts = createAccountBatches(read, 10);
  const asks = [fresh(6), fresh(5), fresh(4), fresh(10)];
  const answers = await Promise.all(asks.map(accounts));
  expect(calls.map((call) => call.length)).toEqual([6, 9, 10]);
  expect(answers.map(({ slot }) => slot)).toEqual([1n, 2n, 2n, 3n]);
});

it('tells every caller of a failed call, and asks anew the next time', async () => {
  let fails = true;
  const accounts = createAccountBatches(async () => {
    if (fails) throw new Error('no endpoint');
    return { slot: 1n, accounts: [null] };
  }, 100);
  const [one] = fresh(1) as [Address];
  const settled = await Promise.allSettled([accounts([one]), accounts([one])]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await accounts([one])).toEqual({ slot: 1n, accounts: [null] });
});
