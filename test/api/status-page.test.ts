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
        tradingFigures: async () => ({ sources: [], verdicts: [] }),
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

  it('shows each part day by day, in words and by its kind; a day that was not measured has no data', async () => {
    const { deps } = pageDeps();
    const days = [
      { part: 'database', day: '2023-11-12', measured: 1_440, down: 0 },
      { part: 'database', day: '2023-11-13', measured: 1_440, down: 5 },
      { part: 'database', day: '2023-11-14', measured: 700, down: 0 },
      { part: 'signer', day: '2023-11-13', measured: 1_440, down: 61 },
    ];
    const { body, text } = await look('/status', {
      site: { ...deps.site, history: async () => ({ days, incidents: [] }) },
    });
    const bars = [...body.matchAll(/<ol aria-label="([^"]+), day by day">(.*?)<\/ol>/gs)];
    expect(bars.map(([, name]) => name)).toEqual(['Database', 'Queue of jobs', 'Signer']);
    for (const [, , bar = ''] of bars) expect(bar.match(/<li /g)).toHaveLength(90);
    expect(body).toContain('<li class="day some" title="2023-11-13: down in 5 minutes of 1,440 minutes">');
    expect(body).toContain('<li class="day bad" title="2023-11-13: down in 61 minutes of 1,440 minutes">');
    expect(body).toContain(
      '<li class="day none" title="2023-11-11: no data"><span class="unseen">2023-11-11: no data<',
    );
    expect(text).toContain('2023-11-12: no fault');
    expect(text).toContain('2023-11-14: no fault in the 700 minutes that were measured');
    expect(text).toMatch(/Database Answered in 99\.86 % .*Queue of jobs Nothing was measured yet\./);
    // Without a word of its own no day is green.
    expect(bars[1]?.[2]).not.toMatch(/whole|thin/);
  });

  it('shows incidents as text, newest first, with their parts, their notes and whether they go on', async () => {
    const { deps } = pageDeps();
    const at = Date.UTC(2023, 10, 14, 12);
    const incidents = [
      {
        id: 'b',
        title: '<b>Slow</b>',
        parts: ['trading', 'chain'],
        openedAt: at,
        closedAt: null,
        notes: [{ at, text: 'A node is <i>late</i>.' }],
      },
      {
        id: 'a',
        title: 'Mails late',
        parts: [],
        openedAt: at - 7_200_000,
        closedAt: at - 3_600_000,
        notes: [],
      },
    ] as const;
    const { text } = await look('/status', {
      site: { ...deps.site, history: async () => ({ days: [], incidents }) },
    });
    expect(text).toMatch(
      /Incidents &lt;b&gt;Slow&lt;\/b&gt; ! goes on 2023-11-14 12:00 UTC · Trading, Connection to the chain 2023-11-14 12:00 UTC A node is &lt;i&gt;late&lt;\/i&gt;\. Mails late ✓ over 2023-11-14 10:00 UTC to 2023-11-14 11:00 UTC/,
    );
    // Everything answers, but the first thing that is read may not say that all is well.
    expect(text).toMatch(
      /Does it work\? Every part answers, but an incident goes on\. ! an incident goes on/,
    );
    const over = incidents.filter(({ closedAt }) => closedAt !== null);
    const later = await look('/status', {
      site: { ...deps.site, history: async () => ({ days: [], incidents: over }) },
    });
    expect(later.text).toContain('✓ everything answers');
    expect((await look('/status')).text).toContain('The operator has told of none in 90 days');
  });

  it('answers in an outage of the database, and says that its history cannot be read', async () => {
    const { deps } = pageDeps();
    const { statusCode, text } = await look('/status', {
      health: { database: () => Promise.reject(new Error('away')) },
      site: { ...deps.site, history: async () => null },
    });
    expect([statusCode, text.match(/They cannot be read just now/g)?.length]).toEqual([200, 2]);
    expect(text).toContain('Database ✕ does not answer');
  });

  it('shows whose price was best and how often others traded around a trade, by sender', async () => {
    const { deps } = pageDeps();
    const look30 = (tradingFigures: ApiDeps['site']['tradingFigures']) =>
      look('/status', { site: { ...deps.site, tradingFigures } });
    const { text } = await look30(async () => ({
      sources: [
        { pairClass: 'major', source: 'own', offers: 1_200, wins: 300, failures: 0, medianGainBps: 2 },
        { pairClass: 'major', source: 'raydium', offers: 1_200, wins: 900, failures: 7, medianGainBps: 14 },
      ],
      verdicts: [
        { sender: 'nodes', certainty: 'none', trades: 90 },
        { sender: 'nodes', certainty: 'likely', trades: 4 },
        { sender: 'nodes', certainty: 'sure', trades: 6 },
        { sender: 'jito', certainty: 'not-known', trades: 3 },
      ],
    }));
    expect(text).toMatch(/Major Our own router 25\.0% 1,200 0\.02% 0 Major Raydium 75\.0% 1,200 0\.14% 7/);
    expect(text).toMatch(/Jito n\/a 0 0 0 3 Nodes, without a tip 10\.0% 6 4 100 0/);
    await site?.app.close();
    // Neither figures without counts nor a database that does not answer leave an empty table.
    for (const none of [
      async () => ({ sources: [], verdicts: [] }),
      () => Promise.reject(new Error('down')),
    ]) {
      const { statusCode, body } = await look30(none);
      expect(statusCode).toBe(200);
      expect(body).not.toMatch(/price was best|before and after/);
      await site?.app.close();
    }
  });

  it('is led to from every page, and leads to what programs ask', async () => {
    for (const url of ['/', '/docs', '/search', '/nothing-here'])
      expect((await look(url)).body).toContain('<a href="/status">Status</a>');
    const { body } = await look('/status');
    expect(body).toContain('href="/health"');
    expect(body).toContain('href="/status.json"');
    expect((await site?.app.inject({ url: '/status.json' }))?.statusCode).toBe(200);
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
