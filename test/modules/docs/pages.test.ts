import { describe, expect, it } from 'vitest';
import { routesOf } from '../../../src/compose/routes.ts';
import { GUIDES } from '../../../src/modules/docs/api/guides.ts';
import { fieldsOf } from '../../../src/modules/docs/rules/fields.ts';
import { readMarkdown, readSpans } from '../../../src/modules/docs/rules/markdown.ts';
import { buildSite, OPEN } from '../../api/build-site.ts';
import { fakeApiLimiter } from '../../support/fakes/api-limiter.ts';

const MOST_BYTES = 200_000;
const PRO = {
  kind: 'pro',
  checkKey: async () => ({ kind: 'unknown' }) as const,
  limiter: fakeApiLimiter(),
} as const;

describe.each([
  ['open', OPEN],
  ['pro', PRO],
] as const)('the documentation of the %s host', (kind, host) => {
  const { app } = buildSite(host);
  const routes = routesOf(kind);

  it('has a page for each guide and each operation, of at most 200 kB, whose links lead somewhere', async () => {
    const pages = [
      '/docs',
      ...GUIDES.map(({ name }) => `/docs/${name}`),
      ...routes.map(({ operationId }) => `/docs/reference/${operationId}`),
    ];
    const links = new Set<string>();
    for (const url of pages) {
      const answer = await app.inject({ url });
      expect([url, answer.statusCode]).toEqual([url, 200]);
      expect(answer.headers['content-type']).toContain('text/html');
      expect(Buffer.byteLength(answer.body), url).toBeLessThan(MOST_BYTES);
      for (const [, href = ''] of answer.body.matchAll(/href="(\/docs[^"#]*)/g)) links.add(href);
      // A screen reader lists regions by name.
      const names = [...answer.body.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, name]) => name);
      expect([url, new Set(names).size]).toEqual([url, names.length]);
    }
    for (const url of links) expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 200]);
    expect(links.size).toBeGreaterThan(pages.length);
  });

  it('names each field that a request takes and an answer has, and each code', async () => {
    const { body } = await app.inject({ url: '/docs/reference/createSwapTransaction' });
    for (const text of ['userWalletAddress', 'slippageBps', 'data.fees.referrerFee', 'data.submitToken'])
      expect(body).toContain(`<td><code>${text}</code></td>`);
    for (const code of ['NO_ROUTE', 'INSUFFICIENT_LAMPORTS']) expect(body).toContain(`<code>${code}</code>`);
    expect(body).toContain('Default: 500.');
  });

  it('is there for programs: llms.txt links to all of it, and each guide has its Markdown', async () => {
    const llms = await app.inject({ url: '/llms.txt', headers: { origin: 'https://other.example' } });
    expect(llms.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(llms.headers['access-control-allow-origin']).toBe('*');
    for (const [, href = ''] of llms.body.matchAll(/\]\((\/[^)]+)\)/g))
      expect([href, (await app.inject({ url: href })).statusCode]).toEqual([href, 200]);
    for (const { operationId } of routes) expect(llms.body).toContain(`/docs/reference/${operationId})`);
    const guide = await app.inject({ url: '/docs/errors.md' });
    expect(guide.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(guide.body).toMatch(/^# Errors\n/);
  });

  it.each([
    '/docs/none',
    '/docs/none.md',
    '/docs/..%2fpages',
    '/docs/reference/none',
    '/docs/reference/toString',
  ])('has nothing at %s', async (url) => {
    const answer = await app.inject({ url });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
});

describe('a guide is read', () => {
  it('by its blocks', () => {
    const text =
      '# A\n\nOne\ntwo.\n\n- x\n  more\n- y\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\n# no heading\n\n- none\n```\n';
    expect(readMarkdown(text)).toEqual([
      { kind: 'heading', level: 1, text: 'A' },
      { kind: 'paragraph', text: 'One two.' },
      { kind: 'list', items: ['x more', 'y'] },
      { kind: 'table', head: ['a', 'b'], rows: [['1', '2']] },
      { kind: 'code', language: 'sh', text: '# no heading\n\n- none\n' },
    ]);
  });

  it('by its spans, and a link leads here or to https alone', () => {
    expect(readSpans('a `b*c` **d** [e](/docs) [f](javascript:x)')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'code', text: 'b*c' },
      { kind: 'text', text: ' ' },
      { kind: 'strong', text: 'd' },
      { kind: 'text', text: ' ' },
      { kind: 'link', text: 'e', href: '/docs' },
      { kind: 'text', text: ' [f](javascript:x)' },
    ]);
  });

  it('fields of lists, references and alternatives are named by where they stand', () => {
    const schemas = {
      One: { type: 'object', properties: { x: { type: ['string', 'null'] } }, required: ['x'] },
    };
    const schema = {
      properties: {
        list: { type: 'array', items: { $ref: '#/components/schemas/One' } },
        kind: { enum: ['a', 'b'], default: 'a', description: 'which' },
      },
    };
    expect(fieldsOf(schema, schemas)).toEqual([
      { name: 'list', type: 'list of object', isRequired: false, description: '' },
      { name: 'list[].x', type: 'string | null', isRequired: true, description: '' },
      { name: 'kind', type: '"a" | "b"', isRequired: false, description: 'which Default: "a".' },
    ]);
  });
});
