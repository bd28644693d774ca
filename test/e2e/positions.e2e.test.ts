import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/browser.ts';
import { type Desk, startDesk } from './support/desk.ts';
import { type Phone, phoneOf } from './support/phone.ts';
import { shotsOf } from './support/screens.ts';
import { askToBuy, open } from './support/steps.ts';

describeInBrowser('Positions', () => {
  let desk: Desk;
  let alice: Phone;
  let shots: ReturnType<typeof shotsOf>;

  beforeAll(async () => {
    desk = await startDesk();
    alice = phoneOf(desk.page, 'Alice');
    shots = shotsOf(desk.page, 'Alice');
  });
  afterAll(() => desk?.close());

  async function pictureIsThere(): Promise<void> {
    const picture = alice.messages.last().getByRole('img', { name: 'photo' });
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 30_000 })
      .toBeGreaterThan(1_000);
  }

  it('tells of a deposit, shows positions in words and pictures, and brings deposits of accounts back', async () => {
    const wallet = await open(alice);
    const mint = await desk.chain.anyMint();
    await alice.sees(/Received 2 SOL/);
    await shots('deposit-notice');

    await askToBuy(alice, mint, '0.5');
    await alice.tap('Confirm buy');
    await alice.sees(/^Bought .* · final/s);
    await alice.say('/positions');
    await alice.reads(/today.*1 PUP/s);
    await shots('positions');
    await alice.tap('PUP');
    await alice.reads(/Paid /);
    await shots('position');
    await alice.tap('PnL card');
    await alice.reads(/net of all fees/);
    await pictureIsThere();
    await shots('result-card');
    await alice.tap('Back');
    await alice.reads(/1 PUP/);
    await alice.screen.page().waitForTimeout(3_100);
    await alice.tap('Portfolio');
    await alice.reads(/day by day/);
    await pictureIsThere();
    await shots('portfolio');

    await alice.tap('Back');
    await alice.reads(/1 PUP/);
    await alice.tap('PUP');
    await alice.reads(/Paid /);
    await alice.tap('🔴 100%');
    const rent = await desk.chain.accountRent();
    const deposit = `${Number(rent) / 1e9} SOL`;
    await alice.reads(new RegExp(`Account deposit ${deposit} comes back`));
    await alice.tap('Confirm sell');
    await alice.sees(new RegExp(`^Sold all .*[+−]\\$.* · final.*Account deposit returned: ${deposit}`, 's'));
    expect(await desk.chain.units(wallet, mint)).toBe(0n);
    await shots('sold');

    await desk.chain.openAccount(wallet, mint);
    await alice.say('/positions');
    await alice.reads(/Clean up 1/);
    await alice.tap('Clean up 1');
    await alice.reads(/Clean up/);
    await shots('clean-up');
    const before = await desk.chain.lamports(wallet);
    await alice.tap(`Close 1 and take ${deposit} back`);
    await alice.sees(/^Empty accounts closed: 1 .*\(final\)/s);
    const came = (await desk.chain.lamports(wallet)) - before;
    expect(came).toBeGreaterThan(0n);
    expect(came).toBeLessThan(rent);
    expect(desk.watch.problems).toEqual([]);
  });
});
