import { Keypair, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import { type Address, fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('swap-funds', { withSenders: true });
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

type Order = { readonly from: string; readonly to: string; readonly amount: string };
type Holder = { readonly keypair: Keypair; readonly wallet: Address };
const SOLD = '100000000';
const mint = (symbol: string): string => rig.token(symbol).mint;

const newHolder = (): Holder => {
  const keypair = Keypair.generate();
  return { keypair, wallet: address(keypair.publicKey.toBase58()) };
};
const ask = ({ wallet }: Holder, { from, to, amount }: Order, more: object = {}) =>
  post(api.open, {
    userWalletAddress: wallet,
    fromTokenAddress: from,
    toTokenAddress: to,
    amount,
    slippageBps: 300,
    ...more,
  });

async function land({ keypair }: Holder, tx: string): Promise<void> {
  const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
  transaction.sign([keypair]);
  expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
  expect(landed?.err).toBeNull();
}

/** A wallet that holds a token and no SOL worth mentioning. */
async function holderOf(symbol: string): Promise<Holder> {
  const holder = newHolder();
  await rig.airdrop(holder.wallet, 2_000_000_000n);
  const bought = await ask(holder, { from: SOL, to: mint(symbol), amount: '500000000' });
  await land(holder, bought.json<{ data: { tx: string } }>().data.tx);
  const left = await rig.chain.balance(holder.wallet);
  const { blockhash } = await rig.rpc.getLatestBlockhash();
  const drain = new Transaction({ feePayer: holder.keypair.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({
      fromPubkey: holder.keypair.publicKey,
      toPubkey: new PublicKey(rig.treasury),
      lamports: Number(left - 5_000n),
    }),
  );
  drain.sign(holder.keypair);
  expect(await rig.chain.send(drain.serialize())).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  expect(await rig.chain.balance(holder.wallet)).toBe(0n);
  return holder;
}

const referred = (): object => ({ referrerWalletAddress: rig.treasury, referrerFeeBps: 100 });

describe('the sum that a refusal names', () => {
  it.each([
    ['a first purchase', async () => newHolder(), () => ({ from: SOL, to: mint('PUP'), amount: SOLD }), {}],
    [
      'a purchase of a taxed token',
      async () => newHolder(),
      () => ({ from: SOL, to: mint('TAX'), amount: SOLD }),
      {},
    ],
    [
      'a purchase with a referrer',
      async () => newHolder(),
      () => ({ from: SOL, to: mint('PUP'), amount: SOLD }),
      referred,
    ],
    [
      'a purchase with a tip',
      async () => newHolder(),
      () => ({ from: SOL, to: mint('PUP'), amount: SOLD }),
      { tipLamports: '1500000', sender: 'jito' },
    ],
    [
      'a sale with a tip',
      () => holderOf('PUP'),
      () => ({ from: mint('PUP'), to: SOL, amount: '1000000000' }),
      { tipLamports: '700000', sender: 'sender' },
    ],
    ['a sale', () => holderOf('PUP'), () => ({ from: mint('PUP'), to: SOL, amount: '1000000000' }), {}],
    [
      'a swap of tokens',
      () => holderOf('PUP'),
      () => ({ from: mint('PUP'), to: mint('USDC'), amount: '1000000000' }),
      {},
    ],
    [
      'a swap over SOL',
      () => holderOf('PUP'),
      () => ({ from: mint('PUP'), to: mint('TAX'), amount: '1000000000' }),
      {},
    ],
  ] as const)('is enough, to the lamport, for %s', async (_what, holder, order, more) => {
    const who = await holder();
    const options = typeof more === 'function' ? more() : more;
    const refused = (await ask(who, order(), options)).json<ErrorAnswer>().error;
    expect(refused).toMatchObject({ code: 'INSUFFICIENT_LAMPORTS', field: 'userWalletAddress' });
    const needed = BigInt(/needs (\d+) lamports/.exec(refused.message)?.[1] ?? '0');
    const parts = refused.details.filter(({ code }) => code.startsWith('NEEDED_'));
    expect(parts.map(({ code }) => code)).toEqual([
      'NEEDED_AMOUNT',
      'NEEDED_ACCOUNT_RENT',
      'NEEDED_NETWORK_FEE',
      'NEEDED_TIP',
      'NEEDED_TEMPORARY',
    ]);
    expect(parts.reduce((sum, { message }) => sum + BigInt(message), 0n)).toBe(needed);
    await rig.airdrop(who.wallet, needed);
    const answer = await ask(who, order(), options);
    expect(answer.statusCode, answer.body).toBe(200);
    await land(who, answer.json<{ data: { tx: string } }>().data.tx);
  });
});

it('a referrer’s part is told as it arrives, and beside it what is sent', async () => {
  const holder = await holderOf('PUP');
  const order = { from: mint('PUP'), to: mint('TAX'), amount: '1000000000' };
  const bystander = await holderOf('TAX');
  await rig.airdrop(holder.wallet, 1_000_000_000n);
  const account = rig.programs.associatedTokenAddress(
    bystander.wallet,
    address(mint('TAX')),
    (await rig.chain.token(address(mint('TAX'))))?.tokenProgram ?? address(SOL),
  );
  const heldAt = async () =>
    BigInt((await rig.rpc.getTokenAccountBalance(new PublicKey(account))).value.amount);
  const before = await heldAt();
  const answer = await ask(holder, order, {
    referrerWalletAddress: bystander.wallet,
    referrerFeeBps: 200,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { tx, fees } = answer.json<{ data: { tx: string; fees: Record<string, string> } }>().data;
  await land(holder, tx);
  expect((await heldAt()) - before).toBe(BigInt(fees['referrerFee'] ?? ''));
  expect(BigInt(fees['referrerFeeSent'] ?? '')).toBeGreaterThan(BigInt(fees['referrerFee'] ?? ''));
});
