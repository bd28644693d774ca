import { VersionedTransaction } from '@solana/web3.js';
import { fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Quote = {
  readonly fromTokenAmount: string;
  readonly toTokenAmount: string;
  readonly maxSpendAmount: string;
  readonly minReceiveAmount: string;
  readonly requestAmount: string;
  readonly tx: string;
};

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('exact-out');
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

const order = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '1000000',
  slippageBps: 0,
  swapMode: 'exactOut',
  ...more,
});
const quote = async (more: object = {}) => {
  const answer = await api.open.inject({ method: 'POST', url: '/dex/swap/quote', payload: order(more) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Quote }>().data;
};
const exactIn = (amount: bigint, more: object = {}) =>
  quote({ ...more, swapMode: 'exactIn', amount: amount.toString() });

describe('swapMode exactOut', () => {
  it.each([
    ['with no slippage', {}],
    ['with slippage, which the input covers', { slippageBps: 250 }],
    ['one unit', { amount: '1' }],
  ])('sells the least that brings the amount: %s', async (_, more) => {
    const { fromTokenAmount, maxSpendAmount, minReceiveAmount, requestAmount } = await quote(more);
    const wanted = BigInt(order(more).amount);
    expect(requestAmount).toBe(wanted.toString());
    expect(maxSpendAmount).toBe(fromTokenAmount);
    expect(BigInt(minReceiveAmount)).toBeGreaterThanOrEqual(wanted);
    const sold = BigInt(fromTokenAmount);
    expect(BigInt((await exactIn(sold, more)).minReceiveAmount)).toBeGreaterThanOrEqual(wanted);
    if (wanted > 1n) expect(BigInt((await exactIn(sold - 1n, more)).minReceiveAmount)).toBeLessThan(wanted);
  });

  it('goes over another token, and a referrer is paid on top', async () => {
    const over = { toTokenAddress: rig.token('BAO').mint, amount: '100000' };
    const plain = await quote(over);
    const referred = await quote({
      ...over,
      referrerWalletAddress: rig.keypair.publicKey.toBase58(),
      referrerFeeBps: 200,
    });
    for (const { minReceiveAmount } of [plain, referred])
      expect(BigInt(minReceiveAmount)).toBeGreaterThanOrEqual(100_000n);
    expect(BigInt(referred.fromTokenAmount)).toBeGreaterThan(BigInt(plain.fromTokenAmount));
  });

  it('builds a transaction that sells exactly that input and brings the amount', async () => {
    const answer = await post(api.open, order());
    expect(answer.statusCode, answer.body).toBe(200);
    const { tx, maxSpendAmount } = answer.json<{ data: Quote }>().data;
    expect(maxSpendAmount).toBe((await quote()).maxSpendAmount);
    const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
    transaction.sign([rig.keypair]);
    expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
    const got = (landed?.tokenBalances ?? [])
      .filter(({ owner, mint }) => owner === rig.wallet && mint === rig.token('PUP').mint)
      .reduce((sum, row) => sum + row.after - row.before, 0n);
    expect(landed?.err).toBeNull();
    expect(got).toBeGreaterThanOrEqual(1_000_000n);
  });

  it.each([
    ['more than the pools hold', { amount: '18446744073709551615' }, 'INSUFFICIENT_LIQUIDITY', null],
    ['no slippage named', { slippageBps: undefined }, 'SLIPPAGE_OUT_OF_RANGE', 'slippageBps'],
    ['null for the slippage', { slippageBps: null }, 'SLIPPAGE_OUT_OF_RANGE', 'slippageBps'],
    ['an unknown mode', { swapMode: 'both' }, 'VALIDATION_FAILED', 'swapMode'],
    ['the whole slippage', { slippageBps: 10_000, amount: '5' }, 'INSUFFICIENT_LIQUIDITY', null],
    [
      'the whole slippage of 2^63 units',
      { slippageBps: 10_000, amount: (1n << 63n).toString() },
      'INSUFFICIENT_LIQUIDITY',
      null,
    ],
  ])('refuses %s', async (_, more, code, field) => {
    const answer = await post(api.open, order(more));
    expect(answer.statusCode, answer.body).toBe(400);
    const { error } = answer.json<ErrorAnswer>();
    expect(error).toMatchObject({ code, ...(field === null ? {} : { field }) });
  });
});
