import { afterEach, describe, expect, it } from 'vitest';
import type { ApiDeps, Host } from '../../src/compose/api-deps.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { buildSite, OPEN } from './build-site.ts';
import { pageDeps } from './page-deps.ts';

const PRO: Host = { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() };
const HOSTS: readonly (readonly [string, Host])[] = [
  ['open', OPEN],
  ['pro', PRO],
];

let site: ReturnType<typeof buildSite> | null = null;
afterEach(() => site?.app.close());

async function ask(host: Host, changes: Partial<ApiDeps> = {}, url = '/status.json') {
  site = buildSite(host, changes);
  return await site.app.inject({ url, headers: { origin: 'https://watch.example' } });
}

describe.each(HOSTS)('GET /status.json of the %s host', (_, host) => {
  it('gives parts, pauses, days and incidents to any page without a key', async () => {
    const { deps } = pageDeps();
    const now = deps.clock.now();
    const answer = await ask(host, {
      health: { database: async () => 0, chain: () => Promise.reject(new Error('secret host')) },
      site: {
        ...deps.site,
        pauses: async () => [{ what: 'games', reason: 'a drill', since: now, until: null }],
        history: async () => ({
          days: [{ part: 'chain', day: '2023-11-13', measured: 1_440, down: 5 }],
          incidents: [
            {
              id: 'b',
              title: 'Slow',
              parts: ['trading'],
              openedAt: now,
              closedAt: null,
              notes: [{ at: now, text: 'We look.' }],
            },
          ],
        }),
      },
    });
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    const at = '2023-11-14T22:13:20.000Z';
    expect(answer.json()).toEqual({
      data: {
        status: 'down',
        at,
        parts: [
          { name: 'database', state: 'ok' },
          { name: 'chain', state: 'down' },
        ],
        paused: [{ what: 'games', reason: 'a drill', since: at, until: null }],
        days: [{ part: 'chain', day: '2023-11-13', measuredMinutes: 1_440, downMinutes: 5 }],
        incidents: [
          {
            id: 'b',
            title: 'Slow',
            parts: ['trading'],
            openedAt: at,
            closedAt: null,
            notes: [{ at, text: 'We look.' }],
          },
        ],
      },
    });
    expect(answer.body).not.toContain('secret');
  });

  it('answers while the history cannot be read, and while the API is paused', async () => {
    const { deps } = pageDeps();
    const answer = await ask(host, {
      site: { ...deps.site, history: async () => null },
      pause: async () => ({ what: 'api', reason: 'a drill', since: 1, until: null }),
    });
    expect(answer.json()).toMatchObject({ data: { status: 'ok', days: null, incidents: null } });
  });

  it('is limited by itself, and takes nothing of what a caller may ask otherwise', async () => {
    const first = await ask(host);
    expect(first.headers['ratelimit-limit']).toBe('20');
    const again = async () => (await site?.app.inject({ url: '/status.json' }))?.statusCode;
    const answers = await Promise.all(Array.from({ length: 30 }, again));
    expect(answers.filter((status) => status === 429)).toHaveLength(11);
    const other = await site?.app.inject({ url: '/dex/venues' });
    expect(other?.statusCode).toBe(host.kind === 'open' ? 200 : 401);
  });
});

it('is in both documents as a path without a key, and refuses a question that it does not know', async () => {
  for (const [, host] of HOSTS) {
    const { paths } = (await ask(host, {}, '/openapi.json')).json<{
      paths: Record<string, { get: { security?: unknown; responses: Record<string, unknown> } }>;
    }>();
    const operation = paths['/status.json']?.get;
    expect(operation?.security ?? []).toEqual([]);
    expect(Object.keys(operation?.responses ?? {})).not.toContain('401');
    expect((await ask(host, {}, '/status.json?day=1')).json()).toMatchObject({
      error: { code: 'FIELD_UNKNOWN' },
    });
  }
});
