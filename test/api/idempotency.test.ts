import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('idempotency');
});
afterAll(() => rig.stop());
beforeEach(() => {
  api = buildApi(rig);
});
afterEach(() => api.close());

const body = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '100000000',
  ...more,
});
const named = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more });

it('gives the same answer to the same request, whatever the order of its fields', async () => {
  const first = await post(api.open, body(), named('order-1'));
  expect(first.statusCode).toBe(200);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  const turned = Object.fromEntries(Object.entries(body()).toReversed());
  for (const again of [body(), turned, body({ slippageBps: 500 })]) {
    const answer = await post(api.open, again, named('order-1'));
    expect(answer.headers['idempotent-replayed']).toBe('true');
    expect(answer.json()).toEqual(first.json());
  }
  const other = await post(api.open, body(), named('order-2'));
  expect(other.json<{ data: { quoteId: string } }>().data.quoteId).not.toBe(
    first.json<{ data: { quoteId: string } }>().data.quoteId,
  );
  expect((await post(api.open, body())).headers['idempotent-replayed']).toBeUndefined();
});

it('refuses another request under the same key with 409', async () => {
  await post(api.open, body(), named('k'));
  const answer = await post(api.open, body({ amount: '100000001' }), named('k'));
  expect(answer.statusCode).toBe(409);
  expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryable: false });
});

it('refuses a second one while the first runs, with 409 and retryable', async () => {
  const [a, b] = await Promise.all([
    post(api.open, body(), named('twice')),
    post(api.open, body(), named('twice')),
  ]);
  const [good, refused] = a.statusCode === 200 ? [a, b] : [b, a];
  expect(good.statusCode).toBe(200);
  expect(refused.statusCode).toBe(409);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.json<ErrorAnswer>().error).toMatchObject({
    code: 'IDEMPOTENCY_IN_PROGRESS',
    retryable: true,
  });
});

it('keeps nothing of a refused request', async () => {
  const poor = body({ amount: '900000000000000' });
  for (let n = 0; n < 2; n += 1) {
    const answer = await post(api.open, poor, named('poor'));
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorAnswer>().error.code).toBe('INSUFFICIENT_LAMPORTS');
  }
  expect((await post(api.open, body(), named('poor'))).statusCode).toBe(200);
});

it('forgets an answer after 24 hours', async () => {
  const first = await post(api.open, body(), named('old'));
  api.advance(24 * 3_600_000 - 1);
  expect((await post(api.open, body(), named('old'))).json()).toEqual(first.json());
  api.advance(1);
  const later = await post(api.open, body(), named('old'));
  expect(later.headers['idempotent-replayed']).toBeUndefined();
});

it('keeps the keys of two API keys apart', async () => {
  const [one, two] = await Promise.all([api.issue(), api.issue()]);
  await post(api.pro, body(), named('k', { 'x-api-key': one.text }));
  const answer = await post(api.pro, body({ amount: '200000000' }), named('k', { 'x-api-key': two.text }));
  expect(answer.statusCode).toBe(200);
});

it.each(['', ' ', 'a b', 'x'.repeat(65), 'ü'])('refuses %j as a key', async (key) => {
  const answer = await post(api.open, body(), named(key));
  expect(answer.statusCode).toBe(400);
  expect(answer.json<ErrorAnswer>().error).toMatchObject({
    code: 'IDEMPOTENCY_KEY_INVALID',
    field: 'Idempotency-Key',
    message: 'Idempotency-Key: expected 1 to 64 visible ASCII characters',
  });
});
