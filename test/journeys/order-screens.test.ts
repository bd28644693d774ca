import type { Message } from '@grammyjs/types';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { labels } from './token-wizard.ts';

const SOL = 1_000_000_000n;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('order screens', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());
const { trade, wave, whaleOf, triggerAt, groupOf, draftOf, found } = orderDesk(() => rig);

type Trader = Awaited<ReturnType<JourneyRig['trader']>>;

/** Somebody on the trade card of PUP, with a little of it where `holds`. */
async function onCard(name: string, holds: boolean): Promise<Trader> {
  const mint = rig.token('PUP').mint as Address;
  const trader = await rig.trader(name, 5n);
  if (holds) await trade(trader.wallet, mint, 'buy', SOL);
  await trader.person.say(mint);
  await trader.person.waitFor(/\n\S+( SOL)? · cap |No market/);
  return trader;
}

async function openOf({ wallet }: Trader): Promise<readonly OrderGroup[]> {
  return rig.db.orders.listOpen(wallet.userId ?? '');
}

describe('a limit buy with its exits', () => {
  it('is one placing: the exits follow its price, and wait for what it buys', async () => {
    const trader = await onCard('Bracketer', false);
    const { person } = trader;
    await person.tap('Limit');
    await person.waitFor(/Limit (buy|sell)/);
    await person.tap('−10%');
    await person.waitFor(/You never pay more/);
    await person.tap('TP +50%');
    await person.waitFor(/When it has bought, sell what arrived:\s*TP \+50%/);
    await person.tap('SL −20%');
    const shown = await person.waitFor(/SL −20% at/);
    await person.tap('−20%');
    const moved = await person.waitFor(/\(−20%\)[\s\S]*SL −20% at/);
    // The exits are of the purchase's price, so they moved with it.
    expect(stopIn(moved.text)).not.toBe(stopIn(shown.text));
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    const groups = await openOf(trader);
    expect(groups.map(({ kind }) => kind).toSorted()).toEqual(['OTOCO', 'SINGLE']);
    const [entry, legs] = [
      groups.find(({ kind }) => kind === 'SINGLE')?.orders[0],
      groups.find(({ kind }) => kind === 'OTOCO')?.orders ?? [],
    ];
    expect(entry).toMatchObject({ status: 'OPEN', type: 'LIMIT', partial: false });
    expect(legs.map(({ type, status }) => [type, status])).toEqual([
      ['TAKE_PROFIT', 'WAITING'],
      ['STOP_LOSS', 'WAITING'],
    ]);
    const { got = 1n, given = 1n } = entry?.trigger ?? {};
    const { got: stop = 1n, given: of = 1n } = legs[1]?.trigger ?? {};
    // 80 % of the price of the purchase, to the last digit.
    expect(stop * got * 100n).toBe(of * given * 80n);
    await person.tap('Edit');
    // Its legs wait for one fill: coming in parts is not offered.
    expect(
      labels(await person.waitFor(/Nothing does before you save/)).some((label) =>
        label.endsWith('In parts'),
      ),
    ).toBe(false);
    await person.say('/orders');
    await person.waitFor(/SL −20% \S+ · waiting for its buy/);
  });

  it('asks anew when an exit is tapped off', async () => {
    const trader = await onCard('Doubter', false);
    const { person } = trader;
    await person.tap('Limit');
    await person.waitFor(/Limit (buy|sell)/);
    await person.tap('−10%');
    await person.waitFor(/You never pay more/);
    await person.tap('TP +50%');
    await person.waitFor(/When it has bought/);
    await person.tap(/TP \+50%/);
    await until(async () => !/When it has bought/.test((await person.lastMessage())?.text ?? ''));
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    expect((await openOf(trader)).map(({ kind }) => kind)).toEqual(['SINGLE']);
  });
});

describe('a purchase of now with its exits', () => {
  it('is chosen on the confirm screen, stands in the commit of the purchase, and wakes with what arrived', async () => {
    const trader = await onCard('Beside', false);
    const { person, wallet } = trader;
    await person.tap('🟢 0.5');
    await person.waitFor(/At least/);
    await person.tap('Add take-profit');
    const first = await person.waitFor(/Then TP \+25%/);
    await person.tap('Add stop-loss');
    await person.waitFor(/TP \+25% · SL −10%/);
    await person.tap('SL −10%');
    await person.waitFor(/TP \+25% · SL −20%/);
    expect(await openOf(trader)).toEqual([]);
    await person.tap('Confirm buy');
    await person.waitFor(/^Bought/);
    await until(async () =>
      (await openOf(trader)).flatMap(({ orders }) => orders).every(({ status }) => status === 'OPEN'),
    );
    const [group, ...others] = await openOf(trader);
    expect(others).toEqual([]);
    const held = (await rig.chain.holdings(wallet.address)).find(
      ({ mint }) => mint === rig.token('PUP').mint,
    );
    expect(group).toMatchObject({ kind: 'OTOCO', units: held?.amount });
    expect(group?.orders.map(({ type, terms }) => [type, terms.request])).toEqual([
      ['TAKE_PROFIT', '+25%'],
      ['STOP_LOSS', '-20%'],
    ]);
    // The screens before it are used up: their buttons buy nothing more.
    await person.tap({ data: dataOf(first, 'Confirm buy') });
    await person.waitForToast(/./);
    expect(await rig.intents(person)).toHaveLength(1);
  });
});

describe('changing an order in the chat', () => {
  it('shows what would change, refuses what a placing refuses, and puts it in the place of the old at once', async () => {
    const trader = await onCard('Changer', false);
    const { person } = trader;
    await person.tap('Limit');
    await person.waitFor(/Limit (buy|sell)/);
    await person.tap('−10%');
    await person.waitFor(/You never pay more/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    const [before] = (await openOf(trader))[0]?.orders ?? [];
    await person.tap('Edit');
    const form = await person.waitFor(/Order #1 · change it[\s\S]*Nothing does before you save/);
    expect(labels(form).some((label) => label.endsWith('In parts'))).toBe(true);
    await person.tap('Other price');
    await person.waitFor(/At which price/);
    await person.say('+10%');
    await person.waitFor(/New price: [\d.]+ SOL \(\+10%\)[\s\S]*already/);
    await person.tap('Other price');
    await person.waitFor(/At which price/);
    await person.say('-30%');
    await person.waitFor(/New price: [\d.]+ SOL \(-30%\)[\s\S]*Save puts this/);
    await person.tap('Amount');
    await person.waitFor(/How much/);
    await person.say('lots');
    await person.waitFor(/is not an amount/);
    await person.say('1');
    await person.waitFor(/New amount: 1 SOL/);
    expect((await openOf(trader))[0]?.orders).toEqual([before]);
    await person.tap('Save');
    await person.waitFor(/Nothing does before you save/);
    const [after] = (await openOf(trader))[0]?.orders ?? [];
    expect(after).toMatchObject({
      id: before?.id,
      number: 1,
      fires: 0,
      amount: { kind: 'fixed', units: SOL },
      terms: { request: '-30%' },
    });
  });

  it('does not save over what has changed since it was seen', async () => {
    const trader = await onCard('Late', false);
    const { person, wallet } = trader;
    await person.tap('Limit');
    await person.waitFor(/Limit (buy|sell)/);
    await person.tap('−10%');
    await person.waitFor(/You never pay more/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    await person.tap('Edit');
    await person.waitFor(/change it/);
    await person.tap('New end');
    await person.waitFor(/New end: 1 d after/);
    const orderId = (await openOf(trader))[0]?.orders[0]?.id ?? '';
    await rig.services.orders.cancel({ userId: wallet.userId ?? '', orderId });
    const seen = await rig.db.orders.find(orderId);
    await person.tap('Save');
    await until(async () => !/New end: 1 d after/.test((await person.lastMessage())?.text ?? ''));
    expect(await rig.db.orders.find(orderId)).toEqual(seen);
  });
});

describe('what else a form offers', () => {
  it('rounds keep to a band, and a stop sells at its end', async () => {
    const trader = await onCard('Planner', true);
    const { person } = trader;
    await person.tap('DCA');
    await person.waitFor(/DCA/);
    await person.tap('Top price: none');
    await person.waitFor(/At which price/);
    await person.say('-5%');
    await person.waitFor(/Not above [\d.]+ SOL: until then it waits/);
    await person.tap('X×');
    await person.waitFor(/How many rounds, and how far apart/);
    await person.say('every day');
    await person.waitFor(/That is no rhythm. Send one like 12 x 6h/);
    await person.say('40 x 1d');
    await person.waitFor(/buys 0\.1 SOL now,\nthen every 1 d, 40 times in all\nTotal 4 SOL/);
    await person.tap('0.05');
    await person.waitFor(/buys 0\.05 SOL now,[\s\S]*Total 2 SOL/);
    await person.tap('X SOL');
    await person.waitFor(/How much SOL shall each round give/);
    await person.say('0.009');
    await person.waitFor(/Each round must be worth 0.01 SOL at least/);
    await person.say('0.0125');
    const form = await person.waitFor(
      /buys 0\.0125 SOL now,\nthen every 1 d, 40 times in all\nTotal 0\.5 SOL/,
    );
    const lastRound = new Date(rig.clock.now() + 39 * 86_400_000).toISOString().slice(0, 10);
    expect(form.text).toContain(`ends ${lastRound}`);
    expect(JSON.stringify(form.reply_markup)).not.toContain('Ends in');
    await person.tap('First: now');
    await person.waitFor(/buys 0\.0125 SOL in 1 h,/);
    await person.tap('Start');
    await person.waitFor(/Order #1/);
    await person.say(rig.token('PUP').mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap(/^TP\/SL/);
    await person.waitFor(/Exits/);
    await person.tap('−20%');
    await person.waitFor(/SL −20% at/);
    await person.tap('Advanced');
    await person.waitFor((_text, message) => JSON.stringify(message).includes('Sell at end'));
    await person.tap('Sell at end');
    await until(async () => {
      const message = await person.lastMessage();
      return (
        JSON.stringify(message).includes('✓ Sell at end') ||
        JSON.stringify(message).includes('✅ Sell at end')
      );
    });
    await person.tap('Place order');
    await person.waitFor(/Order #2/);
    const orders = (await openOf(trader)).flatMap((group) => group.orders);
    const [rounds, stop] = [
      orders.find(({ type }) => type === 'DCA'),
      orders.find(({ type }) => type === 'STOP_LOSS'),
    ];
    expect(rounds?.terms.schedule).toMatchObject({ rounds: 40, intervalMs: 86_400_000 });
    expect(rounds?.terms.schedule?.band.least).not.toBeNull();
    expect((rounds?.terms.schedule?.startAt ?? 0) - (rounds?.createdAt ?? 0)).toBe(3_600_000);
    // It used to end after seven days, with 33 rounds that never came.
    expect(Math.round(((rounds?.expiresAt ?? 0) - (rounds?.createdAt ?? 0)) / 86_400_000)).toBe(80);
    expect(stop?.terms.sellsOnExpiry).toBe(true);
  });
});

function stopIn(text: string | undefined): string | undefined {
  return /SL −20% at \$([\d.₀-₉]+)/.exec(text ?? '')?.[1];
}

function dataOf(message: Message, label: string): string {
  const markup = message.reply_markup;
  const buttons = markup !== undefined && 'inline_keyboard' in markup ? markup.inline_keyboard.flat() : [];
  const button = buttons.find(({ text }) => text === label);
  if (button === undefined || !('callback_data' in button)) throw new Error(`no button ${label}`);
  return button.callback_data;
}

describe('the terms of a sale', () => {
  it('counts as the other screens do: no broken tokens of many thousands, and one slot is no slots', async () => {
    const { person } = await onCard('Counter', true);
    await person.tap(/^TP\/SL/);
    await person.waitFor(/Exits PUP · [\d,]{5,}/);
    await person.tap('−20%');
    await person.waitFor(/held for 2\.4 s/);
    await person.tap('Advanced');
    await person.waitFor((_text, message) => JSON.stringify(message).includes('Hold: 2.4 s'));
    await person.tap('Hold: 2.4 s');
    await person.waitFor(/held for 12 s/);
    await person.tap('Hold: 12 s');
    await person.waitFor(/held for 1 slot/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    await person.say('/orders');
    await person.waitFor(/1 open/);
    await person.tap('Pause all');
    await person.waitForToast(/^Orders changed: 1$/);
  });

  it('a percentage is of what was paid, the stop says how low it sells, and a trail may start later', async () => {
    const trader = await onCard('Owner', true);
    const { person, wallet } = trader;
    const mint = rig.token('PUP').mint as Address;
    const paid = await until(() =>
      rig.services.orders.entryPrice({ userId: wallet.userId ?? '', walletId: wallet.id, mint }),
    );
    await person.tap(/^TP\/SL/);
    await person.waitFor(/Entry \$[\d.₀-₉]+, fees in/);
    await person.tap('−20%');
    await person.waitFor(/SL −20% at \$[\s\S]*2\.4 s, not below \$/);
    await person.tap('Advanced');
    await person.waitFor((_text, message) => JSON.stringify(message).includes('At any price'));
    await person.tap('At any price');
    await person.waitFor(/2\.4 s, at any price/);
    await person.tap('Back');
    await person.waitFor(/2\.4 s, at any price/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    const [stop] = (await openOf(trader))[0]?.orders ?? [];
    const { got = 0n, given = 1n } = stop?.trigger ?? {};
    // 80 % of what was paid, fees in, to the last digit; not of what a sale would bring now.
    expect(got * paid.given * 100n).toBe(given * paid.got * 80n);
    expect(stop?.terms.floor).toEqual({ got: 0n, given: 1n });

    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap(/^TP\/SL/);
    await person.waitFor(/Exits/);
    await person.tap('15%');
    await person.waitFor(/15 % below its high/);
    await person.tap('Advanced');
    await person.waitFor((_text, message) => JSON.stringify(message).includes('Trail from…'));
    await person.tap('Trail from…');
    await person.waitFor(/At which price/);
    await person.say('+50%');
    await person.waitFor(/15 % below its high, from [\d.]+ SOL on/);
    await person.tap('Place order');
    await person.waitFor(/A stop already sells the rest of this position: #1/);
    await person.tap('Replace #1');
    await person.waitFor(/Order #2/);
    const [stopNow] = (await openOf(trader)).flatMap(({ orders }) => orders);
    expect(stopNow).toMatchObject({ number: 2, status: 'OPEN' });
    const trailing = (await openOf(trader))
      .flatMap(({ orders }) => orders)
      .find(({ number }) => number === 2);
    const { activation } = trailing?.terms.trailing ?? { activation: null };
    if (activation === null) throw new Error('it starts at a price');
    expect(activation.got * paid.given * 100n).toBe(activation.given * paid.got * 150n);
    expect(trailing?.progress.activatedAt).toBeNull();

    // Its distance changes; where it starts stays.
    await person.tap('Edit');
    await person.waitFor(/change it/);
    await person.tap('Trail 15%');
    await person.waitFor(/New distance: 25 %/);
    await person.tap('Save');
    await person.waitFor(/Nothing does before you save/);
    const edited = (await openOf(trader)).flatMap(({ orders }) => orders).find(({ number }) => number === 2);
    expect(edited?.terms.trailing).toEqual({ bps: 2_500, activation });
  });

  it('its floor is changed in its own unit, and never above its price', async () => {
    const trader = await onCard('Floorer', true);
    const { person } = trader;
    await person.tap(/^TP\/SL/);
    await person.waitFor(/Exits/);
    await person.tap('−20%');
    await person.waitFor(/SL −20% at/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    const [before] = (await openOf(trader))[0]?.orders ?? [];
    await person.tap('Edit');
    await person.waitFor(/change it/);
    await person.tap('Floor at…');
    await person.waitFor(/Below which price/);
    await person.say('$0.0001');
    await person.waitFor(/counts in SOL/);
    await person.say('+5%');
    await person.waitFor(/floor lies above/);
    await person.tap('Floor at…');
    await person.waitFor(/Below which price/);
    await person.say('-60%');
    await person.waitFor(/New floor: it sells not below [\d.]+ SOL/);
    await person.tap('Save');
    await person.waitFor(/Nothing does before you save/);
    const [after] = (await openOf(trader))[0]?.orders ?? [];
    const { got = 0n, given = 1n } = after?.terms.floor ?? {};
    const { got: price = 1n, given: of = 1n } = before?.trigger ?? {};
    expect(got * of * 100n).toBe(given * price * 40n);
    expect(after?.trigger).toEqual(before?.trigger);
  });

  it('a limit may be missed by as much as its person allows', async () => {
    const trader = await onCard('Lenient', false);
    const { person } = trader;
    await person.tap('Limit');
    await person.waitFor(/Limit (buy|sell)/);
    await person.tap('−10%');
    await person.waitFor(/You never pay more/);
    await person.tap('Tolerance 0 %');
    await person.waitFor(/may end 1 % worse/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    expect((await openOf(trader))[0]?.orders[0]?.terms.toleranceBps).toBe(100);
  });
});

describe('a stop below its floor', () => {
  it('sells nothing and says so once, with a way to lower the floor; lowered, it sells', async () => {
    const trader = await onCard('Waiter', true);
    const { person, wallet } = trader;
    const mint = rig.token('PUP').mint as Address;
    const whale = await whaleOf('Dumper');
    await wave(whale, mint, 'buy');
    const [holding] = (await rig.chain.holdings(wallet.address)).filter((one) => one.mint === mint);
    const held = holding?.amount ?? 0n;
    const now = await triggerAt(wallet, mint, 1_000n, 'sell', held);
    const part = (permille: bigint) => ({ got: now.got * permille, given: now.given * 1_000n });
    const draft = draftOf({
      side: 'sell',
      type: 'STOP_LOSS',
      amount: { kind: 'rest' },
      request: '-1%',
      trigger: part(990n),
      floor: part(989n),
    });
    const group = await rig.services.orders.place(groupOf(wallet, mint, [draft], { units: null }));
    await wave(whale, mint, 'sell');
    const told = await person.waitFor(/did not fire: the price is below the floor/);
    expect(JSON.stringify(told)).toContain('Sell now…');
    expect((await found(group)).orders[0]).toMatchObject({ status: 'OPEN', fires: 0 });
    await person.tap({ data: dataOf(told, 'Lower the floor…') });
    await person.waitFor(/change it/);
    await person.tap('At any price');
    await person.waitFor(/sells at any price, however low/);
    await person.tap('Save');
    await until(async () => (await found(group)).orders[0]?.status === 'FILLED');
    expect((await found(group)).orders[0]).toMatchObject({ fires: 1, filled: held });
  });
});
