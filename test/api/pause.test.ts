import { expect, it } from 'vitest';
import type { Pause } from '../../src/engine/switches/rules.ts';
import { buildSite, OPEN } from './build-site.ts';

it('answers 503 with the reason and the end while the API is paused, and lets pages and health go on', async () => {
  const until = Date.UTC(2030, 0, 1);
  let pause: Pause | null = { what: 'api', reason: 'a venue misquotes', since: 1, until };
  const { app } = buildSite(OPEN, { pause: async () => pause });
  const ask = (method: 'GET' | 'POST', url: string) => app.inject({ method, url });
  for (const [method, url] of [
    ['GET', '/dex/quote?fromTokenAddress=x'],
    ['POST', '/dex/swap'],
    ['POST', '/token'],
    ['POST', '/images'],
  ] as const) {
    const answer = await ask(method, url);
    expect([url, answer.statusCode]).toEqual([url, 503]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toMatchObject({
      error: {
        code: 'PAUSED',
        message: 'the operator has paused this API until 2030-01-01T00:00:00.000Z: a venue misquotes',
        retryable: true,
        details: [
          { code: 'REASON', message: 'a venue misquotes' },
          { code: 'UNTIL', message: '2030-01-01T00:00:00.000Z' },
        ],
      },
    });
  }
  expect((await ask('GET', '/health')).statusCode).toBe(200);
  expect((await ask('GET', '/openapi.json')).statusCode).toBe(200);
  expect((await ask('GET', '/status.json')).statusCode).toBe(200);
  pause = null;
  expect((await ask('GET', '/dex/quote?fromTokenAddress=x')).statusCode).toBe(400);
});
