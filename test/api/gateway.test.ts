import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../src/compose/api-deps.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { createHost } from '../../src/platform/http/create-host.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { PASSED } from '../support/passed.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BODY = { userWalletAddress: WALLET, amount: '1000', fromTokenAddress: SOL, toTokenAddress: USDC };

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('rest-gateway');
});
beforeEach(() => {
  api = buildApi(rig);
});
afterEach(() => api.close());
afterAll(() => rig.stop());

const codes = (answer: { readonly body: string }): Record<string, string> =>
  Object.fromEntries(
    (JSON.parse(answer.body) as ErrorAnswer).error.details.map(({ field, code }) => [field, code]),
  );

describe('the validation of a swap request', () => {
  it('tells everything that is wrong at once', async () => {
    const answer = await post(api.open, {
      userWalletAddress: 'nobody',
      amount: '0',
      fromTokenAddress: SOL,
      toTokenAddress: SOL,
      slippageBps: 10_001,
      referrerFeeBps: 301,
      extra: 1,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'VALIDATION_FAILED', retryable: false });
    expect(codes(answer)).toEqual({
      userWalletAddress: 'ADDRESS_INVALID',
      amount: 'AMOUNT_INVALID',
      toTokenAddress: 'SAME_TOKEN',
      slippageBps: 'SLIPPAGE_OUT_OF_RANGE',
      referrerFeeBps: 'REFERRER_FEE_TOO_HIGH',
      referrerWalletAddress: 'REFERRER_WALLET_REQUIRED',
      extra: 'FIELD_UNKNOWN',
    });
  });

  it.each([
    ['amount', '', 'AMOUNT_INVALID'],
    ['amount', 1000, 'AMOUNT_INVALID'],
    ['amount', '01', 'AMOUNT_INVALID'],
    ['amount', '1.5', 'AMOUNT_INVALID'],
    ['amount', '-1', 'AMOUNT_INVALID'],
    ['amount', '1e9', 'AMOUNT_INVALID'],
    ['amount', '18446744073709551616', 'AMOUNT_INVALID'],
    ['slippageBps', 1.5, 'SLIPPAGE_OUT_OF_RANGE'],
    ['slippageBps', -1, 'SLIPPAGE_OUT_OF_RANGE'],
    ['slippageBps', '500', 'SLIPPAGE_OUT_OF_RANGE'],
    ['amount', null, 'AMOUNT_INVALID'],
    ['userWalletAddress', 'x'.repeat(10_000), 'ADDRESS_INVALID'],
    ['toTokenAddress', `${USDC} `, 'ADDRESS_INVALID'],
    ['userWalletAddress', undefined, 'FIELD_REQUIRED'],
    ['amount', undefined, 'FIELD_REQUIRED'],
    ['referrerWalletAddress', WALLET, 'REFERRER_FEE_REQUIRED'],
  ])('answers %s = %j with %s', async (field, value, code) => {
    const answer = await post(api.open, { ...BODY, [field]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorAnswer>().error.code).toBe(code);
  });

  it('takes 500 bps when no slippage is given', async () => {
    const seen: number[] = [];
    const host = createHost(
      {
        ...api.deps,
        buildSwap: async ({ slippageBps }) => {
          seen.push(slippageBps);
          throw new AppError('NO_ROUTE', { mintIn: SOL, mintOut: USDC });
        },
      },
      { kind: 'open', ratePerSecond: 10, burst: 10 },
    );
    await post(host, BODY);
    expect(seen).toEqual([500]);
  });

  it('never answers 5xx to a hostile body', async () => {
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc.integer(),
      fc.constantFrom(
        null,
        '',
        '0',
        SOL,
        USDC,
        WALLET,
        '18446744073709551615',
        '99999999999999999999999',
        true,
        [],
        {},
      ),
    );
    const body = fc.oneof(
      fc.record(
        {
          userWalletAddress: junk,
          amount: junk,
          fromTokenAddress: junk,
          toTokenAddress: junk,
          slippageBps: junk,
          referrerWalletAddress: junk,
          referrerFeeBps: junk,
          constructor: junk,
        },
        { requiredKeys: [] },
      ),
      fc.string().map((text) => text as unknown),
      fc.constantFrom('{"__proto__":{"amount":"1"}}', '[', '[]', 'null', '"x"', '1', '{"a":'.repeat(500)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const answer = await post(api.open, given);
        expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(400);
        expect(answer.statusCode, answer.body).toBeLessThan(500);
        const { error } = answer.json<ErrorAnswer>();
        expect(error.code).toMatch(/^[A-Z_]+$/);
        expect(error.requestId).toBe(answer.headers['x-request-id']);
      }),
      { numRuns: 300 },
    );
    expect(api.logged).toEqual([]);
  });
});

describe('the HTTP layer', () => {
  it('answers every fault in one shape', async () => {
    const cases = [
      [await api.open.inject({ method: 'GET', url: '/nowhere' }), 404, 'NOT_FOUND'],
      [await api.open.inject({ method: 'GET', url: '/dex/swap' }), 405, 'METHOD_NOT_ALLOWED'],
      [await api.open.inject({ method: 'DELETE', url: '/dex/quote' }), 405, 'METHOD_NOT_ALLOWED'],
      [await api.open.inject({ method: 'PUT', url: '/health' }), 405, 'METHOD_NOT_ALLOWED'],
      [await api.pro.inject({ method: 'PATCH', url: '/health' }), 405, 'METHOD_NOT_ALLOWED'],
      [await api.open.inject({ method: 'DELETE', url: '/actions.json' }), 405, 'METHOD_NOT_ALLOWED'],
      [await post(api.open, 'a=1', { 'content-type': 'text/plain' }), 415, 'CONTENT_TYPE'],
      [await post(api.open, `{"a":"${'x'.repeat(20_000)}"}`), 413, 'BODY_TOO_LARGE'],
      [await post(api.open, '{'), 400, 'VALIDATION_FAILED'],
      [await post(api.open, ''), 400, 'VALIDATION_FAILED'],
    ] as const;
    for (const [answer, status, code] of cases) {
      expect(answer.statusCode).toBe(status);
      expect(answer.json<ErrorAnswer>().error).toMatchObject({ code, retryable: false, details: [] });
      expect(answer.headers['x-request-id']).toBeTruthy();
    }
    expect(cases[1][0].headers.allow).toBe('POST');
  });

  it('tells a chain that is down from a fault of its own, and keeps the fault to itself', async () => {
    const answerTo = async (error: unknown) => {
      const fail: ApiDeps['buildSwap'] = async () => {
        throw error;
      };
      return post(
        createHost({ ...api.deps, buildSwap: fail }, { kind: 'open', ratePerSecond: 9, burst: 9 }),
        BODY,
      );
    };
    const down = await answerTo(new AppError('CHAIN_UNREACHABLE', { endpoint: 'rpc.internal', cause: 'x' }));
    expect(down.statusCode).toBe(500);
    expect(down.json<ErrorAnswer>().error).toMatchObject({ code: 'UPSTREAM_FAILED', retryable: true });
    expect(down.body).not.toContain('rpc.internal');
    const moved = await answerTo(new AppError('PRICE_MOVED', { minOut: 5n, got: 4n }));
    expect([moved.statusCode, moved.json<ErrorAnswer>().error.retryable]).toEqual([400, true]);
    const bug = await answerTo(new Error('secret words'));
    expect(bug.statusCode).toBe(500);
    expect(bug.json<ErrorAnswer>().error).toMatchObject({ code: 'INTERNAL', retryable: false });
    expect(bug.body).not.toContain('secret words');
    expect(api.logged.some((line) => line.includes('secret words'))).toBe(true);
  });

  it('shows OpenAPI 3.1 whose schemas are those that check, and a page to read', async () => {
    type Operation = {
      operationId: string;
      requestBody: { content: Record<string, { schema: object }> };
    };
    const document = (await api.open.inject('/openapi.json')).json<{
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: Record<string, { required?: string[]; additionalProperties?: boolean }> };
    }>();
    expect(document.openapi).toBe('3.1.0');
    expect(document.paths['/dex/swap']?.['post']?.operationId).toBe('createSwapTransaction');
    // A body is described in its operation: there, generators take a field with a default as one that may be left out.
    const body = document.paths['/dex/swap']?.['post']?.requestBody.content['application/json']?.schema;
    expect(body).toMatchObject({
      title: 'SwapRequest',
      required: ['userWalletAddress', 'amount', 'fromTokenAddress', 'toTokenAddress'],
      additionalProperties: false,
      properties: { slippageBps: { type: ['integer', 'null'], minimum: 0, maximum: 10_000, default: 500 } },
    });
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['SwapResponse', 'SwapQuoteResponse', 'ErrorDetail']),
    );
    const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const reference of references) {
      expect(document.components.schemas).toHaveProperty(reference.split('/').at(-1) ?? '');
    }
    const page = await api.open.inject('/docs');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('POST /dex/swap');
    expect(page.body).not.toMatch(/<script(?! src="\/assets\/)/);
  });
});

describe('the open host', () => {
  it('lets one address ask twice at once and once a second after that', async () => {
    const strict = buildApi(rig, { ratePerSecond: 1, burst: 2 });
    const ask = (remoteAddress: string, headers = {}) =>
      strict.open.inject({ method: 'GET', url: '/dex/quote', remoteAddress, headers });
    const statuses = [await ask('203.0.113.1'), await ask('203.0.113.1'), await ask('203.0.113.1')];
    // Failed calls count.
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 429]);
    const [first, , refused] = statuses;
    expect(first?.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'x-ratelimit-remaining': '1',
    });
    expect(refused?.headers['retry-after']).toBe('1');
    expect(refused?.json<ErrorAnswer>().error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    // A forwarded address is not believed, another address has limits of its own, and one subscriber's /64 is one caller.
    expect((await ask('203.0.113.1', { 'x-forwarded-for': '198.51.100.9' })).statusCode).toBe(429);
    for (const suffix of ['1', '2']) expect((await ask(`2001:db8:1:2::${suffix}`)).statusCode).toBe(400);
    expect((await ask('2001:db8:1:2:ffff::3')).statusCode).toBe(429);
    expect((await ask('2001:db8:1:3::1')).statusCode).toBe(400);
    strict.advance(1_000);
    expect((await ask('203.0.113.1')).statusCode).toBe(400);
    expect((await ask('203.0.113.1')).statusCode).toBe(429);
    await strict.close();
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd00::1'])(
    'believes a proxy at %s, and of what it forwards the last address that is no proxy’s',
    async (remoteAddress) => {
      const host = createHost(api.deps, { kind: 'open', ratePerSecond: 1, burst: 1 }, { trustedProxies: [] });
      const ask = async (forwarded: string) =>
        (
          await host.inject({
            method: 'GET',
            url: '/dex/quote',
            remoteAddress,
            headers: { 'x-forwarded-for': forwarded },
          })
        ).statusCode;
      expect(await ask('198.51.100.1')).toBe(400);
      expect(await ask('198.51.100.2')).toBe(400);
      // What a client wrote itself comes before what the proxy added.
      expect(await ask('203.0.113.77, 198.51.100.1')).toBe(429);
      await host.close();
    },
  );

  it.each(['203.0.113.1', '172.15.0.1', '172.32.0.1', '100.64.0.1', '2001:db8::1'])(
    'believes no proxy at %s that nobody named',
    async (remoteAddress) => {
      const host = createHost(api.deps, { kind: 'open', ratePerSecond: 1, burst: 1 }, { trustedProxies: [] });
      const codes: number[] = [];
      for (const forwarded of ['198.51.100.1', '198.51.100.2']) {
        const headers = { 'x-forwarded-for': forwarded };
        codes.push(
          (await host.inject({ method: 'GET', url: '/dex/quote', remoteAddress, headers })).statusCode,
        );
      }
      expect(codes).toEqual([400, 429]);
      await host.close();
    },
  );

  it('believes a proxy that the operator named', async () => {
    const host = createHost(
      api.deps,
      { kind: 'open', ratePerSecond: 1, burst: 1 },
      { trustedProxies: ['203.0.113.0/24'] },
    );
    const ask = (forwarded: string) =>
      host.inject({
        method: 'GET',
        url: '/dex/quote',
        remoteAddress: '203.0.113.3',
        headers: { 'x-forwarded-for': forwarded },
      });
    expect((await ask('198.51.100.1')).statusCode).toBe(400);
    expect((await ask('198.51.100.2')).statusCode).toBe(400);
    expect((await ask('198.51.100.1')).statusCode).toBe(429);
  });
});

describe('the pro host', () => {
  const ask = (key?: string) =>
    api.pro.inject({
      method: 'GET',
      url: '/dex/quote',
      headers: key === undefined ? {} : { 'x-api-key': key },
    });
  const code = async (key?: string) => {
    const answer = await ask(key);
    return [answer.statusCode, answer.json<ErrorAnswer>().error.code];
  };

  it('tells an account what its keys asked for, by route and day, refused requests included', async () => {
    const [one, two, other] = [
      await api.issue({ account: 'counted', ratePerSecond: 50, burst: 60 }),
      await api.issue({ account: 'counted', ratePerSecond: 50, burst: 60 }),
      await api.issue({ account: 'somebody else' }),
    ];
    const get = (key: string, url: string) =>
      api.pro.inject({ method: 'GET', url, headers: { 'x-api-key': key } });
    for (let n = 0; n < 3; n += 1) await get(one.text, '/dex/quote');
    await get(two.text, '/dex/quote');
    await post(api.pro, {}, { 'x-api-key': two.text });
    await get(other.text, '/dex/quote');
    await get('dx_live_x', '/usage');
    const answer = await get(two.text, '/usage');
    expect(answer.statusCode).toBe(200);
    const day = new Date(api.deps.clock.now()).toISOString().slice(0, 10);
    const row = (key: string, route: string, requests: number) => ({ day, key, route, requests });
    expect(answer.json<{ data: unknown }>().data).toEqual({
      account: 'counted',
      ratePerSecond: 50,
      burst: 60,
      usage: [
        row(one.key.id, 'GET /dex/quote', 3),
        row(two.key.id, 'GET /dex/quote', 1),
        row(two.key.id, 'GET /usage', 1),
        row(two.key.id, 'POST /dex/swap', 1),
      ].toSorted((a, b) => (`${a.key} ${a.route}` < `${b.key} ${b.route}` ? -1 : 1)),
    });
    expect((await get(two.text, '/usage?days=3')).json<ErrorAnswer>().error.code).toBe('FIELD_UNKNOWN');
  });

  it('alone has usage to show', async () => {
    const paths = async (host: Api['open']) =>
      Object.keys((await host.inject('/openapi.json')).json<{ paths: object }>().paths);
    expect(await paths(api.pro)).toContain('/usage');
    expect(await paths(api.open)).not.toContain('/usage');
    expect((await api.open.inject('/usage')).statusCode).toBe(404);
  });

  it('lets in who holds a key, and nobody else', async () => {
    const { text, key } = await api.issue();
    expect(text).toMatch(/^dx_live_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}$/);
    expect(Buffer.from(key.hash).toString('latin1')).not.toContain(text.slice(-20));
    expect(await code(text)).toEqual([400, 'VALIDATION_FAILED']);
    expect(await code()).toEqual([401, 'KEY_MISSING']);
    expect(await code('dx_live_x')).toEqual([401, 'KEY_INVALID']);
    const other = text.endsWith('a') ? 'b' : 'a';
    expect(await code(`${text.slice(0, -1)}${other}`)).toEqual([401, 'KEY_INVALID']);
  });

  it('refuses a key that was revoked, has expired or lacks the scope', async () => {
    const revoked = await api.issue();
    expect(await api.keys.revoke(PASSED, revoked.key.id, 1)).toBe(true);
    expect(await code(revoked.text)).toEqual([403, 'KEY_REVOKED']);
    expect(await code((await api.issue({ expiresAt: 1 })).text)).toEqual([403, 'KEY_EXPIRED']);
    expect(await code((await api.issue({ scopes: ['market'] })).text)).toEqual([403, 'KEY_SCOPE']);
  });

  it('counts an account’s requests over all of its keys', async () => {
    const grant = { account: 'shared', ratePerSecond: 1, burst: 2 };
    const [a, b] = [await api.issue(grant), await api.issue(grant)];
    expect((await ask(a.text)).statusCode).toBe(400);
    expect((await ask(b.text)).statusCode).toBe(400);
    expect((await ask(a.text)).statusCode).toBe(429);
  });

  it('lets a key ask for the referrer fee that it was granted', async () => {
    const { text } = await api.issue({ maxReferrerFeeBps: 1_000 });
    const fee = (referrerFeeBps: number) =>
      post(
        api.pro,
        { ...BODY, toTokenAddress: WALLET, referrerWalletAddress: WALLET, referrerFeeBps },
        { 'x-api-key': text },
      );
    expect((await fee(1_001)).json<ErrorAnswer>().error.code).toBe('REFERRER_FEE_TOO_HIGH');
    expect((await fee(1_000)).json<ErrorAnswer>().error.code).toBe('TOKEN_NOT_FOUND');
  });

  it('slows down who tries keys', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await ask('dx_live_wrong')).statusCode);
    expect(statuses.slice(0, 10).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});
