import { afterAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../../src/compose/api-deps.ts';
import { routesOf } from '../../../src/compose/routes.ts';
import { buildSite, OPEN } from '../../api/build-site.ts';
import { fakeApiLimiter } from '../../support/fakes/api-limiter.ts';

const open = buildSite({ kind: 'open', ratePerSecond: 1, burst: 1 });
const pro = buildSite({
  kind: 'pro',
  checkKey: async () => ({ kind: 'unknown' }),
  limiter: fakeApiLimiter(),
});
const paths = (kind: 'open' | 'pro') => [
  ...routesOf(kind)
    .filter(({ signed }) => signed === undefined)
    .map(({ method, path }) => ({ method, url: path.replaceAll(/:\w+/g, 'x') })),
  { method: 'POST' as const, url: '/images' },
  { method: 'GET' as const, url: '/openapi.json' },
  { method: 'GET' as const, url: '/health' },
];
afterAll(async () => {
  await open.app.close();
  await pro.app.close();
});

describe('a page of another origin', () => {
  it.each(['open', 'pro'] as const)(
    'is answered its preflight of every path of the %s host, at no cost',
    async (kind) => {
      const { app } = kind === 'open' ? open : pro;
      for (const { method, url } of paths(kind)) {
        const answer = await app.inject({
          method: 'OPTIONS',
          url,
          headers: { origin: 'https://shop.example', 'access-control-request-method': method },
        });
        expect([url, answer.statusCode, answer.body]).toEqual([url, 204, '']);
        expect(answer.headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-headers':
            'content-type, idempotency-key, x-api-key, if-none-match, last-event-id',
          'access-control-max-age': '7200',
        });
        expect(answer.headers['access-control-allow-methods']).toContain(method);
        expect(answer.headers).not.toHaveProperty('ratelimit-remaining');
      }
    },
  );

  it.each(['open', 'pro'] as const)('reads every refusal of the %s host, headers by name', async (kind) => {
    const { app } = kind === 'open' ? open : pro;
    for (const { method, url } of paths(kind)) {
      if (url === '/stream') continue;
      const { headers } = await app.inject({ method, url, ...(method === 'POST' ? { payload: {} } : {}) });
      expect([url, headers['access-control-allow-origin']]).toEqual([url, '*']);
      const exposed = String(headers['access-control-expose-headers']).split(', ');
      const named = Object.keys(headers).filter((name) =>
        /ratelimit|retry|x-request|deprecation|www-/.test(name),
      );
      expect(exposed).toEqual(expect.arrayContaining(named));
    }
    const wrong = await app.inject({ method: 'DELETE', url: '/dex/swap' });
    expect([wrong.statusCode, wrong.headers['access-control-allow-origin']]).toEqual([405, '*']);
  });

  it('is answered a thousand preflights, and one call counts still', async () => {
    const { app } = buildSite({ kind: 'open', ratePerSecond: 1, burst: 1 });
    for (let at = 0; at < 1_000; at++) {
      const { statusCode } = await app.inject({ method: 'OPTIONS', url: '/v1/orderbooks/x' });
      expect(statusCode).toBe(204);
    }
    expect((await app.inject({ url: '/v1/orderbooks/x' })).statusCode).toBe(400);
    await app.close();
  });

  it('learns nothing of a path that personal keys sign for, refusals included', async () => {
    const signed = routesOf('pro').filter((route) => route.signed !== undefined);
    expect(signed.length).toBeGreaterThan(2);
    for (const { method, path } of signed)
      for (const asked of ['OPTIONS', method] as const) {
        const { statusCode, headers } = await pro.app.inject({ method: asked, url: path });
        expect([path, statusCode]).toEqual([path, asked === 'OPTIONS' ? 405 : 401]);
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
  });

  it.each(['/account', '/keys', '/desk/x', '/second-factor/x', '/nowhere'])(
    'learns nothing of %s',
    async (url) => {
      for (const method of ['OPTIONS', 'GET'] as const) {
        const { headers } = await open.app.inject({ method, url });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
    },
  );
});

describe('every host', () => {
  it('answers HEAD where it answers GET, but not of a stream', async () => {
    const { app } = buildSite(OPEN);
    const get = await app.inject({ url: '/openapi.json' });
    const head = await app.inject({ method: 'HEAD', url: '/openapi.json' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await app.inject({ method: 'HEAD', url: '/markets' })).statusCode).not.toBe(405);
    expect((await app.inject({ method: 'HEAD', url: '/stream' })).statusCode).toBe(405);
    expect((await app.inject({ method: 'POST', url: '/markets' })).headers['allow']).toBe('GET, HEAD');
    await app.close();
  });

  it('refuses a path that is no valid encoding in the shape of every refusal', async () => {
    const answer = await open.app.inject({ url: '/%' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: [], retryable: false },
    });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('names the key that a 401 asks for', async () => {
    const answer = await pro.app.inject({ url: '/usage' });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
      401,
      'ApiKey realm="tradepost"',
    ]);
  });

  it('tells a refusal under /v1 as deprecated too, with what replaces it', async () => {
    const market: ApiDeps['market'] = {
      ...(await import('../../api/page-deps.ts')).pageDeps().deps.market,
    };
    const { app } = buildSite(OPEN, { market });
    const address = '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj';
    const unknown = await app.inject({ url: `/v1/orderbooks/${address}` });
    expect(unknown.statusCode).toBeGreaterThanOrEqual(400);
    expect(unknown.headers['deprecation']).toBe(`@${Date.UTC(2026, 0, 1) / 1_000}`);
    expect(unknown.headers['link']).toContain(`</markets/${address}/book>; rel="successor-version"`);
    const hostile = await app.inject({ url: '/v1/orderbooks/%0d%0a%3e' });
    expect(hostile.headers['link']).toContain('</markets>; rel="successor-version"');
    await app.close();
  });
});
