import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage, type Watch } from './browser.ts';
import { type Chain, readChain } from './chain.ts';
import { type Program, startProgram } from './program.ts';

/** The program in a fresh folder and a browser on its chat page. */
export type Desk = {
  readonly page: Page;
  readonly watch: Watch;
  readonly chain: Chain;
  /** Ends the program, starts it again on the same folder and waits until the page is back. */
  readonly restart: (how: 'stop' | 'kill') => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startDesk(): Promise<Desk> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-e2e-'));
  let program: Program = await startProgram(dir);
  const { page, watch, close } = await openPage(program.chatUrl);
  return {
    page,
    watch,
    chain: readChain(program.rpcUrl),
    restart: async (how) => {
      watch.expectOutage();
      await program[how]();
      const isBack = page.waitForEvent('load', { timeout: 60_000 });
      program = await startProgram(dir, program);
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
