import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { NO_TOKEN_POWERS, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import type { Passport } from '../../src/modules/passport/rules/passport.ts';
import { createCharts } from '../../src/platform/pictures/create-charts.ts';
import { type MarketRig, NOW, openMarketRig } from '../api/market-rig.ts';
import { pageDeps } from '../api/page-deps.ts';
import { newMarkets, tradeAt } from '../support/tape-rows.ts';
import { describeInBrowser, openPage } from './support/browser.ts';
import { ninetyDays } from './support/ninety-days.ts';
import { screen } from './support/screens.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Whatever axe-core finds, in words. The policy of the page does not bind what the test puts in. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return await page.evaluate(async () => {
    type Found = { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] };
    const { axe: engine } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: Found[] }> };
    };
    const { violations } = await engine.run();
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)} ${failureSummary}`,
      ),
    );
  });
}

/** At both widths, in both colours: nothing sticks out, nothing shuts anybody out. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [width, size] of [
      ['', WIDE],
      ['-narrow', NARROW],
    ] as const) {
      await page.setViewportSize(size);
      await page.waitForTimeout(300);
      await screen(`${name}${colorScheme === 'dark' ? '-dark' : ''}${width}`, page.locator('body'));
      expect(await findings(page), `${name} ${colorScheme} ${size.width}`).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overhang, `${name} at 360 px`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(WIDE);
}

/** A day of trades that go up and down, as a small token has them. */
async function liveDay(rig: MarketRig, market: Market, from: number): Promise<void> {
  let price = from;
  const trades = Array.from({ length: 480 }, (_, n) => {
    price *= 1 + (Math.sin(n / 11) + Math.sin(n / 3.7) * 1.4 + Math.cos(n * 1.7)) / 120;
    const base = BigInt(Math.round(4e8 + 3e8 * Math.sin(n * 2.1)));
    return tradeAt(market.id, NOW - 86_000 + n * 179, {
      index: market.id,
      side: Math.sin(n * 1.3) > -0.1 ? 'buy' : 'sell',
      base,
      quote: BigInt(Math.round(Number(base) * price)),
    });
  });
  await rig.tape.append({ trades, live: [] });
}

describeInBrowser('The pages of markets', () => {
  let rig: MarketRig;
  let market: Market;
  let url = '';
  beforeAll(async () => {
    rig = await openMarketRig();
    const [pup, ...others] = await newMarkets(rig.markets, ['PUP', 'MOON', 'CAT', 'BONKER', 'NEW']);
    if (pup === undefined) throw new Error('no market');
    market = pup;
    await liveDay(rig, market, 1.5);
    for (const [index, other] of others.slice(0, 3).entries()) await liveDay(rig, other, 0.012 / 40 ** index);
    rig.dollars.push(market.quoteMint);
    await rig.markets.saveLooks(
      [market, ...others.slice(0, 3)].map(({ id }, index) => ({
        marketId: id,
        quote: 30_000_000_000n,
        mid: index === 0 ? 1.5 : 0.012 / 40 ** (index - 1),
        at: NOW * 1_000,
      })),
    );
    await rig.mint(market.baseMint, 'PUP', 'Puppy');
    rig.offer(market, curve(market).quote, curve(market).spot);
    const { deps } = pageDeps();
    const charts = createCharts({ now: () => NOW * 1_000 });
    const frame = {
      ...deps.frame,
      isPlayMoney: true,
      botUrl: (payload: string) => `https://t.me/tradepost_bot${payload === '' ? '' : `?start=${payload}`}`,
      transactionUrl: (signature: string) => `https://explorer.solana.com/tx/${signature}`,
    };
    const app = rig.host(undefined, {
      frame,
      site: {
        ...deps.site,
        charts,
        passport: async () => passportOf(market),
        history: async () => ninetyDays(NOW * 1_000),
      },
    });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => rig?.close());

  it('shows a market that moves after a trade, without a reload, a message or a foreign request', async () => {
    const { page, watch, close } = await openPage(`${url}/market/${market.address}`);
    try {
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      const last = () => page.locator('#chart').getAttribute('data-last');
      await expect.poll(last, { timeout: 20_000 }).toMatch(/^\d/);
      expect(Number(await page.locator('#chart').getAttribute('data-bars'))).toBeGreaterThan(60);
      expect(await page.locator('#chart canvas').count()).toBeGreaterThan(0);
      await look(page, 'market');

      await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
      await rig.tape.append({
        trades: [tradeAt(market.id, NOW - 1, { base: 100_000_000n, quote: 321_000_000n, index: 3 })],
        live: [],
      });
      rig.advance(2);
      await expect
        .poll(() => page.locator('#head .price').textContent(), { timeout: 20_000 })
        .toContain('3.21');
      await expect.poll(last, { timeout: 20_000 }).toBe('3.21');
      expect(await page.locator('#trades tbody tr').first().textContent()).toContain('3.21');
      expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);

      await page.getByRole('button', { name: '1h', exact: true }).click();
      await expect.poll(() => page.locator('#chart').getAttribute('data-bars')).toBe('24');
      expect(messages).toEqual([]);
      expect(watch.problems).toEqual([]);
    } finally {
      await close();
    }
  });

  it('shows a token with its price, who holds it and who can still change it', async () => {
    const { page, watch, close } = await openPage(`${url}/token/${market.baseMint}`);
    try {
      await page.locator('#chart[data-bars]').waitFor();
      const text = await page.locator('main').innerText();
      expect(text).toMatch(/Who can still change it[\s\S]*Freezing[\s\S]*can freeze the accounts of holders/);
      expect(text).toMatch(/Holders\s+7[\s\S]*Top 10 hold\s+25 %/);
      await look(page, 'token');
      expect(watch.problems).toEqual([]);
    } finally {
      await close();
    }
  });

  it('tells somebody who is lost so in the same look', async () => {
    const { page, close } = await openPage(`${url}/market`);
    try {
      expect(await page.locator('main').innerText()).toContain('There is nothing here');
      await look(page, 'nothing-here');
    } finally {
      await close();
    }
  });

  it('remembers the colours that were chosen', async () => {
    const { page, watch, close } = await openPage(url);
    try {
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await ground();
      await page.getByRole('button', { name: 'Switch to dark colours' }).click();
      expect(await ground()).not.toBe(before);
      await page.goto(`${url}/market/${market.address}`);
      expect(await ground()).toBe('rgb(12, 16, 23)');
      expect(watch.problems).toEqual([]);
    } finally {
      await close();
    }
  });

  it('is readable without JavaScript', async () => {
    const { page, close } = await openPage('about:blank');
    try {
      const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
      const plain = await context?.newPage();
      await plain?.goto(`${url}/market/${market.address}`);
      const text = await plain?.locator('main').innerText();
      expect(text).toMatch(/PUP\/USDX[\s\S]*24 h volume[\s\S]*Last trades[\s\S]*Buy/);
      const picture = plain?.locator('#chart img');
      expect(await picture?.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1_280);
      await plain?.goto(url);
      expect(await plain?.locator('#markets tbody tr').count()).toBe(5);
    } finally {
      await close();
    }
  });

  it('weighs at most 100 kB before the chart library and 300 kB with it', async () => {
    const { page, close } = await openPage('about:blank');
    try {
      const sizes = new Map<string, number>();
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Network.enable');
      const paths = new Map<string, string>();
      cdp.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, response.url));
      cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        sizes.set(paths.get(requestId) ?? requestId, encodedDataLength);
      });
      await page.goto(`${url}/market/${market.address}`);
      await page.locator('#chart[data-bars]').waitFor();
      const all = [...sizes].reduce((sum, [, size]) => sum + size, 0);
      const library = [...sizes].find(([path]) => path.endsWith('/lightweight-charts.js'))?.[1] ?? 0;
      expect(library).toBeGreaterThan(10_000);
      expect(all - library).toBeLessThanOrEqual(100_000);
      expect(all).toBeLessThanOrEqual(300_000);
    } finally {
      await close();
    }
  });

  it('shows home, search, docs and what is not there, each fit to be read by everybody', async () => {
    const { page, watch, close } = await openPage(url);
    try {
      await look(page, 'home');
      await page.setViewportSize(NARROW);
      const top = page.locator('header.top > div');
      expect((await top.boundingBox())?.height).toBeLessThanOrEqual(72);
      const menu = page.locator('.menu > summary');
      expect((await menu.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await menu.click();
      for (const link of await page.locator('.menu a').all())
        expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await screen('menu-narrow', page);
      await page.setViewportSize(WIDE);
      await page.goto(`${url}/search?q=pup`);
      await look(page, 'search');
      await page.goto(`${url}/status`);
      await look(page, 'status');
      await page.goto(`${url}/docs`);
      await page.setViewportSize(WIDE);
      expect(await findings(page)).toEqual([]);
      await screen('docs', page);
      await page.goto(`${url}/docs/quickstart`);
      expect(await findings(page)).toEqual([]);
      await page.goto(`${url}/docs/reference/createSwapTransaction`);
      expect(await findings(page)).toEqual([]);
      await screen('docs-reference', page);
      expect(watch.problems).toEqual([]);
      watch.expectOutage();
      await page.goto(`${url}/nothing`);
      expect(await findings(page)).toEqual([]);
      await screen('not-found', page.locator('body'));
    } finally {
      await close();
    }
  });
});

/** Made here, launched on a curve, with one power kept. */
function passportOf({ baseMint, address }: Market): Passport {
  const created = {
    signature: '5j7s6NiJS3JAkvgkoc18WVAsiSaci2pxB2A6ueCJP4tprA2TFg9wSyTLeYouxPBJEMzJinENTkpA52YStRW5Dia7',
    at: NOW * 1_000,
  };
  const token = {
    mint: baseMint,
    tokenProgram: TOKEN_2022_PROGRAM,
    decimals: 6,
    supply: 1_000_000_000_000n,
    name: 'Puppy',
    symbol: 'PUP',
    mintAuthority: null,
    freezeAuthority: address,
    extensions: NO_TOKEN_POWERS,
  };
  return {
    record: { token, slot: 400_000_123n, metadata: null, feeCollector: null, interest: null, pauser: null },
    level: 'CAREFUL',
    authorities: {
      mint: { holder: null, revoked: created },
      freeze: { holder: address, revoked: null },
      update: { holder: null, revoked: created },
    },
    metadata: { kind: 'token-2022', uri: 'https://desk.example/metadata/pup.json', updateAuthority: null },
    document: {
      sha256: 'ab'.repeat(32),
      description: 'A small dog that lives on a local chain.',
      links: [{ name: 'website', url: 'https://pup.example' }],
      picture: null,
    },
    powers: [{ code: 'TRANSFER_FEE', holder: null, bps: 250, nextBps: null }],
    origin: {
      creator: address,
      hasBadge: false,
      created,
      uri: '',
      metadataHash: null,
      revocations: { mint: created },
      launch: null,
      otherTokens: [{ mint: address, symbol: 'MOON', name: 'Moon Coin' }],
    },
    launch: { pad: 'Desk Curve', percent: 42, graduated: false },
  };
}

type Curve = Parameters<MarketRig['offer']>;

/** A pool of 20,000 tokens against as many dollars as its price says, with a fee of 0.3 %. */
function curve(market: Market): { readonly quote: Curve[1]; readonly spot: Curve[2] } {
  const [base, quote] = [20_000_000_000n, 30_000_000_000n];
  const sides = (mintIn: string) =>
    (mintIn === market.baseMint ? [base, quote] : [quote, base]) as [bigint, bigint];
  return {
    quote: (mintIn, amount) => {
      const [from, to] = sides(mintIn);
      const paid = (amount * 997n) / 1_000n;
      return (to * paid) / (from + paid);
    },
    spot: (mintIn) => {
      const [from, to] = sides(mintIn);
      return { numerator: to * 997n, denominator: from * 1_000n };
    },
  };
}
