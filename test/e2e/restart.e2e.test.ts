import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/browser.ts';
import { type Desk, startDesk } from './support/desk.ts';
import { type Phone, phoneOf } from './support/phone.ts';
import { askToBuy, confirmWithdrawal, open, unitsIn } from './support/steps.ts';

const SOL = 1_000_000_000n;
const POLL = { interval: 5, timeout: 30_000 };
/** Work that a killed process had begun is taken over once its lease of 20 to 30 s has run out, and finality comes after that. */
const TAKEN_OVER_MS = 90_000;

describeInBrowser('A program that is killed and started again', () => {
  let desk: Desk;
  let alice: Phone;
  let mint: string;
  let wallet: string;

  beforeAll(async () => {
    desk = await startDesk();
    mint = await desk.chain.anyMint();
    alice = phoneOf(desk.page, 'Alice');
    wallet = await open(alice);
  });
  afterAll(() => desk?.close());
  afterEach(() => expect(desk.watch.problems).toEqual([]));

  it.each([
    {
      moment: 'as soon as the tap has arrived',
      sol: '0.11',
      comes: () => desk.page.waitForResponse((response) => response.url().endsWith('/sim/tap')),
    },
    { moment: 'while it is prepared', sol: '0.12', comes: () => alice.sees(/Preparing…/) },
    {
      moment: 'when the chain has it and nobody was told',
      sol: '0.13',
      comes: (entries: number) =>
        expect.poll(async () => (await desk.chain.history(wallet)).length, POLL).toBeGreaterThan(entries),
    },
  ])('ends a trade exactly once when killed $moment', async ({ sol, comes }) => {
    const before = {
      entries: (await desk.chain.history(wallet)).length,
      lamports: await desk.chain.lamports(wallet),
      units: await desk.chain.units(wallet, mint),
    };
    await askToBuy(alice, mint, sol);
    await Promise.all([comes(before.entries), alice.tap('Confirm buy')]);
    await desk.restart('kill');

    // Whoever finds the button still there presses it again; the tap may have been lost, or be under way.
    const confirm = alice.screen.getByRole('button', { name: 'Confirm buy', exact: true });
    if ((await confirm.count()) > 0) await confirm.last().click();
    const told = await alice.sees(
      new RegExp(`^Bought .* for ${sol.replace('.', '\\.')} SOL .* · final`, 's'),
      TAKEN_OVER_MS,
    );

    const history = await desk.chain.history(wallet);
    expect(history).toHaveLength(before.entries + 1);
    // The memo is the intent's own id: two transactions for one intent would show it twice.
    expect(new Set(history.map(({ memo }) => memo)).size).toBe(history.length);
    expect(history[0]?.error).toBeNull();
    const gained = (await desk.chain.units(wallet, mint)) - before.units;
    // The message is for reading: whole tokens.
    expect(unitsIn(told, 'Bought', 6)).toBe(gained - (gained % 1_000_000n));
    // The fees hold the service's part, which the price holds too; the deposit is apart, and paid with the first purchase.
    const price = (SOL * BigInt(sol.slice(2))) / 100n;
    const network = unitsIn(told, 'Fees', 9) - price / 100n;
    const deposit = before.units === 0n ? await desk.chain.accountRent() : 0n;
    expect(await desk.chain.lamports(wallet)).toBe(before.lamports - price - network - deposit);
  });

  it('goes on with a dialogue where it was', async () => {
    const cold = Keypair.generate().publicKey.toBase58();
    await alice.say('/withdraw_sol');
    await alice.reads(/To which Solana address\?/);
    await desk.restart('stop');
    await alice.say(cold);
    await alice.reads(/How much SOL/);
    // The state is written behind the message: a kill between the two asks the former question again.
    await alice.screen.page().waitForTimeout(2_000);
    await desk.restart('kill');
    await alice.say('abc');
    await alice.reads(/“abc” is not an amount.*How much SOL/s);
    await alice.say('0.2');
    await alice.reads(/Send 0\.2 SOL/);
    await desk.restart('stop');
    await confirmWithdrawal(alice);
    await alice.sees(/^Sent 0\.2 SOL \(final\)/);
    expect(await desk.chain.lamports(cold)).toBe(SOL / 5n);
  });
});
