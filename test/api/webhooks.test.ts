import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../packages/sdk/src/index.ts';
import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/rules/webhook.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer } from './build-api.ts';

const DAY = 86_400_000;
const UNKNOWN = '01J8ZQ6Y7V3M9T2K4C5D6E7F8G';

type Hook = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  readonly failingSince: string | null;
  readonly disabledFor: string | null;
};
type Row = {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly answer: number | null;
};
type Got = { readonly headers: Record<string, string | string[] | undefined>; readonly body: string };

let rig: DeskRig;
let api: Api;
let key: string;
let receiver: Server;
let url: string;
let got: Got[];
let status: number;

beforeAll(async () => {
  rig = await startDeskRig('webhooks');
});
beforeEach(async () => {
  api = buildApi(rig);
  [got, status] = [[], 200];
  key = await keyOf('acme');
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
afterEach(async () => {
  receiver.close();
  await api.close();
});
afterAll(() => rig.stop());

async function keyOf(account: string): Promise<string> {
  const grant = { account, email: `${account}@example.org`, ratePerSecond: 1_000, burst: 1_000 };
  return (await api.issue({ ...grant, scopes: ['submit'] })).text;
}

async function ask<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
  apiKey = key,
): Promise<T> {
  const answer = await api.pro.inject({
    method,
    url: `/webhooks${path}`,
    headers: { 'x-api-key': apiKey },
    ...(payload === undefined ? {} : { payload }),
  });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json<{ data: T }>().data;
}
async function refusal(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
  apiKey = key,
): Promise<ErrorAnswer['error'] & { readonly status: number }> {
  const answer = await api.pro.inject({
    method,
    url: `/webhooks${path}`,
    headers: { 'x-api-key': apiKey },
    ...(payload === undefined ? {} : { payload }),
  });
  return { ...answer.json<ErrorAnswer>().error, status: answer.statusCode };
}
const register = (more: object = {}) => ask<Hook>('POST', '', { url, ...more });
const rows = ({ id }: Hook) => ask<readonly Row[]>('GET', `/${id}/deliveries`);

/** Submits a payment and brings it to its final word. */
async function payAndSettle(): Promise<string> {
  const payer = rig.keypair.publicKey;
  const { blockhash } = await rig.rpc.getLatestBlockhash('confirmed');
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({
          fromPubkey: payer,
          toPubkey: new PublicKey(rig.treasury),
          lamports: 1_000 + Math.floor(Math.random() * 1e6),
        }),
      ],
    }).compileToV0Message(),
  );
  transaction.sign([rig.keypair]);
  const answer = await api.pro.inject({
    method: 'POST',
    url: '/transactions',
    headers: { 'x-api-key': key },
    payload: { transaction: Buffer.from(transaction.serialize()).toString('base64') },
  });
  for (let look = 0; look < 5; look += 1) {
    rig.local.advanceSlots(look === 0 ? 3 : 40);
    await api.follow();
    api.advance(11_000);
  }
  return answer.json<{ data: { signature: string } }>().data.signature;
}

const verified = async (hook: Hook, { headers, body }: Got) =>
  verifyWebhook({ secret: hook.secret, headers, body, now: Number(headers['webhook-timestamp']) * 1_000 });

describe('a webhook', () => {
  it('is told of a transaction, signed, once per event, until its final word', async () => {
    const hook = await register();
    expect(hook).toMatchObject({ url, events: WEBHOOK_EVENTS, disabledFor: null });
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const signature = await payAndSettle();
    await api.deliver();
    await api.deliver();
    const events = await Promise.all(got.map((one) => verified(hook, one)));
    expect(events.map(({ id }) => id).toSorted()).toEqual([
      `transaction.confirmed.${signature}`,
      `transaction.finalized.${signature}`,
    ]);
    const end = events.find(({ id }) => id.startsWith('transaction.finalized'));
    const record = await api.pro.inject({
      url: `/transactions/${signature}`,
      headers: { 'x-api-key': key },
    });
    expect(end?.event).toMatchObject({
      type: 'transaction.finalized',
      data: record.json<{ data: object }>().data,
    });
    expect((await rows(hook)).map((row) => [row.status, row.attempts, row.answer])).toEqual([
      ['delivered', 1, 200],
      ['delivered', 1, 200],
    ]);
  });

  it('is told only of the events that it names, and of its own account', async () => {
    await register({ events: ['transaction.failed'] });
    const other = await keyOf('other');
    await ask('POST', '', { url }, other);
    await payAndSettle();
    await api.deliver();
    expect(got).toEqual([]);
  });

  it('gets an event again with the same id until it takes it', async () => {
    const hook = await register();
    status = 500;
    const { id } = await ask<Row>('POST', `/${hook.id}/test`);
    await api.deliver();
    expect(await rows(hook)).toMatchObject([{ id, status: 'waiting', attempts: 1, answer: 500 }]);
    await api.deliver();
    expect(got).toHaveLength(1);
    status = 204;
    api.advance(6_000);
    await api.deliver();
    expect(got.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(got[0]?.headers['webhook-timestamp']).not.toBe(got[1]?.headers['webhook-timestamp']);
    expect(await rows(hook)).toMatchObject([{ id, status: 'delivered', attempts: 2, answer: 204 }]);
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const hook = await register();
    const rotated = await ask<Hook>('POST', `/${hook.id}/rotate`);
    expect(rotated.secret).not.toBe(hook.secret);
    await ask('POST', `/${hook.id}/test`);
    await api.deliver();
    api.advance(DAY);
    await ask('POST', `/${hook.id}/test`);
    await api.deliver();
    const [first, second] = got;
    if (first === undefined || second === undefined) throw new Error('two events were sent');
    for (const one of [hook, rotated]) expect((await verified(one, first)).event.type).toBe('webhook.test');
    expect((await verified(rotated, second)).event.type).toBe('webhook.test');
    await expect(verified(hook, second)).rejects.toThrow('no signature');
  });

  it('is disabled when no try has worked for five days; its owner gets one mail, and a replay takes it up again', async () => {
    const hook = await register();
    status = 503;
    await ask('POST', `/${hook.id}/test`);
    for (let day = 0; day < 8; day += 1) {
      await ask('POST', `/${hook.id}/test`);
      await api.deliver();
      api.advance(DAY);
    }
    await api.deliver();
    const [listed] = await ask<readonly Hook[]>('GET', '');
    expect(listed).toMatchObject({ id: hook.id, disabledFor: 'failing' });
    expect(listed).not.toHaveProperty('secret');
    const mails = await api.db.mails.list(10);
    expect(mails).toMatchObject([
      { to: 'acme@example.org', template: 'webhook-disabled', args: { webhook: hook.id, url } },
    ]);
    expect((await rows(hook)).every((row) => row.status === 'failed')).toBe(false);
    const before = got.length;
    status = 200;
    const { count } = await ask<{ count: number }>('POST', `/${hook.id}/replay`);
    expect(count).toBeGreaterThan(1);
    for (let round = 0; round < 9; round += 1) await api.deliver();
    expect(new Set(got.slice(before).map(({ headers }) => headers['webhook-id'])).size).toBe(
      got.length - before,
    );
    expect((await rows(hook)).every((row) => row.status === 'delivered')).toBe(true);
  });

  it('that answers 410 is disabled at once', async () => {
    const hook = await register();
    status = 410;
    await ask('POST', `/${hook.id}/test`);
    await api.deliver();
    expect(await ask<readonly Hook[]>('GET', '')).toMatchObject([{ disabledFor: 'gone' }]);
    await api.deliver();
    expect(await api.db.mails.list(10)).toHaveLength(1);
  });

  it('is removed with what it was to be told', async () => {
    const hook = await register();
    await ask('POST', `/${hook.id}/test`);
    expect(await ask('DELETE', `/${hook.id}`)).toEqual({ id: hook.id });
    await api.deliver();
    expect(got).toEqual([]);
    expect(await ask('GET', '')).toEqual([]);
    expect(await refusal('DELETE', `/${hook.id}`)).toMatchObject({ status: 404, code: 'WEBHOOK_UNKNOWN' });
  });
});

describe('refused', () => {
  it.each([
    ['http of another machine', { url: 'http://10.0.0.1/' }, 'WEBHOOK_URL_INVALID'],
    ['a private address', { url: 'https://192.168.1.1/' }, 'WEBHOOK_URL_INVALID'],
    ['a mapped one', { url: 'https://[::ffff:10.0.0.1]/' }, 'WEBHOOK_URL_INVALID'],
    ['one behind NAT64', { url: 'https://[64:ff9b::a00:1]/' }, 'WEBHOOK_URL_INVALID'],
    ['the cloud’s own', { url: 'https://169.254.169.254/latest' }, 'WEBHOOK_URL_INVALID'],
    ['no address', { url: 'hooks' }, 'WEBHOOK_URL_INVALID'],
    ['an empty one', { url: '' }, 'WEBHOOK_URL_INVALID'],
    ['a number', { url: 1 }, 'WEBHOOK_URL_INVALID'],
    ['no field', {}, 'FIELD_REQUIRED'],
    ['an unknown event', { url: 'https://example.org', events: ['all'] }, 'VALIDATION_FAILED'],
    ['no event', { url: 'https://example.org', events: [] }, 'VALIDATION_FAILED'],
    [
      'an event twice',
      { url: 'https://example.org', events: ['transaction.failed', 'transaction.failed'] },
      'VALIDATION_FAILED',
    ],
    ['an unknown field', { url: 'https://example.org', secret: 'x' }, 'FIELD_UNKNOWN'],
  ])('%s', async (_, payload, code) => {
    expect(await refusal('POST', '', payload)).toMatchObject({ status: 400, code });
    expect(await ask('GET', '')).toEqual([]);
  });

  it('the eleventh of an account', async () => {
    for (let count = 0; count < 10; count += 1) await register();
    expect(await refusal('POST', '', { url })).toMatchObject({ status: 400, code: 'WEBHOOKS_FULL' });
  });

  it.each([
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
    ['POST', '/replay'],
  ] as const)('%s of an unknown one, of one of another account, and of no id%s', async (method, path) => {
    const hook = await register();
    const other = await keyOf('other');
    expect((await refusal(method, `/${UNKNOWN}${path}`)).code).toBe('WEBHOOK_UNKNOWN');
    expect((await refusal(method, `/${hook.id}${path}`, undefined, other)).code).toBe('WEBHOOK_UNKNOWN');
    expect((await refusal(method, `/x${path}`)).status).toBe(400);
  });

  it('limits and times that are none', async () => {
    const { id } = await register();
    for (const limit of ['0', '101', 'x'])
      expect((await refusal('GET', `/${id}/deliveries?limit=${limit}`)).code).toBe('LIMIT_INVALID');
    expect((await refusal('POST', `/${id}/replay?since=yesterday`)).code).toBe('TIME_INVALID');
  });
});
