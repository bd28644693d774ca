import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { buttons, labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const SOL = 1_000_000_000n;
const CARD = /\n\S+( SOL)? · cap /;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('bought exits', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());
const { trade, whaleOf } = orderDesk(() => rig);

type Trader = Awaited<ReturnType<JourneyRig['trader']>>;

async function bought(name: string): Promise<Trader> {
  const trader = await rig.trader(name, 5n);
  const { person } = trader;
  await sayAndWait(person, rig.token('PUP').mint, CARD);
  await tapAndWait(person, '🟢 0.5', /At least/);
  await tapAndWait(person, 'Confirm buy', /^Bought/);
  await until(async () => (await rig.intents(person)).every(({ status }) => status === 'SUCCEEDED'));
  await person.waitFor((_text, message) => labels(message).includes('PnL card'), { past: true });
  return trader;
}

async function openOrders({ wallet }: Trader) {
  const groups = await rig.db.orders.listOpen(wallet.userId ?? '');
  return groups.flatMap(({ orders }) => orders);
}

describe('the exits below a purchase', () => {
  it('one tap places the stop, one the take-profit; each is told and is placed once', async () => {
    const trader = await bought('Quick');
    const { person } = trader;
    const first = await person.lastMessage();
    expect(labels(first)).toEqual(expect.arrayContaining(['SL −30%', 'TP +100%', 'Exits…', '🔴 100%']));
    const data = dataOf(first, 'SL −30%');
    await tapAndWait(person, 'SL −30%', /^Bought[\s\S]*SL −30% at \$0\.\d+ is watching/);
    expect(await openOrders(trader)).toMatchObject([
      { type: 'STOP_LOSS', status: 'OPEN', amount: { kind: 'rest' }, terms: { request: '-30%' } },
    ]);
    const after = await person.lastMessage();
    // The same message, with the state of it.
    expect(after?.message_id).toBe(first?.message_id);
    expect(labels(after)).toContain('SL −30% ✓');
    await person.tap({ data });
    await person.waitForToast(/^#1 SL −30% is placed already/);
    expect(await openOrders(trader)).toHaveLength(1);
    await tapAndWait(person, 'TP +100%', /SL −30% at[\s\S]*TP \+100% at \$0\.\d+ is watching/);
    expect((await openOrders(trader)).map(({ type, amount }) => [type, amount])).toEqual([
      ['STOP_LOSS', { kind: 'rest' }],
      ['TAKE_PROFIT', { kind: 'share', bps: 10_000 }],
    ]);
    // The stop is of the entry: 70 % of what a unit has cost.
    const entry = await rig.services.orders.entryPrice({
      userId: trader.wallet.userId ?? '',
      walletId: trader.wallet.id,
      mint: rig.token('PUP').mint as Address,
    });
    const { got = 0n, given = 1n } = (await openOrders(trader))[0]?.trigger ?? {};
    expect(got * (entry?.given ?? 0n) * 100n).toBe(given * (entry?.got ?? 0n) * 70n);
  });

  it('a tap before the purchase is final keeps its figures on the message', async () => {
    const { person } = await rig.trader('Early', 5n);
    await sayAndWait(person, rig.token('PUP').mint, CARD);
    await tapAndWait(person, '🟢 0.5', /At least/);
    await person.tap('Confirm buy');
    await person.waitFor(/^Bought[\s\S]* · not final/);
    await tapAndWait(person, 'SL −30%', /is watching/);
    const drawn = (await person.transcript()).split(/(?=Bought )/).slice(1);
    expect(drawn.length).toBeGreaterThan(1);
    for (const version of drawn) expect(version).toMatch(/Entry \$[\s\S]*Fees 0\.\d+ SOL/);
  });

  it('a late tap is answered in words, and what is left and how long it was held is said', async () => {
    const trader = await bought('Late');
    const { person } = trader;
    const message = await person.lastMessage();
    const data = dataOf(message, 'SL −30%');
    await tapAndWait(person, '🔴 50%', /At least/);
    await tapAndWait(person, 'Confirm sell', /^Sold [\s\S]*Left [\d,]+ PUP/);
    await sayAndWait(person, '/positions', /^Positions/);
    await tapAndWait(person, 'PUP', /taken out \$\d+[\s\S]*Held <1 min/);
    await tapAndWait(person, '🔴 100%', /At least/);
    await tapAndWait(person, 'Confirm sell', /^Sold all[\s\S]*→ \$0\.\d+ · held <1 min/);
    await until(async () => (await rig.intents(person)).every(({ status }) => status === 'SUCCEEDED'));
    await person.tap({ data });
    await person.waitFor(/You hold none of this token|Your entry is not known/);
    expect(await openOrders(trader)).toEqual([]);
  });

  it('opens the form, and places nothing, where the price is there already', async () => {
    const trader = await bought('Fallen');
    const { person } = trader;
    const mint = rig.token('PUP').mint as Address;
    // Each may spend a part of it a day.
    for (let n = 0; n < 4; n++) {
      const whale = await whaleOf(`Rising whale ${n}`);
      for (let part = 0; part < 2; part++) await trade(whale, mint, 'buy', 20n * SOL);
    }
    await tapAndWait(person, 'TP +100%', /^Exits[\s\S]*TP \+100% at/);
    expect(await openOrders(trader)).toEqual([]);
  });
});

function dataOf(message: Parameters<typeof buttons>[0], label: string): string {
  const found = buttons(message).find(({ text }) => text === label) as { callback_data?: string } | undefined;
  return found?.callback_data ?? '';
}
