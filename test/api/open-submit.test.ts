import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Built = { readonly txBase64: string; readonly tx: string; readonly submitToken: string };
type Submission = { readonly signature: string; readonly status: string; readonly reference: string | null };

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('open-submit');
});
beforeEach(() => {
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

const submit = (payload: Record<string, unknown>, remoteAddress = '127.0.0.1') =>
  api.open.inject({ method: 'POST', url: '/transactions', remoteAddress, payload });
const refusalOf = async (answer: ReturnType<typeof submit>): Promise<ErrorAnswer['error']> =>
  (await answer).json<ErrorAnswer>().error;
const recordOf = async (answer: ReturnType<typeof submit>): Promise<Submission> => {
  const { statusCode, body } = await answer;
  expect([statusCode, body]).toEqual([200, expect.any(String)]);
  return (JSON.parse(body) as { data: Submission }).data;
};

let swaps = 0;
/** Another amount each time: the same swap twice would be one transaction. */
async function build(of = api): Promise<Built> {
  swaps += 1;
  const answer = await post(of.open, {
    userWalletAddress: rig.wallet,
    amount: `${10_000_000 + swaps}`,
    fromTokenAddress: SOL,
    toTokenAddress: rig.token('PUP').mint,
    slippageBps: 5_000,
  });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json<{ data: Built }>().data;
}

const read = ({ txBase64 }: Built): VersionedTransaction =>
  VersionedTransaction.deserialize(Buffer.from(txBase64, 'base64'));
function signed(transaction: VersionedTransaction, more: readonly Keypair[] = []): string {
  transaction.sign([rig.keypair, ...more]);
  return Buffer.from(transaction.serialize()).toString('base64');
}
/** A creation whose mint signs here too, with a foreign instruction behind the built ones. */
async function creationWith(
  built: Built,
  mint: Keypair,
  more: TransactionMessage['instructions'][number],
): Promise<string> {
  const { instructions, payerKey } = TransactionMessage.decompile(read(built).message);
  const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions: [...instructions, more],
  });
  return signed(new VersionedTransaction(message.compileToV0Message()), [mint]);
}
async function settle(): Promise<void> {
  const old = await rig.chain.latestBlockhash();
  for (let look = 0; look < 4; look += 1) {
    rig.local.advanceSlots(40);
    await api.follow();
    api.advance(11_000);
  }
  // The blocks ran ahead of real time, in which a blockhash is remembered: what is built next would be too old.
  await vi.waitFor(async () => expect((await rig.chain.latestBlockhash()).blockhash).not.toBe(old.blockhash));
}

describe('without a key', () => {
  it('a swap that was built here is submitted and followed to its final word', async () => {
    const built = await build();
    const body = { transaction: signed(read(built)), submitToken: built.submitToken, reference: 'order 17' };
    const sent = await recordOf(submit(body));
    expect(sent).toMatchObject({ status: 'sent', reference: 'order 17' });
    await settle();
    const end = await recordOf(api.open.inject({ url: `/transactions/${sent.signature}?waitFor=final` }));
    expect(end).toMatchObject({ status: 'finalized', final: true, err: null });
    // The same bytes are known by their signature: neither a token nor its time matters any more.
    expect(await recordOf(submit({ transaction: body.transaction }))).toEqual(end);
  });

  it('a token is created the same way', async () => {
    const answer = await api.open.inject({
      method: 'POST',
      url: '/token',
      payload: { payer: rig.wallet, symbol: 'OPN', program: 'token2022', mintAuthority: false },
    });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
    const built = answer.json<{ data: Built }>().data;
    expect(Buffer.from(built.txBase64, 'base64').length).toBeGreaterThan(65);
    const transaction = signed(read(built));
    await recordOf(submit({ transaction, submitToken: built.submitToken }));
  });

  it('a wallet may change the blockhash and add a memo, and nothing else', async () => {
    const memo = {
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.from('by a wallet'),
    };
    const transfer = SystemProgram.transfer({
      fromPubkey: rig.keypair.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 2_000_000,
    });
    const mint = Keypair.generate();
    const answer = await api.open.inject({
      method: 'POST',
      url: '/token',
      payload: { payer: rig.wallet, symbol: 'OWN', program: 'token2022', newMint: mint.publicKey.toBase58() },
    });
    const built = answer.json<{ data: Built }>().data;
    const { submitToken } = built;
    const changed = await creationWith(built, mint, transfer);
    expect((await refusalOf(submit({ transaction: changed, submitToken }))).code).toBe(
      'SUBMIT_TOKEN_INVALID',
    );
    expect(api.submissions.history.size).toBe(0);
    await recordOf(submit({ transaction: await creationWith(built, mint, memo), submitToken }));
  });

  it('nothing else is taken, and nothing of it is kept', async () => {
    const [built, other] = [await build(), await build()];
    const transaction = signed(read(built));
    const [expiry = '', proof = ''] = built.submitToken.split('.');
    const later = `${(Number.parseInt(expiry, 36) + 600_000).toString(36)}.${proof}`;
    expect(await refusalOf(submit({ transaction }))).toMatchObject({
      code: 'FIELD_REQUIRED',
      field: 'submitToken',
    });
    for (const submitToken of [other.submitToken, later, 'x', '…'])
      expect(await refusalOf(submit({ transaction, submitToken }, '10.0.0.2'))).toMatchObject({
        code: 'SUBMIT_TOKEN_INVALID',
        field: 'submitToken',
      });
    api.advance(299_999);
    api.advance(1);
    expect((await refusalOf(submit({ transaction, submitToken: built.submitToken }))).code).toBe(
      'SUBMIT_TOKEN_EXPIRED',
    );
    expect(api.submissions.history.size).toBe(0);
  });

  it('ten of an address are under way at once, and five come in one second', async () => {
    const answers = [];
    for (let count = 0; count < 10; count += 1) {
      const built = await build();
      answers.push(
        await recordOf(submit({ transaction: signed(read(built)), submitToken: built.submitToken })),
      );
      api.advance(1_000);
    }
    const built = await build();
    const body = { transaction: signed(read(built)), submitToken: built.submitToken };
    expect(await refusalOf(submit(body))).toMatchObject({
      code: 'TOO_MANY_UNDER_WAY',
      retryable: true,
      message: expect.stringContaining('10 transactions of this network address'),
    });
    expect((await recordOf(submit(body, '10.0.0.3'))).status).toBe('sent');
    await settle();
    const next = await build();
    await recordOf(submit({ transaction: signed(read(next)), submitToken: next.submitToken }));
    const many = await Promise.all(Array.from({ length: 6 }, () => submit(body, '10.0.0.4')));
    expect(many.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 429,
    ]);
  });

  it('a reference is told to its own account alone', async () => {
    const { text: key } = await api.issue({ scopes: ['submit'], account: 'acme' });
    const { text: other } = await api.issue({ scopes: ['submit'], account: 'other' });
    const transaction = signed(read(await build()));
    const { signature } = await recordOf(
      api.pro.inject({
        method: 'POST',
        url: '/transactions',
        headers: { 'x-api-key': key },
        payload: { transaction, reference: 'order 18' },
      }),
    );
    const seenBy = async (host: Api['open'], headers: Record<string, string>) =>
      (await recordOf(host.inject({ url: `/transactions/${signature}`, headers }))).reference;
    expect(await seenBy(api.pro, { 'x-api-key': key })).toBe('order 18');
    expect(await seenBy(api.pro, { 'x-api-key': other })).toBeNull();
    expect(await seenBy(api.open, {})).toBeNull();
    const again = await recordOf(submit({ transaction }));
    expect(again.reference).toBeNull();
  });
});

describe('the operator says what is submitted', () => {
  it('nothing', async () => {
    const off = buildApi(rig, undefined, undefined, 'off');
    const built = await build(off);
    expect(built.submitToken).toBeNull();
    const { text: key } = await off.issue({ scopes: ['submit'] });
    const payload = { transaction: signed(read(built)), submitToken: 'a' };
    for (const [host, headers] of [[off.open, {}] as const, [off.pro, { 'x-api-key': key }] as const]) {
      const answer = await host.inject({ method: 'POST', url: '/transactions', headers, payload });
      expect([answer.statusCode, answer.json<ErrorAnswer>().error.code]).toEqual([403, 'SUBMIT_OFF']);
    }
    await off.close();
  });

  it('of keys too only what was built here', async () => {
    const own = buildApi(rig, undefined, undefined, 'own');
    const { text: key } = await own.issue({ scopes: ['submit'] });
    const ask = (payload: Record<string, unknown>) =>
      own.pro.inject({ method: 'POST', url: '/transactions', headers: { 'x-api-key': key }, payload });
    const built = await build(own);
    const transaction = signed(read(built));
    expect((await refusalOf(ask({ transaction }))).code).toBe('FIELD_REQUIRED');
    expect((await ask({ transaction, submitToken: built.submitToken })).statusCode).toBe(200);
    await own.close();
  });
});

it('after ten refused simulations within a minute none is run for that caller', async () => {
  const { text: key } = await api.issue({ scopes: ['submit'], ratePerSecond: 1_000, burst: 1_000 });
  const poor = async () => {
    const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
    const { publicKey: fromPubkey } = rig.keypair;
    const pays = SystemProgram.transfer({
      fromPubkey,
      toPubkey: fromPubkey,
      lamports: 1e15 + Math.floor(Math.random() * 1e9),
    });
    const message = new TransactionMessage({
      payerKey: fromPubkey,
      recentBlockhash: blockhash,
      instructions: [pays],
    }).compileToV0Message();
    const payload = { transaction: signed(new VersionedTransaction(message)) };
    const answer = await api.pro.inject({
      method: 'POST',
      url: '/transactions',
      headers: { 'x-api-key': key },
      payload,
    });
    return answer.json<ErrorAnswer>().error.code;
  };
  for (let count = 0; count < 10; count += 1) expect(await poor()).toBe('SIMULATION_FAILED');
  expect(await poor()).toBe('RATE_LIMITED');
  api.advance(60_000);
  expect(await poor()).toBe('SIMULATION_FAILED');
});
