import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import { createSubmissionWatch } from '../../src/modules/submissions/use/watch-submissions.ts';
import { createBlockhashLooks } from '../../src/platform/chain/blockhash-looks.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import type { Sender } from '../../src/platform/ports/sender.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Record = {
  readonly signature: string;
  readonly status: string;
  readonly senders: readonly string[];
  readonly sends: number;
};
type Way = 'node' | 'jito' | 'sender';

let rig: DeskRig;
let node: { readonly url: string; readonly server: Server };
/** What each way was handed, in order. */
const went: Way[] = [];
/** The engine takes nothing for as long as this is so. */
let isAway = false;

/** A node in front of the local chain that notes what it is sent. */
async function startNode(rpcUrl: string): Promise<typeof node> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (body.includes('"sendTransaction"')) went.push('node');
      const headers = { 'content-type': 'application/json' };
      void fetch(rpcUrl, { method: 'POST', body, headers })
        .then(async (answer) => response.end(await answer.text()))
        .catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const noted = (sender: Sender): Sender => ({
  ...sender,
  send: async (bytes) => {
    if (sender.name !== 'rpc') went.push(sender.name);
    // As where nothing listens at the engine's address.
    if (isAway && sender.name === 'jito')
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'jito', cause: 'ECONNREFUSED' });
    return sender.send(bytes);
  },
});
const rigWith = (senders: readonly Sender[]): DeskRig => ({
  ...rig,
  senders,
  chain: createRpcChain({ urls: [node.url], senders }),
});
let api: Api;
let key: string;
beforeAll(async () => {
  rig = await startDeskRig('submit-senders', { withSenders: true });
  node = await startNode(rig.local.rpcUrl);
});
beforeEach(async () => {
  went.length = 0;
  isAway = false;
  api = buildApi(rigWith(rig.senders.map(noted)));
  ({ text: key } = await api.issue({ scopes: ['submit', 'swap'], ratePerSecond: 1_000, burst: 1_000 }));
});
afterAll(async () => {
  await api.close();
  node.server.close();
  await rig.stop();
});

const submitTo = (of: Api, payload: object, text = key) =>
  of.pro.inject({ method: 'POST', url: '/transactions', headers: { 'x-api-key': text }, payload });
const submit = (payload: object) => submitTo(api, payload);
async function kept(payload: object): Promise<Record> {
  const answer = await submit(payload);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Record }>().data;
}
const refusalOf = async (payload: object) => (await submit(payload)).json<ErrorAnswer>().error;
const tipAccount = (name: string): Address => {
  const account = rig.senders.find((one) => one.name === name)?.tipAccounts[0];
  if (account === undefined) throw new Error(`no ${name}`);
  return account;
};

/** A signed payment with these tips behind it, of another amount each time. */
async function payment(...tips: readonly (readonly [to: Address, lamports: number])[]): Promise<string> {
  const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
  const transfer = (to: Address, lamports: number) =>
    SystemProgram.transfer({ fromPubkey: rig.keypair.publicKey, toPubkey: new PublicKey(to), lamports });
  const message = new TransactionMessage({
    payerKey: rig.keypair.publicKey,
    recentBlockhash: blockhash,
    instructions: [
      transfer(rig.treasury, 1_000 + Math.floor(Math.random() * 1e6)),
      ...tips.map((tip) => transfer(...tip)),
    ],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([rig.keypair]);
  return Buffer.from(transaction.serialize()).toString('base64');
}
const statusOf = async ({ signature }: Record) => (await api.submissions.find(signature))?.status;
async function settle(): Promise<void> {
  for (let look = 0; look < 4; look += 1) {
    rig.local.advanceSlots(40);
    await api.follow();
    api.advance(11_000);
  }
}

describe('a transaction goes', () => {
  it('to the nodes alone where it pays no tip', async () => {
    expect(await kept({ transaction: await payment() })).toMatchObject({ status: 'sent', senders: ['rpc'] });
    expect(went).toEqual(['node']);
  });

  it('by auto to each sender that it pays, and to the nodes', async () => {
    const tips = [
      [tipAccount('jito'), 1_000],
      [tipAccount('sender'), 200_000],
    ] as const;
    const record = await kept({ transaction: await payment(...tips) });
    expect(record.senders).toEqual(['rpc', 'jito', 'sender']);
    expect(new Set(went)).toEqual(new Set(['node', 'jito', 'sender']));
    await settle();
    expect(await statusOf(record)).toBe('finalized');
  });

  it('by rpc to the nodes alone, whatever it pays', async () => {
    await kept({ transaction: await payment([tipAccount('jito'), 1_000]), sender: 'rpc' });
    expect(went).toEqual(['node']);
  });

  it('as it was built: a swap with a tip is taken back without a key and goes to its sender', async () => {
    const answer = await post(api.open, {
      userWalletAddress: rig.wallet,
      amount: '100000000',
      fromTokenAddress: SOL,
      toTokenAddress: rig.token('PUP').mint,
      sender: 'jito',
      tipLamports: '2000',
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const { txBase64, submitToken } = answer.json<{ data: { txBase64: string; submitToken: string } }>().data;
    const transaction = VersionedTransaction.deserialize(Buffer.from(txBase64, 'base64'));
    transaction.sign([rig.keypair]);
    const payload = { transaction: Buffer.from(transaction.serialize()).toString('base64'), submitToken };
    const sent = await api.open.inject({
      method: 'POST',
      url: '/transactions',
      payload: { ...payload, revertProtection: true },
    });
    expect(sent.statusCode, sent.body).toBe(200);
    expect(went).toEqual(['jito']);
    await settle();
    expect(await statusOf(sent.json<{ data: Record }>().data)).toBe('finalized');
  });
});

describe('with revertProtection', () => {
  const protectedOne = async () => ({
    transaction: await payment([tipAccount('jito'), 1_000]),
    revertProtection: true,
  });

  it('the bytes go to the protecting sender alone, and land', async () => {
    const record = await kept(await protectedOne());
    expect(record).toMatchObject({ status: 'sent', senders: ['jito'] });
    await settle();
    expect(await statusOf(record)).toBe('finalized');
    expect(new Set(went)).toEqual(new Set(['jito']));
  });

  it('no node gets them while the sender is away, at no beat, and they land once it is back', async () => {
    isAway = true;
    const payload = await protectedOne();
    const record = await kept(payload);
    expect(record).toMatchObject({ status: 'received', sends: 0 });
    for (let beat = 0; beat < 5; beat += 1) {
      api.advance(2_500);
      await api.follow();
    }
    const beaten = await api.submissions.find(record.signature);
    expect(beaten).toMatchObject({ status: 'received', sends: 0 });
    // Its height is found out all the same: else it could never end.
    expect(beaten?.lastValidBlockHeight).not.toBeNull();
    // The same bytes again, without the wish: the first word stays.
    expect((await kept({ transaction: payload.transaction })).senders).toEqual(['jito']);
    expect(went.filter((way) => way !== 'jito')).toEqual([]);
    isAway = false;
    api.advance(2_500);
    await api.follow();
    await settle();
    expect(await statusOf(record)).toBe('finalized');
    expect(went.filter((way) => way !== 'jito')).toEqual([]);
  });

  it('no node gets them after a restart, nor where the sender is configured no longer', async () => {
    isAway = true;
    const record = await kept(await protectedOne());
    const restarted = (senders: readonly Sender[]) =>
      createSubmissionWatch({
        submissions: api.submissions,
        chain: createRpcChain({ urls: [node.url], senders }),
        blockhashes: createBlockhashLooks([node.url]),
        clock: api.deps.clock,
        log: { warn: () => undefined },
        owns: () => true,
      });
    for (const senders of [[], rig.senders.filter(({ name }) => name === 'sender').map(noted)]) {
      const watch = restarted(senders);
      for (let beat = 0; beat < 3; beat += 1) {
        api.advance(2_500);
        await watch.round();
      }
    }
    expect(went.filter((way) => way !== 'jito')).toEqual([]);
    isAway = false;
    api.advance(2_500);
    await restarted(rig.senders.map(noted)).round();
    expect((await api.submissions.find(record.signature))?.sends).toBe(1);
    expect(went.filter((way) => way !== 'jito')).toEqual([]);
  });

  it.each([
    ['no tip', [] as const, {}, 'TIP_TOO_SMALL', 'transaction'],
    ['a tip below the least', ['jito', 999] as const, {}, 'TIP_TOO_SMALL', 'transaction'],
    [
      'the tip of a sender that does not protect',
      ['sender', 200_000] as const,
      {},
      'TIP_TOO_SMALL',
      'transaction',
    ],
    [
      'a sender that does not protect',
      ['sender', 200_000] as const,
      { sender: 'sender' },
      'PROTECTION_UNAVAILABLE',
      'revertProtection',
    ],
    ['the nodes', ['jito', 1_000] as const, { sender: 'rpc' }, 'PROTECTION_UNAVAILABLE', 'revertProtection'],
  ])('it is refused by %s, and nothing is sent', async (_what, [name, lamports], more, code, field) => {
    const tips = name === undefined || lamports === undefined ? [] : [[tipAccount(name), lamports] as const];
    const refusal = await refusalOf({ transaction: await payment(...tips), revertProtection: true, ...more });
    expect(refusal).toMatchObject({ code, field, retryable: false });
    if (code === 'TIP_TOO_SMALL')
      expect(refusal.details[1]).toMatchObject({ code: 'LEAST_TIP', message: '1000' });
    expect(went).toEqual([]);
  });

  it('it is refused where no sender protects', async () => {
    const bare = buildApi(rigWith(rig.senders.filter(({ protects }) => !protects).map(noted)));
    const { text } = await bare.issue({ scopes: ['submit'], ratePerSecond: 1_000, burst: 1_000 });
    const answer = await submitTo(bare, await protectedOne(), text);
    expect(answer.json<ErrorAnswer>().error.code).toBe('PROTECTION_UNAVAILABLE');
    expect(went).toEqual([]);
    await bare.close();
  });
});

describe('a sender', () => {
  it('that is not there is refused with those that are', async () => {
    const refusal = await refusalOf({ transaction: await payment(), sender: 'jeeto' });
    expect(refusal).toMatchObject({ code: 'SENDER_UNKNOWN', field: 'sender' });
    expect(refusal.message).toContain('auto, rpc, jito, sender');
  });

  it('whose least is not paid is refused with the least', async () => {
    const refusal = await refusalOf({
      transaction: await payment([tipAccount('sender'), 199_999]),
      sender: 'sender',
    });
    expect(refusal).toMatchObject({ code: 'TIP_TOO_SMALL', field: 'transaction' });
    expect(refusal.details[1]).toMatchObject({ code: 'LEAST_TIP', message: '200000' });
    expect(went).toEqual([]);
  });

  it.each([[{ sender: '' }], [{ sender: 7 }], [{ revertProtection: 'yes' }]])(
    'as %j is refused',
    async (more) => {
      expect((await submit({ transaction: await payment(), ...more })).statusCode).toBe(400);
      expect(went).toEqual([]);
    },
  );
});
