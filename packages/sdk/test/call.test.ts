import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { waitAfter } from '../src/call.ts';
import { createTradepost, isRefusal, RefusalError, UnansweredError } from '../src/index.ts';
import { data, refused, type Step, startScriptedService } from './scripted-service.ts';

const SWAP = {
  userWalletAddress: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  amount: '100',
  fromTokenAddress: 'So11111111111111111111111111111111111111112',
  toTokenAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function clientOf(steps: readonly Step[], more: { retries?: number; timeoutMs?: number } = {}) {
  const service = await startScriptedService(steps);
  stops.push(service.stop);
  return { service, desk: createTradepost({ baseUrl: service.baseUrl, apiKey: 'tp_key', ...more }) };
}

const failureOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'nothing failed',
    (error: unknown) => error,
  );

describe('a call', () => {
  it('asks as the document says: path, query, key', async () => {
    const { desk, service } = await clientOf([data({ markets: [] }), data({}), data([])]);
    await desk.listMarketTrades({ address: 'a/b?c', limit: '5' });
    await desk.showUsage();
    await desk.listTokenPrices({ mints: ['M1', 'M2'] });
    expect(service.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/markets/a%2Fb%3Fc/trades?limit=5', ''],
      ['GET', '/usage', ''],
      ['POST', '/prices', '{"mints":["M1","M2"]}'],
    ]);
    expect(service.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['tp_key', 'tp_key', 'tp_key']);
  });

  it('keeps one idempotency key over all of its tries, and has another for the next call', async () => {
    const { desk, service } = await clientOf([
      'drop',
      refused(409, 'IDEMPOTENCY_IN_PROGRESS', { retryable: true }),
      { status: 502, body: '<html>Bad gateway</html>' },
      data({ tx: '1' }),
      data({ tx: '2' }),
    ]);
    await desk.createSwapTransaction(SWAP);
    await desk.createSwapTransaction(SWAP);
    const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[4]).not.toBe(keys[0]);
    expect(new Set(service.seen.slice(0, 4).map(({ body }) => body)).size).toBe(1);
  });

  it('waits as long as the service asks, and at random where it asks nothing', () => {
    const refusal = { code: 'RATE_LIMITED', message: '', field: null, details: [], requestId: '' };
    const asked = (retryAfterMs: number | null, retryable = true) =>
      ({ kind: 'refusal', status: 429, retryAfterMs, error: { ...refusal, retryable } }) as const;
    expect(waitAfter(asked(9_000), false, 1)).toBe(9_000);
    expect(waitAfter(asked(60_001), false, 1)).toBe(null);
    expect(waitAfter(asked(1_000, false), false, 1)).toBe(null);
    for (let tries = 1; tries < 20; tries += 1)
      expect(waitAfter(asked(null), false, tries)).toBeLessThanOrEqual(8_000);
  });

  it('does not wait an hour', async () => {
    const { desk } = await clientOf([
      refused(429, 'RATE_LIMITED', { retryable: true, headers: { 'retry-after': '3600' } }),
    ]);
    const failure = await failureOf(desk.rotateKey());
    expect(failure).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 3_600_000 });
  });

  it('tells a refusal with the codes of its operation, and tries no more', async () => {
    const { desk, service } = await clientOf([refused(400, 'NO_ROUTE')]);
    const failure = await failureOf(desk.createSwapTransaction(SWAP));
    expect(failure).toBeInstanceOf(RefusalError);
    if (!isRefusal(failure, 'createSwapTransaction')) throw new Error('the refusal is of no swap');
    const code: 'NO_ROUTE' | 'SIMULATION_FAILED' | (string & {}) = failure.code;
    expect([code, failure.status, failure.afterLostAnswer]).toEqual(['NO_ROUTE', 400, false]);
    expect(isRefusal(failure, 'quoteSwap')).toBe(false);
    expect(service.seen).toHaveLength(1);
  });

  it('says of a refusal that an earlier try had no answer', async () => {
    const { desk } = await clientOf(['drop', refused(400, 'NO_ROUTE')]);
    expect(await failureOf(desk.createSwapTransaction(SWAP))).toMatchObject({ afterLostAnswer: true });
  });

  it('never asks twice for what would be done twice', async () => {
    const { desk, service } = await clientOf(['drop', data({ mailedTo: 'x' })]);
    expect(await failureOf(desk.rotateKey())).toBeInstanceOf(UnansweredError);
    expect(service.seen).toHaveLength(1);
  });

  it('gives up after its tries, and says that the end is unknown', async () => {
    const { desk, service } = await clientOf(['drop', 'hang', 'drop'], { retries: 1, timeoutMs: 150 });
    expect(await failureOf(desk.showUsage())).toMatchObject({ name: 'UnansweredError', tries: 2 });
    expect(service.seen).toHaveLength(2);
  });

  it('follows no redirect, which would carry the key to another host', async () => {
    const { desk: other, service: elsewhere } = await clientOf([data({})]);
    await other.showUsage();
    const { desk } = await clientOf(
      [{ status: 307, body: '', headers: { location: `${elsewhere.baseUrl}/usage` } }],
      { retries: 0 },
    );
    expect(await failureOf(desk.showUsage())).toBeInstanceOf(UnansweredError);
    expect(elsewhere.seen).toHaveLength(1);
  });

  it('ends with the reason of its signal', async () => {
    const { desk, service } = await clientOf(['hang']);
    const stop = new AbortController();
    const asked = failureOf(desk.showUsage({}, { signal: stop.signal }));
    while (service.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('the page was left'));
    expect(await asked).toMatchObject({ message: 'the page was left' });
  });

  it.each([
    ['ftp://x', {}],
    ['127.0.0.1', {}],
    ['https://x/?a=1', {}],
    ['https://x', { retries: -1 }],
    ['https://x', { timeoutMs: 0 }],
    ['https://x', { apiKey: 'a\nb' }],
  ])('refuses %s with %o', (baseUrl, more) => {
    expect(() => createTradepost({ baseUrl, ...more })).toThrow(/: expected /);
  });

  it('refuses a path without its field before anything is asked', async () => {
    const { desk, service } = await clientOf([]);
    await expect(desk.showMarket({ address: '' })).rejects.toThrow('expected a text for address');
    expect(service.seen).toEqual([]);
  });
});

describe('an operation of /desk', () => {
  const keyed = async (steps: readonly Step[], sign: (bytes: Uint8Array) => Uint8Array) => {
    const { service } = await clientOf(steps);
    const personalKey = { id: '01KAZ3C8T5Q0V7N2M4R6W8Y1D3', sign };
    return { service, desk: createTradepost({ baseUrl: service.baseUrl, apiKey: 'tp_key', personalKey }) };
  };

  it('is signed over all five parts, without the key of the API', async () => {
    const signed: string[] = [];
    const { desk, service } = await keyed([data({ trades: [], next: null })], (bytes) => {
      signed.push(new TextDecoder().decode(bytes));
      return new Uint8Array(64).fill(7);
    });
    await desk.listDeskTrades({ limit: '5' });
    const headers = service.seen[0]?.headers ?? {};
    expect(headers).not.toHaveProperty('x-api-key');
    const input = String(headers['signature-input']);
    expect(signed).toEqual([
      [
        '"@method": GET',
        `"@authority": ${new URL(service.baseUrl).host}`,
        '"@path": /desk/trades',
        '"@query": ?limit=5',
        '"content-digest": sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
        `"@signature-params": ${input.slice('sig='.length)}`,
      ].join('\n'),
    ]);
    expect(headers['content-digest']).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
    expect(headers['signature']).toBe(`sig=:${Buffer.alloc(64, 7).toString('base64')}:`);
  });

  it('is signed anew for each try', async () => {
    const { desk, service } = await keyed(['drop', data([])], () => new Uint8Array(64));
    await desk.listDeskPositions();
    const nonces = service.seen.map(
      ({ headers }) => /nonce="(\w+)"/.exec(String(headers['signature-input']))?.[1],
    );
    expect(nonces).toHaveLength(2);
    expect(new Set(nonces).size).toBe(2);
  });

  it('trades once: after a lost answer the same body is signed anew, with its idempotency key', async () => {
    const { desk, service } = await keyed(['drop', data({ id: 'one' })], () => new Uint8Array(64));
    const trade = { side: 'buy', mint: 'm', amount: '1', minReceived: '1', idempotencyKey: 'k' } as const;
    expect(await desk.makeDeskTrade(trade)).toEqual({ id: 'one' });
    const hash = createHash('sha256').update(JSON.stringify(trade)).digest('base64');
    for (const { method, url, headers, body } of service.seen) {
      expect([method, url, body]).toEqual(['POST', '/desk/trades', JSON.stringify(trade)]);
      expect(headers['content-digest']).toBe(`sha-256=:${hash}:`);
    }
    expect(service.seen).toHaveLength(2);
  });

  it('is not asked without a key that signs', async () => {
    const { desk, service } = await clientOf([data([])]);
    expect(await failureOf(desk.listDeskOrders())).toMatchObject({
      name: 'TypeError',
      message: 'listDeskOrders: expected the option personalKey, which signs this request',
    });
    expect(service.seen).toEqual([]);
  });
});
