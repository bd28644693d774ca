import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import { withinDeadline } from '../../src/platform/http/deadline.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { buildSite, OPEN } from './build-site.ts';

const silent = () => new Promise<never>(() => undefined);
const BODY = {
  fromTokenAddress: 'So11111111111111111111111111111111111111112',
  toTokenAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: '1000000',
  slippageBps: 50,
  userWalletAddress: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
};

describe('the time an answer may take', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends when something behind the service is frozen, retryable and with a reason', async () => {
    const failing = expect(withinDeadline(silent())).rejects.toMatchObject({
      status: 500,
      code: 'UPSTREAM_FAILED',
      retryable: true,
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await failing;
  });

  it('leaves quick answers and their errors alone', async () => {
    await expect(withinDeadline(Promise.resolve(1))).resolves.toBe(1);
    await expect(withinDeadline(Promise.reject(new RangeError('x')))).rejects.toThrow(RangeError);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a swap over a frozen node is answered, not left hanging', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let asked = (): void => undefined;
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { app } = buildSite(OPEN, {
      buildSwap: () => {
        asked();
        return silent();
      },
      rpcMeter: { measure: async (work) => ({ value: await work(), calls: 0, accounts: 0 }) as never },
    });
    const answer = app.inject({ method: 'POST', url: '/dex/swap', payload: BODY });
    await wasAsked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await answer).json()).toMatchObject({ error: { code: 'UPSTREAM_FAILED', retryable: true } });
  } finally {
    vi.useRealTimers();
  }
});

it('a key that cannot be looked up is an outage, not a fault of this program', async () => {
  const checkKey = () => Promise.reject(new AppError('DATABASE_UNREACHABLE', { cause: 'gone' }));
  const { app } = buildSite({ kind: 'pro', checkKey, limiter: fakeApiLimiter() }, {});
  const headers = { 'x-api-key': 'pk_a_b' };
  const answer = await app.inject({ method: 'POST', url: '/dex/swap', headers, payload: BODY });
  expect(answer.json()).toMatchObject({ error: { code: 'UPSTREAM_FAILED', retryable: true } });
});

it('both hosts tell their health', async () => {
  const pro = buildSite(
    { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() },
    {},
  );
  expect((await pro.app.inject({ url: '/health' })).statusCode).toBe(200);
});

it.each([
  ['headers', 'GET /health HTTP/1.1\r\nhost: a\r\n'],
  [
    'a body',
    'POST /dex/swap HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  ],
])('cuts off %s that trickle in', async (_what, begun) => {
  const { app } = buildSite(OPEN, {}, { requestTimeoutMs: 200 });
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  try {
    const socket = connect(Number(url.port), url.hostname);
    socket.write(begun);
    const heard = await text(socket);
    // The connection ended without our part: Node waits 60 s and more when nobody tells it otherwise.
    expect(heard).toMatch(/^(HTTP\/1.1 408 |$)/);
  } finally {
    await app.close();
  }
});

it('each answer is one line of the access log, without its query', async () => {
  const lines: unknown[] = [];
  const log = {
    debug: () => {},
    info: (fields: object, text?: string) => void lines.push({ ...fields, text }),
    warn: () => {},
    error: () => {},
    child: () => log,
  };
  const { app } = buildSite(OPEN, { log });
  await app.inject({ url: '/health?secret=1' });
  await app.inject({ url: '/nowhere?secret=1' });
  expect(lines).toMatchObject([
    { method: 'GET', route: '/health', status: 200, text: 'request' },
    { method: 'GET', route: 'none', status: 404, text: 'request' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});
