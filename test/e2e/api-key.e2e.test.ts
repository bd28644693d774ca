import { startLocalTelegram } from '@tradepost/local-telegram';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startLocalMail } from '../../src/local/mail/index.ts';
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.ts';
import { FORM, keyIn, keyRig } from '../api/key-rig.ts';
import { describeInBrowser, openPage } from './support/browser.ts';
import { screen } from './support/screens.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** The page at both widths, in both colours; nothing may stick out of the narrow one. */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, size] of [
    ['', WIDE],
    ['-narrow', NARROW],
  ] as const) {
    await page.setViewportSize(size);
    await screen(`${name}${width}`, page.locator('body'));
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overhang, `${name} at ${size.width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize(WIDE);
}

/** The open host over a database in memory, the real mailer, and the local inbox beside the local chats. */
async function world() {
  const mail = await startLocalMail();
  const telegram = await startLocalTelegram({ pages: mail.serve });
  let url = '';
  const rig = await keyRig({
    mailer: createSmtpMailer({ url: mail.smtpUrl, from: 'Tradepost <keys@tradepost.local>' }),
    siteUrl: () => url,
  });
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const inbox = `${telegram.chatUrl}mail`;
  return {
    rig,
    url,
    inbox,
    mailbox: mail.mailbox,
    close: () => Promise.all([rig.close(), telegram.stop(), mail.stop()]),
  };
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(FORM.email);
  await page.getByLabel('Name of the project').fill(FORM.project);
  await page.getByLabel('Intended use').fill('A bot that rebalances a small portfolio once an hour.');
  await page.getByLabel('Requests per day').fill('100000');
  await page.getByLabel('Peak per second').fill('5');
}

describeInBrowser('An API key in a browser', () => {
  it('is asked for, confirmed, claimed once, seen in the account, rotated and revoked', async () => {
    const { rig, url, inbox, close } = await world();
    const { page, watch, close: closePage } = await openPage(`${url}/keys`);
    const openMail = async (subject: RegExp): Promise<void> => {
      await rig.work();
      await page.goto(inbox);
      await page.getByRole('link', { name: subject }).first().click();
    };
    const followMail = async (subject: RegExp): Promise<void> => {
      await openMail(subject);
      await page.getByRole('article').getByRole('link').first().click();
    };
    try {
      await fillIn(page);
      await page.getByRole('button', { name: 'Show my limits' }).click();
      await page.getByRole('heading', { name: 'These numbers give' }).waitFor();
      await look(page, 'key-form');
      await page.getByRole('button', { name: 'Ask for a key' }).click();
      await page.getByRole('heading', { name: 'Look at your inbox' }).waitFor();

      await openMail(/Confirm your request/);
      await look(page, 'inbox');
      await page.getByRole('article').getByRole('link').first().click();
      await page.getByRole('button', { name: 'Confirm and send' }).click();
      await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
      const [request] = await rig.db.keyRequests.listByEmail(FORM.email, 1);
      await rig.grant(request?.id ?? '');

      await followMail(/is granted/);
      const claim = page.url();
      await look(page, 'key-claim');
      await page.getByRole('button', { name: 'Make the key and show it' }).click();
      await page.getByRole('heading', { name: 'Your API key' }).waitFor();
      const key = keyIn(await page.content());
      expect(key).not.toBe('');
      await look(page, 'key-shown');
      await page.goto(claim);
      await page.getByRole('heading', { name: 'This link was used' }).waitFor();
      await look(page, 'key-used');

      count(rig, key);
      await page.goto(`${url}/account`);
      await page.getByLabel('E-mail address').fill(FORM.email);
      await page.getByRole('button', { name: 'Mail me a link' }).click();
      await followMail(/way into/);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Requests, last 30 days' }).waitFor();
      await look(page, 'account');
      await page.emulateMedia({ colorScheme: 'dark' });
      await screen('account-dark', page.locator('body'));
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('link', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Mail me the link' }).click();
      rig.clock.advance(1_000);
      await followMail(/in place of the old one/);
      await page.getByRole('button', { name: 'Make the key and show it' }).click();
      expect(keyIn(await page.content())).not.toBe(key);
      await page.goto(`${url}/account`);
      await page.getByRole('link', { name: 'Revoke' }).last().click();
      await page.getByRole('button', { name: 'Revoke it' }).click();
      await page.getByRole('status').getByText('does not work any more').waitFor();
      expect((await rig.db.apiKeys.find(key.split('_')[2] ?? ''))?.revokedAt).not.toBeNull();
      expect(watch.problems).toEqual([]);
    } finally {
      await closePage();
      await close();
    }
  });

  it('says what is wrong with the form, and its mail bounces at a button of the inbox', async () => {
    const { rig, url, inbox, mailbox, close } = await world();
    const { page, watch, close: closePage } = await openPage(`${url}/keys`);
    try {
      watch.expectOutage();
      await fillIn(page);
      await page.getByLabel('Requests per day').fill('many');
      await page.getByRole('button', { name: 'Ask for a key' }).click();
      await page.getByText('Not sent yet').waitFor();
      await page.getByText('digits only').first().waitFor();
      await page.emulateMedia({ colorScheme: 'dark' });
      await look(page, 'key-form-dark');
      await page.getByLabel('Requests per day').fill('100000');
      await page.getByRole('button', { name: 'Ask for a key' }).click();
      await page.getByRole('heading', { name: 'Look at your inbox' }).waitFor();
      await rig.work();
      await page.goto(inbox);
      await page.getByRole('button', { name: 'Bounce this address' }).click();
      await page.getByText(`Bouncing: ${FORM.email}`).waitFor();
      expect(mailbox.bounces(FORM.email)).toBe(true);
    } finally {
      await closePage();
      await close();
    }
  });
});

/** A month of use, as a busy bot leaves it. */
function count(rig: Awaited<ReturnType<typeof keyRig>>, key: string): void {
  const now = rig.clock.now();
  const keyId = key.split('_')[2] ?? '';
  void rig.db.apiKeys.find(keyId).then((found) => {
    const account = found?.account ?? '';
    for (let day = 0; day < 30; day += 1) {
      rig.clock.set(now - (29 - day) * 86_400_000);
      const busy = 40 + ((day * 37) % 60);
      for (let n = 0; n < busy; n += 1) {
        const route = n % 4 === 0 ? 'GET /dex/quote' : 'POST /dex/swap';
        rig.usage.count({ account, keyId, route, status: n % 17 === 0 ? 400 : 200 });
      }
      if (day % 9 === 3) rig.usage.count({ account, keyId, route: 'POST /dex/swap', status: 429 });
    }
    rig.clock.set(now);
  });
}
