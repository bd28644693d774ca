import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

type Submission = {
  readonly signature: string;
  readonly status: string;
  readonly final: boolean;
  readonly err: unknown;
  readonly version: number;
  readonly reference: string | null;
};

let rig: DeskRig;
let api: Api;
let key: string;
beforeAll(async () => {
  rig = await startDeskRig('submissions');
});
beforeEach(async () => {
  api = buildApi(rig);
  ({ text: key } = await api.issue({ scopes: ['submit', 'swap'], ratePerSecond: 1_000, burst: 1_000 }));
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

const submit = (payload: Record<string, unknown>) =>
  api.pro.inject({ method: 'POST', url: '/transactions', headers: { 'x-api-key': key }, payload });
const show = (signature: string, query = '') =>
  api.pro.inject({ url: `/transactions/${signature}${query}`, headers: { 'x-api-key': key } });
const recordOf = async (answer: ReturnType<typeof submit>): Promise<Submission> => {
  const { statusCode, body } = await answer;
  expect([statusCode, body]).toEqual([200, expect.any(String)]);
  return (JSON.parse(body) as { data: Submission }).data;
};
const refusalOf = async (answer: ReturnType<typeof submit>): Promise<ErrorAnswer['error']> =>
  (await answer).json<ErrorAnswer>().error;

/** A signed payment, of the rig's wallet unless told otherwise. */
async function payment(
  change: { readonly lamports?: number; readonly blockhash?: string; readonly payer?: Keypair } = {},
) {
  const { payer = rig.keypair } = change;
  const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: change.blockhash ?? blockhash,
      instructions: [
        SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: new PublicKey(rig.treasury),
          lamports: change.lamports ?? 1_000 + Math.floor(Math.random() * 1e6),
        }),
      ],
    }).compileToV0Message(),
  );
  transaction.sign([payer]);
  return transaction;
}
const base64 = (transaction: { serialize(): Uint8Array }): string =>
  Buffer.from(transaction.serialize()).toString('base64');

/** Blocks until everything that landed is final, looked at as often as it takes. */
async function settle(): Promise<void> {
  for (let look = 0; look < 4; look += 1) {
    rig.local.advanceSlots(40);
    await api.follow();
    api.advance(11_000);
  }
}

describe('a stranger submits and knows', () => {
  it('quotes, builds, signs, submits and follows a swap to its final word', async () => {
    const built = await post(api.open, {
      userWalletAddress: rig.wallet,
      amount: '100000000',
      fromTokenAddress: SOL,
      toTokenAddress: rig.token('PUP').mint,
      slippageBps: 100,
    });
    const { tx } = built.json<{ data: { tx: string } }>().data;
    const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
    transaction.sign([rig.keypair]);
    const sent = await recordOf(submit({ transaction: base64(transaction), reference: 'order 17' }));
    expect(sent).toMatchObject({ status: 'sent', final: false, err: null, reference: 'order 17' });
    expect(sent.signature).toBe(toBase58(transaction.signatures[0] ?? new Uint8Array()));
    rig.confirmSlots();
    await api.follow();
    expect(await recordOf(show(sent.signature, '?waitFor=confirmed'))).toMatchObject({ status: 'confirmed' });
    await settle();
    const end = await recordOf(show(sent.signature, '?waitFor=final&timeoutMs=0'));
    expect(end).toMatchObject({ status: 'finalized', final: true, err: null });
    expect(end.version).toBeGreaterThan(sent.version);
    // The bytes are gone, and the same ones again change nothing.
    expect((await api.submissions.find(sent.signature))?.transaction).toBeNull();
    expect(await recordOf(submit({ transaction: base64(transaction) }))).toEqual(end);
  });

  it('sends the same bytes once, however often they come at once', async () => {
    const transaction = base64(await payment());
    const answers = await Promise.all(Array.from({ length: 100 }, () => submit({ transaction })));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const [signature = ''] = answers.map((answer) => answer.json<{ data: Submission }>().data.signature);
    const written = api.submissions.history.get(signature) ?? [];
    expect(written.filter(({ version }) => version === 1)).toHaveLength(1);
  });

  it('says failed with the chain’s error where another transaction was faster', async () => {
    const payer = Keypair.generate();
    await rig.airdrop(address(payer.publicKey.toBase58()), 1_000_000_000n);
    const both = [await payment({ payer, lamports: 600e6 }), await payment({ payer, lamports: 601e6 })];
    const sent = [];
    for (const transaction of both) sent.push(await recordOf(submit({ transaction: base64(transaction) })));
    await settle();
    const ends = await Promise.all(sent.map(({ signature }) => recordOf(show(signature))));
    expect(ends.map(({ status, final }) => [status, final])).toEqual([
      ['finalized', true],
      ['failed', true],
    ]);
    expect(ends[1]?.err).toMatchObject({ InstructionError: [0, expect.anything()] });
  });

  it('says expired once its blockhash has passed, and not before', async () => {
    // The node's history has to reach as far back as a blockhash can.
    rig.local.advanceSlots(1_000);
    // Its node refuses it each time, so it never lands.
    const transaction = base64(await payment({ lamports: 1e15 }));
    const { signature } = await recordOf(submit({ transaction, skipSimulation: true }));
    api.advance(6_000);
    rig.local.advanceSlots(100);
    await api.follow();
    const alive = await recordOf(show(signature));
    expect(alive).toMatchObject({ status: 'sent', final: false, lastValidBlockHeight: expect.any(String) });
    await settle();
    expect((await recordOf(show(signature))).status).toBe('sent');
    rig.local.advanceSlots(200);
    // The chain's newest blockhash is asked for again after a moment of real time.
    const end = expect.poll(
      async () => {
        await settle();
        return recordOf(show(signature));
      },
      { timeout: 20_000 },
    );
    await end.toMatchObject({ status: 'expired', final: true, err: null });
  });

  it('knows nothing of what was not submitted here, and does not call it dead', async () => {
    const { signatures } = await payment();
    const refused = await refusalOf(show(toBase58(signatures[0] ?? new Uint8Array())));
    expect(refused).toMatchObject({ code: 'TRANSACTION_UNKNOWN', retryable: false });
  });
});

describe('what is refused, and never sent', () => {
  it.each<[string, (signed: Uint8Array) => Record<string, unknown>, string]>([
    ['nothing', () => ({ transaction: '' }), 'TRANSACTION_INVALID'],
    ['no base64', () => ({ transaction: 'a b' }), 'TRANSACTION_INVALID'],
    ['base58 as base64', (bytes) => ({ transaction: `${toBase58(bytes)}` }), 'TRANSACTION_INVALID'],
    ['base64 as base58', (bytes) => ({ transaction: b64(bytes), encoding: 'base58' }), 'TRANSACTION_INVALID'],
    ['another encoding', (bytes) => ({ transaction: b64(bytes), encoding: 'hex' }), 'VALIDATION_FAILED'],
    ['a byte too many', (bytes) => ({ transaction: b64([...bytes, 0]) }), 'TRANSACTION_INVALID'],
    ['a byte too few', (bytes) => ({ transaction: b64(bytes.slice(0, -1)) }), 'TRANSACTION_INVALID'],
    [
      '1,233 bytes',
      (bytes) => ({ transaction: b64([...bytes, ...zeros(1_233 - bytes.length)]) }),
      'TRANSACTION_INVALID',
    ],
    [
      'version 2',
      (bytes) => ({ transaction: b64(withByte(bytes, 65, 0x82)) }),
      'TRANSACTION_VERSION_UNSUPPORTED',
    ],
    [
      'a long count of signatures',
      (bytes) => ({ transaction: b64([0x81, 0, ...bytes.slice(1)]) }),
      'TRANSACTION_INVALID',
    ],
    [
      '13 signatures of one signer',
      (bytes) => ({ transaction: b64(withByte(bytes, 0, 13)) }),
      'TRANSACTION_INVALID',
    ],
    [
      'a signature of another message',
      (bytes) => ({ transaction: b64(withByte(bytes, 5, 1)) }),
      'SIGNATURE_INVALID',
    ],
    [
      'zeros where a signature belongs',
      (bytes) => ({ transaction: b64([1, ...zeros(64), ...bytes.slice(65)]) }),
      'SIGNATURE_MISSING',
    ],
    ['an unknown field', (bytes) => ({ transaction: b64(bytes), senders: 'x' }), 'FIELD_UNKNOWN'],
    [
      'a reference with a line break',
      (bytes) => ({ transaction: b64(bytes), reference: 'a\nb' }),
      'VALIDATION_FAILED',
    ],
  ])('%s', async (_, body, code) => {
    const transaction = await payment();
    expect((await refusalOf(submit(body(transaction.serialize())))).code).toBe(code);
    expect(api.submissions.history.size).toBe(0);
  });

  it('a blockhash that no node takes, and one of another cluster', async () => {
    const foreign = Keypair.generate().publicKey.toBase58();
    const old = await payment();
    rig.local.advanceSlots(151);
    for (const transaction of [await payment({ blockhash: foreign }), old])
      expect((await refusalOf(submit({ transaction: base64(transaction) }))).code).toBe('BLOCKHASH_UNKNOWN');
    expect(api.submissions.history.size).toBe(0);
  });

  it('what the chain would refuse, with its reason', async () => {
    const refused = await refusalOf(submit({ transaction: base64(await payment({ lamports: 1e15 })) }));
    expect(refused).toMatchObject({ code: 'SIMULATION_FAILED', field: 'transaction' });
    expect(api.submissions.history.size).toBe(0);
  });

  it('a second signature that is of another message, and one that is not there', async () => {
    const second = Keypair.generate();
    const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
    const message = new TransactionMessage({
      payerKey: rig.keypair.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({
          fromPubkey: rig.keypair.publicKey,
          toPubkey: second.publicKey,
          lamports: 2_000_000,
        }),
        SystemProgram.transfer({
          fromPubkey: second.publicKey,
          toPubkey: rig.keypair.publicKey,
          lamports: 1_000_000,
        }),
      ],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([rig.keypair]);
    expect(await refusalOf(submit({ transaction: base64(transaction) }))).toMatchObject({
      code: 'SIGNATURE_MISSING',
      message: expect.stringContaining(second.publicKey.toBase58()),
    });
    const wrong = Uint8Array.from(transaction.signatures[0] ?? []);
    transaction.signatures[1] = wrong;
    expect((await refusalOf(submit({ transaction: base64(transaction) }))).code).toBe('SIGNATURE_INVALID');
    expect(api.submissions.history.size).toBe(0);
    transaction.sign([second]);
    expect((await recordOf(submit({ transaction: base64(transaction) }))).status).toBe('sent');
  });

  it('a durable nonce, whose end no height proves', async () => {
    const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
    const payer = rig.keypair.publicKey;
    const message = new TransactionMessage({
      payerKey: payer,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.nonceAdvance({ noncePubkey: Keypair.generate().publicKey, authorizedPubkey: payer }),
      ],
    }).compileToLegacyMessage();
    const transaction = new VersionedTransaction(message);
    transaction.sign([rig.keypair]);
    expect((await refusalOf(submit({ transaction: base64(transaction) }))).code).toBe('NONCE_NOT_SUPPORTED');
  });

  it('the twenty-first of one fee payer that is under way, until one has ended', async () => {
    for (let count = 0; count < 20; count += 1)
      await recordOf(submit({ transaction: base64(await payment()) }));
    const one = base64(await payment());
    const refused = await submit({ transaction: one });
    expect(refused.json<ErrorAnswer>().error).toMatchObject({ code: 'TOO_MANY_UNDER_WAY', retryable: true });
    expect(refused.headers['retry-after']).toBe('1');
    await settle();
    expect((await refusalOf(submit({ transaction: one }))).code).toBe('BLOCKHASH_UNKNOWN');
    await recordOf(submit({ transaction: base64(await payment()) }));
  });

  it('a signature that is none', async () => {
    for (const text of ['abc', '1'.repeat(87), '%00', 'l'.repeat(88)])
      expect((await refusalOf(show(text))).code).toBe('SIGNATURE_MALFORMED');
    for (const query of ['?waitFor=now', '?timeoutMs=8001', '?timeoutMs=-1'])
      expect((await show(toBase58(new Uint8Array(64).fill(1)), query)).statusCode).toBe(400);
  });
});

const b64 = (bytes: Uint8Array | readonly number[]): string => Buffer.from(bytes).toString('base64');
const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);
const withByte = (bytes: Uint8Array, at: number, change: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[at] = at === 5 ? (copy[at] ?? 0) ^ change : change;
  return copy;
};
