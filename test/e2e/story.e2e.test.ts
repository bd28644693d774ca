import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from './support/browser.ts';
import { type Desk, startDesk } from './support/desk.ts';
import { type Phone, phoneOf, takeUp } from './support/phone.ts';
import { screen } from './support/screens.ts';
import { addressIn, askToBuy, confirmWithdrawal, deposit, open, unitsIn } from './support/steps.ts';

const SOL = 1_000_000_000n;
/** Rent of a token account: 165 bytes, the network's price. */

describeInBrowser('The chat page', () => {
  let desk: Desk;
  let alice: Phone;
  let bob: Phone;
  let mint: string;
  let alicesWallet: string;

  beforeAll(async () => {
    desk = await startDesk();
    mint = await desk.chain.anyMint();
    alice = phoneOf(desk.page, 'Alice');
    bob = phoneOf(desk.page, 'Bob');
  });
  afterAll(() => desk?.close());
  // Each chapter goes on where the one before ended: after a failure the rest would only fail too.
  let isBroken = false;
  beforeEach((context) => context.skip(isBroken, 'an earlier chapter failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
    expect(desk.watch.problems).toEqual([]);
  });

  it('gives Alice a deposit wallet with a QR code and play SOL', async () => {
    await alice.start();
    await alice.reads(/Welcome to Tradepost.*No inviter attached/s);
    await screen('start', alice.screen);

    await alice.say('/trade');
    await alice.reads(/create your deposit wallet/);
    await alice.tap('Create Deposit Wallet');
    await alice.toast(/deposit wallet is ready/);
    await alice.reads(/Your deposit wallet is ready/);
    await alice.tap('Wallets (1/5)');
    await alice.reads(/Wallets \(1\/5\).*●/s);
    await alice.tap('Home');
    await alice.reads(/This wallet is empty/);
    await screen('chat-home', alice.screen);
    await alice.tap('Deposit');
    alicesWallet = addressIn(await alice.reads(/Send SOL or Solana tokens only/));
    const qr = alice.messages.last().getByRole('img', { name: 'photo' });
    await expect
      .poll(() => qr.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 30_000 })
      .toBeGreaterThan(100);
    await alice.tap('Get 2 play SOL');
    await alice.toast(/2 play SOL are there/);
    await screen('deposit', alice.screen);
    // A wallet so new is heard of within ten seconds: later, the notice would push itself below the screen that is read next.
    await alice.sees(/^Received 2 SOL/);
    expect(await desk.chain.lamports(alicesWallet)).toBe(2n * SOL);
  });

  it('lets Alice buy a token, re-asking after a wrong amount', async () => {
    await alice.say('/trade');
    await alice.reads(/Which token\?/);
    await alice.say(mint);
    await alice.reads(/ cap /);
    await screen('trade-card', alice.screen);
    await alice.tap('🟢 X');
    await alice.reads(/How much SOL/);
    await alice.say('abc');
    await alice.reads(/“abc” is not an amount.*How much SOL/s);
    await alice.say('0,5');
    await alice.reads(/Buy .* for 0\.5 SOL.*At least.*cannot be undone/s);
    await screen('confirm', alice.screen);
    await alice.tap('Confirm buy');
    const bought = await alice.sees(/^Bought .* · final/s);

    const held = await desk.chain.units(alicesWallet, mint);
    // The message is for reading: whole tokens. The receipt has every unit.
    expect(unitsIn(bought, 'Bought', 6)).toBe(held - (held % 1_000_000n));
    // The platform's part is of the 0.5 SOL; the deposit of the account is none of the fees.
    const network = unitsIn(bought, 'Fees', 9) - SOL / 200n;
    const rent = await desk.chain.accountRent();
    expect(await desk.chain.lamports(alicesWallet)).toBe(2n * SOL - SOL / 2n - network - rent);
    expect(network).toBeGreaterThan(0n);
  });

  it('shows Alice a receipt and lets her sell half', async () => {
    await alice.tap('Receipt');
    const receipt = await alice.reads(/Receipt R-.*Signature/s);
    const [newest] = await desk.chain.history(alicesWallet);
    expect(receipt).toContain(newest?.signature);
    await screen('receipt', alice.screen);

    const before = await desk.chain.units(alicesWallet, mint);
    await alice.tap('🔴 50%');
    await alice.reads(/Sell .*At least/s);
    await alice.tap('Confirm sell');
    const sold = unitsIn(await alice.sees(/^Sold .* · final/s), 'Sold', 6);
    const left = await desk.chain.units(alicesWallet, mint);
    // The message shows whole tokens.
    expect(sold).toBe(before - left - ((before - left) % 1_000_000n));
    // An odd unit may fall to either side.
    expect([0n, 1n, -1n]).toContain(2n * left - before);
  });

  it('finds the token by its name, and draws its chart from her trades', async () => {
    await alice.say('$PUP');
    const found = await alice.reads(/ cap |page 1 of/);
    // Where another token looks like it, Puppy stands first.
    if (/page 1 of/.test(found)) await alice.tap('1');
    await alice.reads(/Puppy.* cap /s);
    await alice.tap('Chart');
    const charted = /in this picture/;
    while (!charted.test(await alice.reads(/No trade of it|in this picture/))) {
      // The indexer has not read her trades yet, and one picture comes in three seconds.
      await alice.screen.page().waitForTimeout(3_100);
      await alice.tap('✓ Candles');
    }
    const picture = alice.messages.last().getByRole('img', { name: 'photo' });
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 30_000 })
      .toBe(1_280);
    await screen('chart', alice.screen);
    await alice.screen.page().waitForTimeout(3_100);
    await alice.tap('Depth');
    await alice.reads(/SOL that moves the price/);
    await screen('depth', alice.screen);
    await alice.tap('Back');
    await alice.reads(/ cap /);
  });

  it('says what everything is worth, what trends and what there is to know', async () => {
    await alice.say('/home');
    await alice.reads(/Portfolio about \$\d/);
    await screen('chat-home-funded', alice.screen);
    await alice.tap('Trending');
    await alice.reads(/Trending · 1 h/);
    await screen('trending', alice.screen);
    await alice.tap('Search');
    await alice.reads(/Send me a name like puppy/);
    await alice.say('nobody');
    await alice.reads(/No token named “nobody” is known here/);
    await alice.say('p');
    await alice.reads(/found, page 1 of/);
    await screen('chat-search', alice.screen);
    await alice.say('/help');
    await alice.reads(/Help/);
    await screen('help', alice.screen);
    await alice.tap('Fees');
    await alice.reads(/Fees/);
    await screen('help-fees', alice.screen);
  });

  it('leads from the page of a market to its trade card', async () => {
    const { page } = desk;
    const chatUrl = page.url();
    await page.goto(desk.siteUrl);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'PUP', exact: true }) });
    await row.locator('a[href^="/market/"]').click();
    await page.getByRole('heading', { name: /^PUP\// }).waitFor();
    await page.getByRole('link', { name: 'Trade in Telegram' }).click();
    // As START in Telegram: nothing is sent in anybody's name before it.
    await alice.screen.getByRole('dialog').getByRole('button', { name: 'open as Alice' }).click();
    await alice.reads(/Puppy.* cap /s);
    // The address forgets it: a reload does not ask again.
    expect(page.url()).toBe(chatUrl);
    await page.reload();
    await alice.reads(/Puppy.* cap /s);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('pays Alice on chain for what Bob trades after opening her link', async () => {
    await alice.say('/referral');
    const overview = await alice.reads(/Referral · code/);
    const link = /https:\/\/t\.me\/\S+/.exec(overview)?.[0] ?? '';
    await alice.screen.getByText(link, { exact: true }).click();
    await alice.screen.getByRole('dialog').getByRole('button', { name: 'open as Bob' }).click();
    await bob.reads(/Inviter: .*\(attached\)/s);
    await alice.sees(/A person joined through your link/);
    await bob.tap('Create Deposit Wallet');
    await bob.reads(/Your deposit wallet is ready/);
    const bobsWallet = await deposit(bob);

    const before = await desk.chain.lamports(alicesWallet);
    await bob.say(mint);
    await bob.reads(/ cap /);
    await bob.tap('🟢 0.5');
    await bob.reads(/You get about/);
    await bob.tap('Confirm buy');
    await bob.sees(/^Bought .* · final/s);
    const told = await alice.sees(/You earned/);
    const reward = (SOL / 200n / 100n) * 30n;
    expect(unitsIn(told, 'You earned', 9)).toBe(reward);
    expect(await desk.chain.lamports(alicesWallet)).toBe(before + reward);
    expect(await desk.chain.history(bobsWallet)).toHaveLength(2);

    await screen('chat-page', desk.page);
    await desk.page.emulateMedia({ colorScheme: 'dark' });
    await screen('dark', desk.page);
    await desk.page.emulateMedia({ colorScheme: 'light' });
    await alice.say('/referral');
    await alice.reads(/Invited 1 · active 1.*paid 0\.0015 SOL/s);
    await screen('referral', alice.screen);
  });

  it('sends Alice’s SOL to the address she gives', async () => {
    const cold = Keypair.generate().publicKey.toBase58();
    await alice.say('/withdraw_sol');
    await alice.reads(/To which Solana address\?/);
    await alice.say('somewhere');
    await alice.reads(/“somewhere” is not a Solana address/);
    await alice.say(cold);
    await alice.reads(/How much SOL/);
    await alice.say('0.5');
    const confirm = await alice.reads(/Send 0\.5 SOL/);
    expect(confirm).toContain(cold);
    await screen('withdraw', alice.screen);
    await confirmWithdrawal(alice);
    await alice.sees(/^Sent 0\.5 SOL \(final\)/);
    expect(await desk.chain.lamports(cold)).toBe(SOL / 2n);
  });

  it('buys once when Confirm is tapped twice', async () => {
    const before = await desk.chain.history(alicesWallet);
    await askToBuy(alice, mint, '0.1');
    await alice.screen.getByRole('button', { name: 'Confirm buy', exact: true }).last().dblclick();
    await alice.toast(/Already (running|pressed)/);
    await alice.sees(/^Bought .* for 0\.1 SOL[\s\S]* · final/s);
    expect(await desk.chain.history(alicesWallet)).toHaveLength(before.length + 1);
  });

  it('ends a dialogue with /cancel', async () => {
    await alice.say('/withdraw_sol');
    await alice.reads(/To which Solana address\?/);
    await alice.say('/cancel');
    await alice.reads(/Stopped\. Nothing was sent\./);
    await alice.say('0.5');
    await alice.reads(/I did not understand that/);
    await alice.say('/cancel');
    await alice.reads(/Nothing to stop\./);
  });

  it('keeps several wallets', async () => {
    await alice.say('/home');
    await alice.tap('Wallets (1/5)');
    await alice.reads(/Wallets \(1\/5\).*●/s);
    await alice.tap('Create Deposit Wallet');
    await alice.reads(/Wallet 2|Main 2|\(2\/5\)/);
    await alice.say('/home');
    await alice.tap('Wallets (2/5)');
    await alice.reads(/Wallets \(2\/5\).*●/s);
    await screen('wallets', alice.screen);
  });

  it('fits a phone', async () => {
    const before = desk.page.viewportSize();
    await desk.page.setViewportSize({ width: 390, height: 844 });
    // The workbench gives way by itself.
    await takeUp(desk.page, 'Alice');
    await alice.say(mint);
    await alice.reads(/ cap /);
    await screen('narrow', desk.page);
    expect(await desk.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await desk.page.setViewportSize(before ?? { width: 1440, height: 900 });
    await desk.page.getByRole('button', { name: 'Workbench', exact: true }).click();
  });

  it('treats Mallory’s name as text and her use of Alice’s button as old', async () => {
    const mallory = await takeUp(desk.page, 'Mallory');
    const name = 'Mallory <b>&"\u202Enimda';
    const shown = mallory.screen.getByTitle(name, { exact: true });
    expect(await shown.evaluate((element) => element.textContent)).toBe(name);
    expect(await shown.evaluate((element) => element.querySelectorAll('b, strong, a').length)).toBe(0);
    await open(mallory);

    // A wallet's name is the one text of a person that the bot repeats.
    await mallory.say('/home');
    await mallory.tap('Wallets (1/5)');
    await mallory.reads(/Wallets \(1\/5\).*●/s);
    await mallory.tap('Main');
    await mallory.tap('Rename');
    await mallory.reads(/A new name/);
    const hostile = '<i>x</i><a href=//e>';
    await mallory.say(hostile);
    // The notice about the new name may come after it.
    await mallory.sees(/^Renamed to/);
    const message = mallory.messages.filter({ hasText: /^Renamed to/ }).last();
    expect(await message.textContent()).toContain(hostile);
    expect(await message.getByRole('link').count()).toBe(0);
    expect(await message.getByRole('emphasis').count()).toBe(0);

    const calls = desk.page.getByRole('region', { name: 'bot api calls' });
    await alice.say('/deposit');
    await alice.reads(/Send SOL/);
    await calls
      .getByRole('button', { name: /^sendPhoto Alice/ })
      .first()
      .click();
    // The call opens after the click: a busy machine shows it later.
    const data = /deposit:check:[\w-]{22}/;
    const stolen = data.exec((await calls.filter({ hasText: data }).textContent()) ?? '')?.[0];
    expect(stolen).toBeDefined();
    await mallory.screen.getByRole('log').click({ position: { x: 3, y: 3 } });
    const switches = desk.page.getByRole('region', { name: 'switches' });
    await switches.getByRole('heading', { name: /as Mallory/ }).waitFor();
    await switches.getByLabel('callback data').fill(stolen ?? '');
    await switches.getByRole('button', { name: 'Tap', exact: true }).click();
    await mallory.toast(/This button is old/);
    expect(await mallory.sees(/^Tradepost .*2 SOL/s)).not.toContain(alicesWallet.slice(0, 4));
  });
});
