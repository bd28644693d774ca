import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors/app-error.ts';
import { CHECK_SCRIPT } from '../../src/modules/games/pages/script.ts';
import { settledRound, siteOfRound } from './settled-round.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const { id: ID } = settledRound();

/** The page's script over the fields that the page shows, as a browser would run it. */
function verdictOf(html: string, change: Readonly<Record<string, string>> = {}): string {
  const fields = [...html.matchAll(/<input id="(\w+)" value="([^"]*)"/g)].map(
    ([, id = '', value = '']) => [id, { value: change[id] ?? value }] as const,
  );
  const verdict = { textContent: '', className: '' };
  const byId = new Map<string, object>([
    ...fields,
    ['verdict', verdict],
    ['again', { addEventListener: () => undefined }],
  ]);
  const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '';
  runInNewContext(script, {
    document: { getElementById: (id: string) => byId.get(id) ?? null },
    TextEncoder,
  });
  return `${verdict.className}: ${verdict.textContent}`;
}

const get = async (round: Parameters<typeof siteOfRound>[0], name = ID) =>
  siteOfRound(round).inject({ method: 'GET', url: `/games/${name}` });

describe('the page of a round', () => {
  it('computes in the browser that a fair round was fair, whatever the seed', async () => {
    for (const index of [0, 1]) {
      for (let i = 0; i < 8; i += 1) {
        const answer = await get(settledRound(index));
        expect(answer.statusCode).toBe(200);
        expect(verdictOf(answer.body)).toMatch(/^level OK: Everything follows from the commitment/);
      }
    }
  });

  it('says so when the chat showed another commitment, or seed, choice, rules or payout do not fit', async () => {
    const { body } = await get(settledRound(1, 'ab'.repeat(32)));
    expect(verdictOf(body)).toMatch(/^level OK/);
    for (const change of [
      { commitment: 'ab'.repeat(32) },
      { seed: 'cd'.repeat(32) },
      { round: '01JTESTROUND0000000000000B' },
      { table: 'wheel-2' },
      { payout: '51' },
      { pays: '0 0' },
    ]) {
      expect(verdictOf(body, change), JSON.stringify(change)).toMatch(
        /^level BLOCK: THIS ROUND WAS NOT FAIR/,
      );
    }
    expect(verdictOf(body, { seed: 'x' })).toMatch(/^level BLOCK: Expected a seed/);
  });

  it('hashes as everybody does, at every length around a block', () => {
    const context: { out?: (text: string) => string } = {};
    runInNewContext(
      `${CHECK_SCRIPT};this.out = sha256`,
      Object.assign(context, { document: { getElementById: () => null }, TextEncoder }),
    );
    for (let length = 0; length <= 130; length += 1) {
      const text = 'é'.repeat(length % 3) + 'a'.repeat(length);
      expect(context.out?.(text)).toBe(sha256(text));
    }
  });

  it('shows the commitment alone before the bet is settled, and nobody’s name at any time', async () => {
    const settled = settledRound();
    const open = await get({ ...settled, bet: null, result: null });
    expect(open.body).toContain(settled.commitment);
    expect(open.body).not.toContain('<script');
    expect(open.headers['cache-control']).toBe('public, max-age=0');
    const started = await get({ ...settled, result: null });
    expect(started.body).not.toContain(settled.result?.seed);
    for (const { body } of [open, started, await get(settled)]) expect(body).not.toContain(settled.userId);
  });

  it('runs its own script only, and can ask nobody', async () => {
    const { headers, body } = await get(settledRound());
    const script = /<script>([\s\S]*)<\/script>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = `${headers['content-security-policy']}`;
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(body.match(/<script/g)).toHaveLength(1);
    // Links to read on, a style and a mark of this host: no other file, and no connection.
    expect(body).not.toMatch(/\bon\w+="|src=|href="https?:/);
    expect(policy).not.toMatch(/connect-src|script-src 'self'|unsafe/);
  });

  it('escapes what stands in a row', async () => {
    const { body } = await get({
      ...settledRound(),
      bet: null,
      result: null,
      table: '"><script>alert(1)</script>',
    });
    expect(body).not.toContain('<script>');
    expect(body).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('answers names that are no round, rounds that are not there and a database that is away', async () => {
    expect((await get(null, 'x')).statusCode).toBe(400);
    expect((await get(null, '%3Cscript%3E')).statusCode).toBe(400);
    expect((await get(null)).statusCode).toBe(404);
    const away = () => Promise.reject(new AppError('DATABASE_UNREACHABLE', { cause: 'x' }));
    expect((await get(away)).statusCode).toBe(503);
  });
});
