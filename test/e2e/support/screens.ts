import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { phoneOf, takeUp } from './phone.ts';

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

/** Writes somebody's chat as a desktop and as a phone show it; nothing may be wider than the phone. */
export function shotsOf(page: Page, person: string): (name: string) => Promise<void> {
  return async (name) => {
    await screen(name, phoneOf(page, person).screen);
    const before = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await takeUp(page, person);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await screen(`${name}-narrow`, page);
    await page.setViewportSize(before);
    await page.getByRole('button', { name: 'Workbench', exact: true }).click();
  };
}
