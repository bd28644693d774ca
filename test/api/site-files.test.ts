import { afterEach, describe, expect, it } from 'vitest';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { buildSite, OPEN } from './build-site.ts';

let site: ReturnType<typeof buildSite>;
const open = (options: Parameters<typeof buildSite>[1] = {}) => {
  site = buildSite(OPEN, options);
  return site;
};
afterEach(() => site.app.close());
const text = (words: string) => new TextEncoder().encode(words);
const pathOf = (uri: string): string => new URL(uri).pathname;

describe('stored documents and pictures', () => {
  it('are served byte for byte, for ever, to any page, and can run nothing', async () => {
    const { app, metadata } = open();
    const document = '{"name":"<script>alert(1)</script>"}';
    const { uri } = await metadata.put('json', text(document));
    const answer = await app.inject({ url: pathOf(uri) });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(document);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
  });

  it('are pictures under /images only', async () => {
    const { app, metadata } = open();
    const { uri, sha256 } = await metadata.put('jpg', new Uint8Array([255, 216, 255, 1]));
    const answer = await app.inject({ url: pathOf(uri) });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect([...answer.rawPayload]).toEqual([255, 216, 255, 1]);
    expect((await app.inject({ url: `/metadata/${sha256}.jpg` })).statusCode).toBe(404);
  });

  it('answer HEAD and a repeated question without their bytes', async () => {
    const { app, metadata } = open();
    const { uri } = await metadata.put('json', text('{"a":1}'));
    const head = await app.inject({ method: 'HEAD', url: pathOf(uri) });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '7']);
    const again = await app.inject({
      url: pathOf(uri),
      headers: { 'if-none-match': String(head.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each([
    '/metadata/abc.json',
    `/metadata/${'a'.repeat(64)}.json`,
    `/metadata/${'A'.repeat(64)}.json`,
    `/images/${'a'.repeat(64)}.svg`,
    '/images/..%2f..%2fpackage.json',
    `/metadata/${'a'.repeat(64)}.json%00.png`,
  ])('are not there: %s', async (url) => {
    const { app } = open();
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(404);
    expect(answer.json<{ error: { code: string } }>().error.code).toBe('NOT_FOUND');
    expect(answer.headers['cache-control'] ?? '').not.toMatch(/immutable/);
  });

  it('are limited per address, with an allowance of their own', async () => {
    const { app, metadata, advance } = open();
    const { uri } = await metadata.put('json', text('{}'));
    const statuses = await Promise.all(
      Array.from({ length: 110 }, async () => (await app.inject({ url: pathOf(uri) })).statusCode),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await app.inject({ url: '/docs' })).statusCode).toBe(200);
    advance(1_000);
    expect((await app.inject({ url: pathOf(uri) })).statusCode).toBe(200);
  });

  it('stand on the open host alone', async () => {
    site = buildSite({ kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() });
    const { uri } = await site.metadata.put('json', text('{}'));
    expect((await site.app.inject({ url: pathOf(uri) })).statusCode).toBe(404);
  });
});

describe('files that robots and people look for', () => {
  it('tells robots what is not for them, and browsers the mark', async () => {
    const { app } = open();
    const robots = await app.inject({ url: '/robots.txt' });
    expect([robots.statusCode, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(robots.body).toContain('Disallow: /search');
    const icon = await app.inject({ url: '/favicon.ico' });
    expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(icon.body).toContain('<svg');
  });

  it('names a contact and an end of its own words', async () => {
    const limits = { perSecond: 1, perMinute: 9, blocks: 'v1', contact: 'desk@example.org' } as const;
    const { app } = open({ orderBookLimits: limits });
    const { body } = await app.inject({ url: '/.well-known/security.txt' });
    expect(body).toContain('Contact: mailto:desk@example.org\n');
    const [, expires = ''] = /^Expires: (\S+)$/m.exec(body) ?? [];
    const days = (Date.parse(expires) - 1_700_000_000_000) / 86_400_000;
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
    expect(body).toContain('Canonical: https://desk.example/.well-known/security.txt');
  });

  it('names nothing where the operator named nobody', async () => {
    const { app } = open();
    expect((await app.inject({ url: '/.well-known/security.txt' })).statusCode).toBe(404);
  });
});
