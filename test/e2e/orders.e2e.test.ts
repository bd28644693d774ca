import { afterAll, beforeAll, expect, it } from 'vitest';
import { movePrice } from '../../scripts/tour/move-price.ts';
import type { RestTrader } from '../../scripts/tour/rest-swap.ts';
import { describeInBrowser } from './support/browser.ts';
import { type Desk, startDesk } from './support/desk.ts';
import { type Phone, phoneOf } from './support/phone.ts';
import { shotsOf } from './support/screens.ts';
import { open, unitsIn } from './support/steps.ts';

/** Work that a killed process had begun is taken over once its lease of 20 to 30 s has run out, and finality comes after that. */
const TAKEN_OVER_MS = 120_000;
const POLL = { interval: 5, timeout: 60_000 };

describeInBrowser('Orders', () => {
  let desk: Desk;
  let alice: Phone;
  let mint: string;
  let wallet: string;
  let market: RestTrader;

  beforeAll(async () => {
    desk = await startDesk();
    mint = await desk.chain.anyMint();
    alice = phoneOf(desk.page, 'Alice');
    wallet = await open(alice);
    market = await desk.market();
    await movePrice(market, mint, 1.5);
  });
  afterAll(() => desk?.close());

  /** A limit buy at −10 %, all or nothing. Gives its limit as the chat says it, in SOL per token. */
  async function placeLimit(sol: string): Promise<number> {
    await alice.say(mint);
    await alice.reads(/ cap /);
    await alice.tap('Limit');
    await alice.reads(/Limit (buy|sell)/);
    await alice.tap('−10%');
    await alice.reads(/You never pay more/);
    await alice.tap('✓ In parts');
    await alice.reads(/You never pay more.*(?<!✓ )In parts/s);
    await alice.tap('Amount');
    await alice.reads(/How much/);
    await alice.say(sol);
    const form = await alice.reads(new RegExp(`Limit buy PUP · ${sol} SOL.*Exactly `, 's'));
    await alice.tap('Place order');
    await alice.reads(/Order #\d+/);
    return Number(/Exactly ([\d.]+) SOL/.exec(form)?.[1] ?? 'NaN');
  }

  async function expectOneBuy(
    sol: string,
    limit: number,
    before: { readonly entries: number; readonly units: bigint },
  ): Promise<void> {
    const told = await alice.sees(
      new RegExp(`^#\\d+ Limit .*Bought .* for ${sol} SOL .* · final`, 's'),
      TAKEN_OVER_MS,
    );
    const history = await desk.chain.history(wallet);
    expect(history).toHaveLength(before.entries + 1);
    expect(history[0]?.error).toBeNull();
    const gained = (await desk.chain.units(wallet, mint)) - before.units;
    expect(unitsIn(told, 'Bought', 6)).toBe(gained - (gained % 1_000_000n));
    // The chat says five digits of the limit; the chain says the rest.
    expect(Number(sol) / (Number(gained) / 1e6)).toBeLessThanOrEqual(limit * 1.0001);
  }

  it.each([
    {
      moment: 'when it fires',
      sol: '0.31',
      comes: () => alice.sees(/Fired: buying for 0\.31 SOL|Bought .* for 0\.31 SOL/s),
    },
    { moment: 'as soon as the price is there', sol: '0.32', comes: async () => {} },
    {
      moment: 'when the chain has the purchase and nobody was told',
      sol: '0.33',
      comes: (entries: number) =>
        expect.poll(async () => (await desk.chain.history(wallet)).length, POLL).toBeGreaterThan(entries),
    },
  ])('a limit buy buys once and never above its limit, killed $moment', async ({ sol, comes }) => {
    const limit = await placeLimit(sol);
    const before = {
      entries: (await desk.chain.history(wallet)).length,
      units: await desk.chain.units(wallet, mint),
    };
    await Promise.all([comes(before.entries), movePrice(market, mint, 0.85)]);
    await desk.restart('kill');
    await expectOneBuy(sol, limit, before);
    await movePrice(market, mint, 1.2);
  });

  it('shows a bracket, the list, an order, its changes, a stop and rounds', async () => {
    const shots = shotsOf(desk.page, 'Alice');
    await alice.say(mint);
    await alice.reads(/ cap /);
    await alice.tap('Limit');
    await alice.reads(/Limit (buy|sell)/);
    await alice.tap('−10%');
    await alice.reads(/You never pay more/);
    await alice.tap('TP +50%');
    await alice.reads(/TP \+50% at/);
    await alice.tap('SL −20%');
    await alice.reads(/SL −20% at/);
    await shots('order-form');
    await alice.tap('Place order');
    await alice.reads(/Order #\d+/);
    await shots('order');
    await alice.tap('Edit');
    await alice.reads(/change it/);
    await alice.tap('New end');
    await alice.reads(/New end: /);
    await shots('order-edit');
    await alice.say('/orders');
    await alice.reads(/waiting for its buy/);
    await shots('orders');
    await alice.say(mint);
    await alice.reads(/ cap /);
    await alice.tap('TP/SL ✓');
    await alice.reads(/Exits /);
    await alice.tap('+50%');
    await alice.reads(/TP \+50% at/);
    await alice.tap('15%');
    await alice.reads(/below its high/);
    await shots('exits-form');
    await alice.tap('Back');
    await alice.reads(/ cap /);
    await alice.tap('DCA');
    await alice.reads(/DCA PUP/);
    await shots('dca-form');
    expect(desk.watch.problems).toEqual([]);
  });
});
