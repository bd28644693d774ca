import { afterEach, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../src/compose/api-deps.ts';
import { buildSite, OPEN } from './build-site.ts';
import { pageDeps } from './page-deps.ts';

let site: ReturnType<typeof buildSite> | null = null;
afterEach(() => site?.app.close());

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const ROUND = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const SECRET = 'SELECT secret FROM inside';
const breaks = (): Promise<never> => Promise.reject(new Error(SECRET));

/** Everything behind the pages fails in a way that nobody foresaw. */
function brokenDeps(): Partial<ApiDeps> {
  const { deps } = pageDeps();
  return {
    market: { ...deps.market, snapshot: breaks, find: breaks, ofMint: breaks },
    tokens: { ...deps.tokens, search: breaks, table: breaks },
    site: { ...deps.site, passport: breaks, round: breaks, pauses: breaks },
  };
}

async function visit(url: string, changes: Partial<ApiDeps> = {}) {
  site = buildSite(OPEN, changes);
  return await site.app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml' } });
}

type Answer = Awaited<ReturnType<typeof visit>>;

/** In the house's frame, with the way to /status, and with nothing of another host or of the inside. */
function expectHousePage({ headers, body }: Answer): void {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'/);
  expect(body).toContain('<header class="top">');
  expect(body).toMatch(/<footer class="foot">.*<a href="\/status">Status<\/a>/);
  expect(body).toMatch(/<link rel="stylesheet" href="\/[^/"]/);
  const loaded = [...body.matchAll(/<(?:link|script|img|iframe|source)\b[^>]*?(?:src|href)="([^"]*)"/g)];
  expect(loaded.map(([, address]) => address).filter((address) => !/^\/[^/]/.test(address ?? ''))).toEqual(
    [],
  );
  expect(body).not.toMatch(/SELECT|secret|node_modules|\.ts:\d|\bat \w+ \(/);
}

describe('a page that cannot be shown', () => {
  it.each(['/', '/search?q=pup', `/token/${MINT}`, `/market/${MINT}`, `/games/${ROUND}`])(
    'is a 500 of the house where something broke: %s',
    async (url) => {
      const answer = await visit(url, brokenDeps());
      expect(answer.statusCode).toBe(500);
      expectHousePage(answer);
      expect(answer.body).toContain(String(answer.headers['x-request-id']));
    },
  );

  it.each([
    '/nothing-here',
    '/market',
    '/games',
    '/search/more',
    '/status/more',
    `/token/${MINT}`,
    `/market/${MINT}`,
    `/games/${ROUND}`,
    '/nothing/%3Cscript%3Ealert(1)%3C/script%3E',
  ])('is a 404 of the house where nothing is: %s', async (url) => {
    const answer = await visit(url);
    expect(answer.statusCode).toBe(404);
    expectHousePage(answer);
    expect(answer.body).not.toContain('<script>alert');
  });
});
