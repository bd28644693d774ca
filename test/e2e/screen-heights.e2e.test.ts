import { startLocalTelegram } from '@tradepost/local-telegram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LANGUAGES, type Language, wordsOf } from '../../src/compose/texts/words.ts';
import type { View } from '../../src/platform/telegram/ui/screen.ts';
import { WORST } from '../support/screens/facts.ts';
import { SCREENS } from '../support/screens/registry.ts';
import { describeInBrowser, openPage } from './support/browser.ts';
import { takeUp } from './support/phone.ts';

/** A phone of 844 pixels shows this much above its keyboard: the buttons of a longer screen scroll its price away. */
const MOST = 560;
const ALICE = 101;

describeInBrowser('Heights of the screens at 390 pixels', () => {
  let telegram: Awaited<ReturnType<typeof startLocalTelegram>>;
  let browser: Awaited<ReturnType<typeof openPage>>;

  beforeAll(async () => {
    telegram = await startLocalTelegram({});
    telegram.core.people.start(ALICE);
    browser = await openPage(telegram.chatUrl);
    await takeUp(browser.page, 'Alice');
    await browser.page.setViewportSize({ width: 390, height: 844 });
  });
  afterAll(async () => {
    await browser?.close();
    await telegram?.stop();
  });

  async function send({ text, keyboard }: View): Promise<number> {
    const answer = await fetch(`${telegram.botApiUrl}/bot${telegram.token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        chat_id: ALICE,
        text: text.markup,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(keyboard == null ? {} : { reply_markup: { inline_keyboard: keyboard } }),
      }),
    });
    const { ok, result, description } = (await answer.json()) as {
      readonly ok: boolean;
      readonly description?: string;
      readonly result: { readonly message_id: number };
    };
    if (!ok) throw new Error(description);
    return result.message_id;
  }

  /** The message with its keyboard, and the labels that take more than one line. */
  async function measure(
    view: View,
  ): Promise<{ readonly height: number; readonly broken: readonly string[] }> {
    const article = browser.page.locator(`[role=article][data-id="${await send(view)}"]`);
    await article.waitFor();
    return article.evaluate((element) => ({
      height: Math.ceil(element.getBoundingClientRect().height),
      broken: Array.from(element.querySelectorAll('button'))
        .filter((button) => (button.querySelector('span')?.getClientRects().length ?? 0) > 1)
        .map((button) => button.textContent ?? ''),
    }));
  }

  it.each(Object.keys(LANGUAGES) as Language[])(
    'keep to 560 pixels with the worst names (%s)',
    async (language) => {
      const words = wordsOf(language);
      const told: string[] = [];
      const over: string[] = [];
      for (const [name, draw] of Object.entries(SCREENS)) {
        const { height, broken } = await measure(draw(words, WORST)).catch((error: unknown) => ({
          height: Number.POSITIVE_INFINITY,
          broken: [String(error)],
        }));
        told.push(
          `${String(height).padStart(5)}  ${name}${broken.length === 0 ? '' : ` · two lines: ${broken.join(' | ')}`}`,
        );
        if (height > MOST) over.push(`${name}: ${height}`);
        over.push(...broken.map((label) => `${name}: the label "${label}" takes two lines`));
      }
      process.stdout.write(`\nHeights at 390 pixels, ${language}:\n${told.join('\n')}\n`);
      expect(over).toEqual([]);
      expect(browser.watch.problems).toEqual([]);
    },
  );
});
