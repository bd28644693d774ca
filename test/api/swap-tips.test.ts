import { VersionedTransaction } from '@solana/web3.js';
import { type Address, DONT_FRONT, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedTip } from '../../src/modules/trading/use/asked-tip.ts';
import type { Venue } from '../../src/platform/ports/venue.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Data = {
  readonly txBase64: string;
  readonly fees: { readonly networkFeeLamports: string; readonly tipLamports: string };
  readonly tip: readonly {
    readonly programId: string;
    readonly accounts: readonly {
      readonly address: Address;
      readonly signer: boolean;
      readonly writable: boolean;
    }[];
    readonly data: string;
  }[];
};
type Sender = {
  readonly name: string;
  readonly protects: boolean;
  readonly leastTipLamports: string;
  readonly mostTipLamports: string;
  readonly tipAccounts: readonly Address[];
};

let rig: DeskRig;
let api: Api;
let senders: readonly Sender[];
beforeAll(async () => {
  rig = await startDeskRig('swap-tips', { withSenders: true });
  api = buildApi(rig);
  senders = (await api.open.inject('/dex/senders')).json<{ data: readonly Sender[] }>().data;
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

const order = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '100000000',
  ...more,
});
const accountsOf = (name: string) => senders.find((one) => one.name === name)?.tipAccounts ?? [];
const refusal = (answer: { json: <T>() => T }) => answer.json<ErrorAnswer>().error;

it('GET /dex/senders lists the nodes and every sender with its least tip, the cap and its accounts', () => {
  expect(senders.map(({ tipAccounts, ...one }) => ({ ...one, accounts: tipAccounts.length }))).toEqual([
    { name: 'rpc', protects: false, leastTipLamports: '0', mostTipLamports: '0', accounts: 0 },
    { name: 'jito', protects: true, leastTipLamports: '1000', mostTipLamports: '5000000', accounts: 8 },
    { name: 'sender', protects: false, leastTipLamports: '200000', mostTipLamports: '5000000', accounts: 8 },
  ]);
});

describe('a tip', () => {
  it.each([
    ['a purchase', {}, 'jito', '1000'],
    ['a sale', 'sale', 'sender', '200000'],
    ['a purchase at exactly the cap', {}, 'jito', '5000000'],
  ] as const)('reaches an account of its sender with %s', async (_what, more, sender, tipLamports) => {
    const sale = { fromTokenAddress: rig.token('PUP').mint, toTokenAddress: SOL, amount: '1000000' };
    const answer = await post(api.open, order({ ...(more === 'sale' ? sale : more), sender, tipLamports }));
    expect(answer.statusCode, answer.body).toBe(200);
    const { txBase64, fees } = answer.json<{ data: Data }>().data;
    expect(fees.tipLamports).toBe(tipLamports);
    const transaction = VersionedTransaction.deserialize(Buffer.from(txBase64, 'base64'));
    transaction.sign([rig.keypair]);
    expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
    const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
    expect(landed?.err).toBeNull();
    const paid = landed?.balances.filter(({ address }) => accountsOf(sender).includes(address)) ?? [];
    expect(paid.map(({ before, after }) => (after - before).toString())).toEqual([tipLamports]);
  });

  it('is the group of its own of the instructions, the last, and asks a protecting sender not to be run ahead of', async () => {
    const unsigned = (venue: Venue): Venue => ({
      name: venue.name,
      pools: (...asked) => venue.pools(...asked),
      counterparts: (mint) => venue.counterparts(mint),
    });
    const bare = buildApi({
      ...rig,
      deps: { ...rig.deps, venues: rig.venues.map(unsigned) },
      compiler: {
        ...rig.compiler,
        assemble: (message, signatures) =>
          rig.compiler.assemble(
            message,
            new Map([...message.signers.map((one) => [one, new Uint8Array(64)] as const), ...signatures]),
          ),
      },
    });
    const payload = order({ sender: 'jito', tipLamports: '1234' });
    const answer = await bare.open.inject({ method: 'POST', url: '/dex/swap/instructions', payload });
    expect(answer.statusCode, answer.body).toBe(200);
    const { tip, fees } = answer.json<{ data: Data }>().data;
    await bare.close();
    expect(fees.tipLamports).toBe('1234');
    const [only, ...more] = tip;
    expect(more).toEqual([]);
    expect(only?.accounts[0]).toEqual({ address: rig.wallet, signer: true, writable: true });
    expect(accountsOf('jito')).toContain(only?.accounts[1]?.address);
    expect(only?.accounts[2]).toEqual({ address: DONT_FRONT, signer: false, writable: false });
    expect(Buffer.from(only?.data ?? '', 'base64').readBigUInt64LE(4)).toBe(1_234n);
  });

  it('is quoted for as it is built, and is no part of the price', async () => {
    const quote = async (more: object) => {
      const answer = await api.open.inject({ method: 'POST', url: '/dex/swap/quote', payload: order(more) });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: { toTokenAmount: string } }>().data.toTokenAmount;
    };
    expect(await quote({ sender: 'jito', tipLamports: '5000' })).toBe(await quote({}));
  });

  it.each([
    ['below the sender’s least', { sender: 'jito', tipLamports: '999' }, 'TIP_TOO_SMALL', 'tipLamports'],
    ['that was left out', { sender: 'sender' }, 'TIP_TOO_SMALL', 'tipLamports'],
    ['above the cap', { sender: 'jito', tipLamports: '5000001' }, 'TIP_INVALID', 'tipLamports'],
    ['for the nodes', { sender: 'rpc', tipLamports: '1' }, 'TIP_INVALID', 'tipLamports'],
    ['for a sender that is not there', { sender: 'jeeto', tipLamports: '5000' }, 'SENDER_UNKNOWN', 'sender'],
    ['for no sender', { tipLamports: '5000' }, 'FIELD_REQUIRED', 'sender'],
    ['as a number', { sender: 'jito', tipLamports: 5000 }, 'TIP_INVALID', 'tipLamports'],
    ['in words', { sender: 'jito', tipLamports: 'five' }, 'TIP_INVALID', 'tipLamports'],
    ['below zero', { sender: 'jito', tipLamports: '-1' }, 'TIP_INVALID', 'tipLamports'],
  ])('is refused when it is one %s, in all three operations', async (_what, more, code, field) => {
    for (const url of ['/dex/swap', '/dex/swap/quote', '/dex/swap/instructions']) {
      const answer = await api.open.inject({ method: 'POST', url, payload: order(more) });
      expect(answer.statusCode).toBe(400);
      const { details, message } = refusal(answer);
      expect(details[0], message).toMatchObject({ field, code });
      if (code === 'TIP_TOO_SMALL')
        expect(details[1]).toMatchObject({
          code: 'LEAST_TIP',
          message: 'tipLamports' in more ? '1000' : '200000',
        });
    }
  });

  it('may be named as none', async () => {
    for (const more of [{ tipLamports: '0' }, { sender: 'rpc' }, { sender: null, tipLamports: null }]) {
      const answer = await post(api.open, order(more));
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json<{ data: Data }>().data.fees.tipLamports).toBe('0');
    }
  });

  it('is spread over the accounts of its sender', () => {
    const deps = { senders: rig.senders, tipCapLamports: 5_000_000n };
    const drawn = [0, 0.5, 0.999].map((at) =>
      askedTip({ ...deps, random: () => at }, { sender: 'jito', lamports: 1_000n }),
    );
    const to = drawn.map((one) => (one.kind === 'tip' ? one.tip.to : null));
    expect(to).toEqual([accountsOf('jito')[0], accountsOf('jito')[4], accountsOf('jito')[7]]);
  });
});
