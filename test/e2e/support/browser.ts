import { existsSync } from 'node:fs';
import { type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { describe, it } from 'vitest';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Chromium itself must not reach the network either; `--no-sandbox` because CI runs as root. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
];

/** Tests that need a browser: skipped with a sentence where there is none, unless REQUIRE_ALL=1 says that there must be one. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (existsSync(executablePath)) {
    describe(name, tests);
    return;
  }
  const missing = `no Chromium at ${executablePath}: install it (Debian: apt install chromium) or set CHROMIUM_PATH`;
  if (process.env['REQUIRE_ALL'] === '1') {
    it(name, () => {
      throw new Error(`REQUIRE_ALL=1, but there is ${missing}.`);
    });
  } else describe.skip(`${name}: skipped, ${missing}`, tests);
}

/** What went wrong in the page that nobody meant to go wrong. */
export type Watch = {
  readonly problems: readonly string[];
  /** The program is about to be stopped or killed: the two errors that this causes are meant until it is back. */
  readonly expectOutage: () => void;
  /** Everything counts again. */
  readonly outageIsOver: () => void;
};

/**
 * A page on the program's chat. Each uncaught error, console error (a blocked script or style is one) and request to anything
 * but this machine is a problem; the request is also stopped.
 */
export async function openPage(chatUrl: string): Promise<{
  readonly page: Page;
  readonly watch: Watch;
  readonly close: () => Promise<void>;
}> {
  const browser = await chromium.launch({ executablePath, args, headless: true });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const problems: string[] = [];
  let isOutage = false;
  await context.route('**/*', (route) => {
    const { hostname } = new URL(route.request().url());
    if (['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return route.continue();
    problems.push(`request beyond this machine: ${route.request().url()}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    if (isOutage && isMeant(message)) return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  await page.goto(chatUrl);
  return {
    page,
    watch: {
      problems,
      expectOutage: () => {
        isOutage = true;
      },
      outageIsOver: () => {
        isOutage = false;
      },
    },
    close: () => browser.close(),
  };
}

/** The page tries again on its own, so an outage shows in the console and nowhere else. */
function isMeant(message: ConsoleMessage): boolean {
  const text = message.text();
  // One: nobody listens, or what was under way broke off.
  if (
    /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/.test(text)
  ) {
    return true;
  }
  // Two: the new program refuses the old page's token, which is how the page learns that it must load again.
  return text.includes('status of 403') && new URL(message.location().url).pathname === '/sim/events';
}
