import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { serveHealth } from '../../src/platform/http/serve-health.ts';
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
