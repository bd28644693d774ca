import type { Locator, Page } from 'playwright-core';

/** One person's phone, used as a person uses it: by what is written on it. */
export type Phone = {
  readonly screen: Locator;
  /** Opens the chat: the START button. */
  readonly start: () => Promise<void>;
  readonly say: (text: string) => Promise<void>;
  /** Presses the newest button with exactly this label. */
  readonly tap: (label: string) => Promise<void>;
  /**
   * Waits until the newest message says this, and gives its text, labels of its buttons included. Throws with the end of the
   * chat when it never does.
   */
  readonly reads: (words: RegExp) => Promise<string>;
  /** As `reads`, for the newest one of all messages that say it: something else may have come after it. */
  readonly sees: (words: RegExp, withinMs?: number) => Promise<string>;
  /** Waits for the short notice on top of the chat. */
  readonly toast: (words: RegExp) => Promise<void>;
  /** The messages, each with its buttons. */
  readonly messages: Locator;
};

export function phoneOf(page: Page, name: string): Phone {
  const screen = page.getByRole('region', { name: `chat of ${name}` });
  const messages = screen.getByRole('log').getByRole('article');

  async function textOf(found: Locator, words: RegExp, withinMs = 30_000): Promise<string> {
    try {
      return (await found.textContent({ timeout: withinMs })) ?? '';
    } catch (error) {
      const tail = (await messages.allInnerTexts()).slice(-3).join('\n———\n');
      throw new Error(`${name} waited for ${words} and read:\n${tail}`, { cause: error });
    }
  }

  return {
    screen,
    messages,
    start: () => screen.getByRole('button', { name: 'START', exact: true }).click(),
    say: async (text) => {
      const input = screen.getByRole('textbox', { name: 'message', exact: true });
      await input.fill(text);
      await input.press('Enter');
    },
    tap: (label) => screen.getByRole('button', { name: label, exact: true }).last().click(),
    reads: (words) => textOf(messages.last().filter({ hasText: words }), words),
    sees: (words, withinMs) => textOf(messages.filter({ hasText: words }).last(), words, withinMs),
    toast: (words) => screen.getByRole('status').filter({ hasText: words }).waitFor(),
  };
}

/** Brings somebody's phone on stage. */
export async function takeUp(page: Page, name: string): Promise<Phone> {
  await page.getByRole('tablist', { name: 'people' }).getByRole('tab', { name }).click();
  return phoneOf(page, name);
}
