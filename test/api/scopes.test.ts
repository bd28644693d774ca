import { afterEach, describe, expect, it } from 'vitest';
import { API_SCOPES, type ApiScope } from '../../src/modules/keys/store/api-key-store-port.ts';
import type { RouteScope } from '../../src/platform/http/route.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import type { ErrorAnswer } from './build-api.ts';
import { buildSite, OPEN } from './build-site.ts';

/**
 * What a key must be allowed to do on each path of the pro host, written down a second time: a path that is missing here
 * fails, so that nobody adds one without deciding who may use it.
 */
const SCOPES: Readonly<Record<string, RouteScope>> = {
  'GET /dex/quote': 'swap',
  'GET /dex/venues': 'swap',
  'GET /dex/senders': 'swap',
  'POST /dex/swap': 'swap',
  'POST /dex/swap/quote': 'swap',
  'POST /dex/swap/instructions': 'swap',
  'POST /transactions': 'submit',
  'GET /transactions/{signature}': 'submit',
  'POST /webhooks': 'submit',
  'GET /webhooks': 'submit',
  'DELETE /webhooks/{id}': 'submit',
  'POST /webhooks/{id}/rotate': 'submit',
  'POST /webhooks/{id}/test': 'submit',
  'GET /webhooks/{id}/deliveries': 'submit',
  'POST /webhooks/{id}/replay': 'submit',
  'POST /images': 'token',
  'POST /token': 'token',
  'GET /markets': 'market',
  'GET /markets/{address}': 'market',
  'GET /markets/{address}/trades': 'market',
  'GET /markets/{address}/candles': 'market',
  'GET /markets/{address}/book': 'market',
  'GET /tokens/search': 'market',
  'GET /tokens/trending': 'market',
  'GET /tokens/new': 'market',
  'GET /tokens': 'market',
  'GET /tokens/{mint}': 'market',
  'GET /wallets/{address}/holdings': 'market',
  'GET /wallets/{address}/trades': 'market',
  'GET /wallets/{address}/pnl': 'market',
  'POST /prices': 'market',
  'GET /stream': 'market',
  'GET /v1/prices': 'market',
  'GET /v1/prices/recent': 'market',
  'GET /v1/prices/{address}/last': 'market',
  'GET /v1/prices/{address}/closing-price': 'market',
  'GET /v1/trades': 'market',
  'GET /v1/trades/{address}/24h': 'market',
  'GET /v1/trades/{address}/all': 'market',
  'GET /v1/trades/{address}/last': 'market',
  'GET /v1/volumes': 'market',
  'GET /v1/volumes/{address}': 'market',
  'GET /v1/orderbooks/{address}': 'market',
  'GET /v1/pairs': 'market',
  'GET /usage': 'any',
  'POST /keys/rotate': 'any',
  'GET /status.json': 'none',
  'GET /health': 'none',
};
const PATHS = Object.keys(SCOPES);
/** Each path that a personal key signs, with the right that it needs. */
const SIGNED: Readonly<Record<string, string>> = {
  'GET /desk/positions': 'read',
  'GET /desk/trades': 'read',
  'GET /desk/trades/{tradeId}': 'read',
  'POST /desk/trades': 'trade',
  'GET /desk/orders': 'read',
  'GET /desk/orders/{orderId}': 'read',
  'POST /desk/orders': 'place',
  'DELETE /desk/orders/{orderId}': 'orders',
};

let site: ReturnType<typeof buildSite>;
afterEach(() => site.app.close());

/** The pro host as the holder of a key with these scopes sees it. */
function hostFor(scopes: readonly ApiScope[]) {
  site = buildSite({
    kind: 'pro',
    checkKey: async () => ({
      kind: 'valid',
      key: {
        id: 'a1B2c3D4e5F6',
        account: 'acme',
        hash: new Uint8Array(32),
        scopes,
        ratePerSecond: 100,
        burst: 100,
        maxReferrerFeeBps: 500,
        createdAt: 0,
        expiresAt: null,
        revokedAt: null,
        dayQuota: null,
        email: null,
        replacedBy: null,
      },
    }),
    limiter: fakeApiLimiter(),
  });
  return site.app;
}

/** Asks without an input: what passes the gate is refused for that, or answered. */
async function ask(scopes: readonly ApiScope[], path: string) {
  const [method = '', url = ''] = path.split(' ');
  const answer = await hostFor(scopes).inject({
    method: method as 'GET' | 'POST' | 'DELETE',
    url,
    headers: {
      'x-api-key': 'a key',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { payload: '{}' } : {}),
  });
  const { error } = answer.json<Partial<ErrorAnswer>>();
  return { status: answer.statusCode, code: error?.code ?? null, message: error?.message ?? '' };
}

describe('the scopes of API keys', () => {
  it('are decided for every path of the pro host, and told in its document', async () => {
    const document = (await hostFor([]).inject('/openapi.json')).json<{
      paths: Record<string, Record<string, { readonly security: readonly unknown[] }>>;
    }>();
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [`${method.toUpperCase()} ${path}`, security]),
    );
    const keyed = PATHS.map((path) => {
      const scope = SCOPES[path];
      return [path, scope === 'none' ? [] : [{ apiKey: scope === 'any' ? [] : [scope] }]];
    });
    const signed = Object.entries(SIGNED).map(([path, right]) => [path, [{ personalKey: [right] }]]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries([...keyed, ...signed]));
  });

  const cases = PATHS.flatMap((path) => [...API_SCOPES, null].map((scope) => [scope, path] as const));
  it.each(cases)('%s alone at %s', async (scope, path) => {
    const { status, code, message } = await ask(scope === null ? [] : [scope], path);
    const wanted = SCOPES[path];
    if (wanted === 'any' || wanted === 'none' || wanted === scope) {
      expect([200, 400, 415, 503]).toContain(status);
      return;
    }
    expect([status, code]).toEqual([403, 'KEY_SCOPE']);
    expect(message).toContain(`"${wanted}"`);
  });

  it.each(PATHS)('all together open %s', async (path) => {
    expect((await ask(API_SCOPES, path)).code).not.toBe('KEY_SCOPE');
  });

  it('mean nothing on the open host, whose document asks for no key', async () => {
    site = buildSite(OPEN);
    const document = (await site.app.inject('/openapi.json')).body;
    expect(document).not.toContain('"apiKey"');
    const answer = await site.app.inject({ method: 'GET', url: '/dex/quote' });
    expect(answer.json<ErrorAnswer>().error.code).toBe('VALIDATION_FAILED');
  });
});
