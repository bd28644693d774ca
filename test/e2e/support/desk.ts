import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createRestTrader, type RestTrader } from '../../../scripts/tour/rest-swap.ts';
import { freePort } from '../../support/free-port.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { openPage, type Watch } from './browser.ts';
import { type Chain, readChain } from './chain.ts';

/** The program in a fresh folder and a browser on its chat page. */
export type Desk = {
  readonly page: Page;
  readonly watch: Watch;
  readonly chain: Chain;
  /** Where the pages for people are. */
  readonly siteUrl: string;
  /** Somebody rich who trades by REST, so that prices move. */
  readonly market: () => Promise<RestTrader>;
  /** Ends the program, starts it again on the same folder and waits until the page is back. */
  readonly restart: (how: 'stop' | 'kill') => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Finality, which rewards wait for, comes after 3 seconds instead of 13. */
// A browser that a program drives clicks faster than a thumb.
const SLOTS = { LOCALNET_SLOT_MS: '100', CHAT_UPDATES: '1000' } as const;

export async function startDesk(): Promise<Desk> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-e2e-'));
  // Its own ones, so that the open page finds it again after a restart: a port that the system chose is anybody's meanwhile.
  const settings = {
    ...SLOTS,
    CHAT_PORT: String(await freePort()),
    LOCALNET_PORT: String(await freePort()),
    API_PORT: String(await freePort()),
  };
  let program: Program = await startProgram(dir, settings);
  const { page, watch, close } = await openPage(program.run.chatUrl);
  return {
    page,
    watch,
    chain: readChain(program.run.rpcUrl),
    siteUrl: program.run.openApiUrl,
    market: () => createRestTrader(program.run, 500_000_000_000n),
    restart: async (how) => {
      watch.expectOutage();
      await program[how]();
      const isBack = page.waitForEvent('load', { timeout: 60_000 });
      program = await startProgram(dir, settings);
      // A new program has a new page token: the page notices and loads itself again.
      await isBack;
      await page.getByRole('note').waitFor();
      watch.outageIsOver();
    },
    close: async () => {
      await close();
      await program.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
