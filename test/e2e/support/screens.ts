import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const folder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url));

const WAIT = { timeout: 10_000 };

/** Writes `docs/screens/<name>.png` when UPDATE_SCREENS=1; else does nothing, so that a test run leaves the tree clean. */
export async function screen(name: string, what: Page | Locator): Promise<void> {
  if (process.env['UPDATE_SCREENS'] !== '1') return;
  // A notice from a moment ago would hide a part of the chat, and what the pointer rests on looks pressed.
  await expect.poll(async () => (await what.getByRole('status').allTextContents()).join(''), WAIT).toBe('');
  await ('mouse' in what ? what : what.page()).mouse.move(0, 0);
  await what.screenshot({ path: `${folder}${name}.png`, animations: 'disabled', caret: 'hide' });
}
