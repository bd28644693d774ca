import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/browser.ts';
import { type Desk, startDesk } from './support/desk.ts';
import { type Phone, phoneOf } from './support/phone.ts';
import { addressIn, open, unitsIn } from './support/steps.ts';

const SOL = 1_000_000_000n;

describeInBrowser('Tokens made in the chat page and their passports', () => {
  let desk: Desk;
  let alice: Phone;
  let wallet: string;
  beforeAll(async () => {
    desk = await startDesk();
    alice = phoneOf(desk.page, 'Alice');
    wallet = await open(alice);
  });
  afterAll(() => desk?.close());
  afterEach(() => expect(desk.watch.problems).toEqual([]));

  /** Opens the wizard, past the referral account that the first token needs. */
  async function openWizard(): Promise<void> {
    await alice.say('/create_token');
    if (/referral account/.test(await alice.reads(/Which type|referral account/))) {
      await alice.tap('Create referral account');
    }
    await alice.reads(/Which type/);
  }

  /** Taps the newest result's Passport button and gives what the page in the new tab says. */
  async function passport(): Promise<{ readonly text: string; readonly url: URL }> {
    const [page] = await Promise.all([desk.page.context().waitForEvent('page'), alice.tap('Passport')]);
    await page.waitForURL(/\/token\//);
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
    await page.reload();
    // Signatures are shown short; whole they stand in titles.
    const titles = await page
      .locator('[title]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    const text = `${await page.locator('body').textContent()} ${titles.join(' ')}`;
    const url = new URL(page.url());
    await page.close();
    expect(failures).toEqual([]);
    return { text, url };
  }

  it('makes a token2022 without mint authority, and its passport says so', async () => {
    await openWizard();
    await alice.tap('token2022');
    await alice.reads(/The symbol/);
    await alice.say('PASS');
    await alice.reads(/The name/);
    await alice.say('Passport Pup');
    for (const question of [/Send a picture/, /A description/, /Links/]) {
      await alice.reads(question);
      await alice.tap('Skip');
    }
    await alice.reads(/Decimals/);
    await alice.tap('6');
    await alice.reads(/How many tokens/);
    await alice.say('1234');
    await alice.reads(/Who gets them/);
    await alice.tap('Main');
    await alice.reads(/✓ Mint authority/);
    await alice.screen
      .getByRole('button', { name: /Mint authority/ })
      .last()
      .click();
    await alice.reads(/– Mint authority/);
    await alice.tap('Review');
    await alice.reads(/What buyers will see/);
    await alice.tap('Create token');
    const mint = addressIn(await alice.sees(/^Created PASS .*\(final\)/s));
    expect(await desk.chain.units(wallet, mint)).toBe(1_234_000_000n);

    const { text, url } = await passport();
    expect(url.pathname).toBe(`/token/${mint}`);
    expect(text).toContain('PASS');
    expect(text).toContain('Passport Pup');
    expect(text).toMatch(/1,234\b.*6 decimals · Token-2022/);
    expect(text).toContain(wallet);
    const [creation] = await desk.chain.history(mint);
    // Gone since the creation itself: the passport names that transaction.
    expect(text).toContain(creation?.signature);

    const facts = (await (await fetch(`${url.origin}/token/${mint}.json`)).json()) as {
      readonly data: { readonly supply: string; readonly authorities: { readonly mint: unknown } };
    };
    expect(facts.data).toMatchObject({
      supply: '1234000000',
      authorities: { mint: { holder: null, revoked: { signature: creation?.signature } } },
    });
    const card = await fetch(`${url.origin}/token/${mint}.png`);
    expect(card.headers.get('content-type')).toBe('image/png');
  });

  it('launches one with a first buy on the curve, and its passport shows how far the curve is', async () => {
    await openWizard();
    await alice.tap('Launch it instead');
    await alice.reads(/Which one/);
    await alice.messages.last().getByRole('button').first().click();
    await alice.reads(/The symbol/);
    await alice.say('MOON');
    await alice.reads(/The name/);
    await alice.say('Moon Coin');
    for (const question of [/Send a picture/, /A description/, /Links/]) {
      await alice.reads(question);
      await alice.tap('Skip');
    }
    await alice.reads(/first buy/);
    await alice.say('0.1');
    const review = await alice.reads(/Your first buy 0\.1 SOL/);
    const before = await desk.chain.lamports(wallet);
    const most = unitsIn(review, 'At most', 9);
    await alice.tap('Launch');
    const mint = addressIn(await alice.sees(/^Launched MOON .*\(final\)/s));
    const spent = before - (await desk.chain.lamports(wallet));
    expect(spent).toBeGreaterThan(SOL / 10n);
    expect(spent).toBeLessThanOrEqual(most);
    const held = await desk.chain.units(wallet, mint);
    // No less than what the review promised.
    expect(held).toBeGreaterThanOrEqual(unitsIn(review, 'at least', 6));
    // Creation and first buy are one transaction.
    expect(await desk.chain.history(mint)).toHaveLength(1);

    const { text, url } = await passport();
    expect(url.pathname).toBe(`/token/${mint}`);
    expect(text).toContain('Moon Coin');
    expect(text).toMatch(/Launch.* · \d+ % of the curve/);
    const [creation] = await desk.chain.history(mint);
    expect(text).toContain(creation?.signature);
  });
});
