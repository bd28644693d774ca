import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/compose/api-deps.ts';
import { serveHealth } from '../../src/platform/http/serve-health.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { buildSite, OPEN } from './build-site.ts';
import { NETWORK } from './page-deps.ts';

describe('GET /health', () => {
  it('answers 200 on the open host while everything answers', async () => {
    const { app } = buildSite(OPEN, {});
    const answer = await app.inject({ method: 'GET', url: '/health' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({ status: 'ok', database: 'ok', queue: 'ok', network: NETWORK });
  });

  it('is in the document of each host, and keeps to it also where a part is down', async () => {
    const checkKey = async () => ({ kind: 'unknown' }) as const;
    const hosts: readonly Host[] = [
      OPEN,
      { kind: 'pro', checkKey, limiter: fakeApiLimiter() },
      { kind: 'charts' },
    ];
    for (const host of hosts) {
      let isDown = false;
      const queue = () => (isDown ? Promise.reject(new Error('away')) : Promise.resolve(0));
      const { app, advance } = buildSite(host, { health: { database: async () => 0, queue } });
      const { paths } = (await app.inject('/openapi.json')).json<{ paths: Record<string, object> }>();
      expect(Object.keys(paths['/health'] ?? {}), host.kind).toEqual(['get']);
      // An answer that is not as the document says it would be 599.
      expect((await app.inject('/health')).statusCode).toBe(200);
      isDown = true;
      advance(1_001);
      const answer = await app.inject('/health');
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ status: 'down', database: 'ok', queue: 'down' });
      await app.close();
    }
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('secret host name'))],
    ['keeps silent', () => new Promise(() => undefined)],
  ])('answers 503 and names the part that %s, and nothing else of it', async (_how, queue) => {
    const app = Fastify();
    serveHealth(app, { database: async () => 1, queue }, () => 0, { patienceMs: 20 });
    const answer = await app.inject({ method: 'GET', url: '/health' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'down', database: 'ok', queue: 'down' });
  });

  it('asks once in a second however many ask', async () => {
    let now = 0;
    let asked = 0;
    const app = Fastify();
    const count = async (): Promise<void> => {
      asked += 1;
    };
    serveHealth(app, { database: count, queue: async () => 0 }, () => now);
    const get = () => app.inject({ method: 'GET', url: '/health' });
    await Promise.all([get(), get(), get()]);
    expect(asked).toBe(1);
    now = 1_000;
    await get();
    expect(asked).toBe(2);
  });
});
