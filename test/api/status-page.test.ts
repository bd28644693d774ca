import { afterEach, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../src/compose/api-deps.ts';
import { buildSite, OPEN } from './build-site.ts';
import { pageDeps } from './page-deps.ts';

let site: ReturnType<typeof buildSite> | null = null;
afterEach(() => site?.app.close());

const person = { accept: 'text/html,application/xhtml+xml' };

async function look(url: string, changes: Partial<ApiDeps> = {}) {
  site = buildSite(OPEN, changes);
  const { statusCode, headers, body } = await site.app.inject({ url, headers: person });
  return { statusCode, headers, body, text: body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
}

describe('/status', () => {
  it('says yes where everything answers and nothing is paused', async () => {
    const { statusCode, text } = await look('/status');
    expect(statusCode).toBe(200);
    expect(text).toMatch(/Does it work\? Yes\. .*✓ everything answers.*Database ✓ answers/);
    expect(text).toMatch(/0 markets, no trade seen yet/);
  });

  it('names what is down, and what is paused with its reason as text', async () => {
    const { deps } = pageDeps();
    const now = deps.clock.now();
    const { text, body } = await look('/status', {
      health: { database: async () => 0, chain: () => Promise.reject(new Error('secret host')) },
      site: {
        ...deps.site,
        pauses: async () => [
          { what: 'withdrawals', reason: '<b>audit</b>', since: now - 60_000, until: null },
          { what: 'venue:orca-whirlpool', reason: 'x', since: now, until: now + 3_600_000 },
        ],
      },
    });
    expect(text).toMatch(/Not all of it\..*✕ something is down.*Connection to the chain ✕ does not answer/);
    expect(text).toMatch(/Withdrawals &lt;b&gt;audit&lt;\/b&gt; 1 min ago until it is resumed/);
    expect(text).toMatch(/Trading at orca-whirlpool x 0 s ago 2023-11-14 23:13 UTC/);
    expect(body).not.toContain('secret host');
  });

  it('is led to from every page, and leads to what programs ask', async () => {
    for (const url of ['/', '/docs', '/search', '/nothing-here'])
      expect((await look(url)).body).toContain('<a href="/status">Status</a>');
    const { body } = await look('/status');
    expect(body).toContain('href="/health"');
    expect((await site?.app.inject({ url: '/health' }))?.statusCode).toBe(200);
  });
});

describe('errors', () => {
  it('are pages in the frame for people and JSON for programs, and say nothing of the inside', async () => {
    const broken: Partial<ApiDeps> = {
      tokens: {
        ...pageDeps().deps.tokens,
        table: () => Promise.reject(new Error('SELECT secret FROM inside')),
      },
    };
    const { statusCode, headers, body, text } = await look('/', broken);
    expect([statusCode, headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
    const id = String(headers['x-request-id']);
    expect(text).toMatch(new RegExp(`Something went wrong It is our fault.*this number: ${id}`));
    expect(body).toContain('<a href="/status">Status</a>');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const program = await site?.app.inject({ url: '/', headers: { accept: 'application/json' } });
    expect([program?.statusCode, program?.json().error.code]).toEqual([500, 'INTERNAL']);
    for (const said of [body, program?.body ?? '']) expect(said).not.toMatch(/secret|SELECT/);
  });

  it('lead a person who is lost back to the markets', async () => {
    const { statusCode, body, text } = await look('/market');
    expect(statusCode).toBe(404);
    expect(text).toContain('There is nothing here');
    expect(body).toContain('<a class="button" href="/">All markets</a>');
    const program = await site?.app.inject({ url: '/market', headers: { accept: '*/*' } });
    expect([program?.statusCode, program?.json().error.code]).toEqual([404, 'NOT_FOUND']);
  });
});
