import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/browser.ts';
import { type Desk, startDesk } from './support/desk.ts';
import { phoneOf } from './support/phone.ts';
import { screen } from './support/screens.ts';
import { addressIn, open } from './support/steps.ts';

describeInBrowser('The chat page’s token wizard', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk?.close());

  it('makes a token with a picture that was sent in the chat', async () => {
    const alice = phoneOf(desk.page, 'Alice');
    const wallet = await open(alice);
    await alice.say('/create_token');
    const first = await alice.reads(/Which type|referral account/);
    if (/referral account/.test(first)) await alice.tap('Create referral account');
    await alice.reads(/Which type/);
    await alice.tap('token');
    await alice.reads(/The symbol/);
    await alice.say('PAGE');
    await alice.reads(/Symbol PAGE: 4 of 10/);
    await alice.tap('PAGE');
    await alice.reads(/Send a picture/);
    const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#2980b9' } })
      .png()
      .toBuffer();
    await alice.screen
      .getByLabel('picture', { exact: true })
      .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer });
    await alice.reads(/A description/);
    await alice.tap('Back');
    await alice.reads(/Send a picture/);
    await alice.screen
      .getByLabel('picture', { exact: true })
      .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer });
    await alice.reads(/A description/);
    await alice.tap('Skip');
    await alice.reads(/Links/);
    await alice.tap('Skip');
    await alice.reads(/Decimals/);
    await alice.tap('0');
    await alice.reads(/How many tokens/);
    await alice.say('42');
    await alice.reads(/Who gets them/);
    await alice.tap('Main');
    await alice.reads(/What you keep over PAGE/);
    await screen('token-powers', alice.screen);
    await alice.tap('Review');
    await alice.reads(/With your picture.*What buyers will see.*CAREFUL/s);
    await screen('token-review', alice.screen);
    await alice.tap('Create token');
    const mint = addressIn(await alice.sees(/^Created PAGE.*Give up powers/s));
    expect(await desk.chain.units(wallet, mint)).toBe(42n);
    expect(desk.watch.problems).toEqual([]);
  });
});
