import type { Message } from '@grammyjs/types';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const FORGED = 'AAAAAAAAAAAAAAAAAAAAAA';
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('order-bad-input', { spendCapLamports: 1_000n * SOL, unlimited: true });
});
afterAll(() => rig.stop());
const { draftOf, groupOf, triggerAt, whaleOf, wave, found } = orderDesk(() => rig);

type Trader = Awaited<ReturnType<JourneyRig['trader']>>;

const pup = (): Address => rig.token('PUP').mint as Address;
const openOf = ({ wallet }: Trader): Promise<readonly OrderGroup[]> =>
  rig.db.orders.listOpen(wallet.userId ?? '');

async function onLimitForm(name: string): Promise<Trader> {
  const trader = await rig.trader(name, 5n);
  const { person } = trader;
  await person.say(pup());
  await person.waitFor(/\n\S+( SOL)? · cap |No market/);
  await person.tap('Limit');
  await person.waitFor(/Limit (buy|sell)/);
  return trader;
}

function dataOf(message: Message | undefined, label: string): string {
  const markup = message?.reply_markup;
  const buttons = markup !== undefined && 'inline_keyboard' in markup ? markup.inline_keyboard.flat() : [];
  const button = buttons.find(({ text }) => text === label);
  if (button === undefined || !('callback_data' in button)) throw new Error(`no button ${label}`);
  return button.callback_data;
}

describe('a price that is typed', () => {
  it('is refused in words, and nothing is stored', async () => {
    const trader = await onLimitForm('Typer');
    const { person } = trader;
    for (const text of [
      '0',
      '-5',
      'abc',
      '1e30',
      '0,5,5',
      '$',
      'NaN',
      'NaNK',
      '$-1',
      '-100%',
      '0x',
      '<b>1</b>',
      '=1+1',
    ]) {
      await person.tap('Other price');
      await person.waitFor(/At which price/);
      await person.say(text);
      const answer = await person.waitFor(
        /That is no price|no market cap|cannot|You never pay more|would buy at once/,
      );
      expect(answer.text, text).toMatch(/That is no price|no market cap|cannot/);
      await person.say('/cancel');
      await person.say(pup());
      await person.waitFor(/\n\S+( SOL)? · cap |No market/);
      await person.tap('Limit');
      await person.waitFor(/Limit (buy|sell)/);
    }
    expect(await openOf(trader)).toEqual([]);
  });
});

describe('the button that places', () => {
  it('places once when it is tapped twice, for nobody else, and not at all when it is made up', async () => {
    const trader = await onLimitForm('Twice');
    const { person } = trader;
    await person.tap('−10%');
    const data = dataOf(await person.waitFor(/You never pay more/), 'Place order');
    const stranger = await onLimitForm('Stranger');
    await stranger.person.tap({ data });
    const [feature = '', action = ''] = data.split(':');
    await stranger.person.tap({ data: `${feature}:${action}:${FORGED}` });
    await rig.burst(() => Promise.all([person.tap({ data }), person.tap({ data })]));
    await person.waitFor(/Order #1/);
    await until(async () => (await openOf(trader)).length > 0);
    await person.tap({ data });
    await person.say('/orders');
    await person.waitFor(/#1 Buy /);
    expect(await openOf(trader)).toHaveLength(1);
    expect(await openOf(stranger)).toEqual([]);
  });
});

describe('what an order stands on changes', () => {
  it('an order that is over cannot be changed any more', async () => {
    const whale = await whaleOf('Whale');
    await wave(whale, pup(), 'buy');
    const trader = await rig.trader('Late', 5n);
    const trigger = await triggerAt(trader.wallet, pup(), 1_004n);
    const group = await rig.services.orders.place(groupOf(trader.wallet, pup(), [draftOf({ trigger })]));
    const { person } = trader;
    await person.say('/orders');
    await person.waitFor(/#1 Buy /);
    await person.tap('#1');
    const edit = dataOf(await person.waitFor(/Order #1/), 'Edit');
    await wave(whale, pup(), 'sell');
    await until(async () => (await found(group)).orders[0]?.status === 'FILLED');
    const before = await found(group);
    await person.tap({ data: edit });
    await person.waitFor(/Order #1[\s\S]*done/);
    expect(await found(group)).toEqual(before);
  });

  it('an order trades from its own wallet, whichever is used meanwhile', async () => {
    const whale = await whaleOf('Whale two');
    await wave(whale, pup(), 'buy');
    const trader = await rig.trader('Switcher', 5n);
    const { person, wallet } = trader;
    const trigger = await triggerAt(wallet, pup(), 1_004n);
    const group = await rig.services.orders.place(groupOf(wallet, pup(), [draftOf({ trigger })]));
    await person.tap(/^Wallets/);
    await person.waitFor(/Main/);
    await person.tap('Create Deposit Wallet');
    await person.waitFor(/^Wallet 2/);
    await person.tap('Use this');
    await until(async () => (await rig.user(person)).activeWalletId !== wallet.id);
    await wave(whale, pup(), 'sell');
    await until(async () => (await found(group)).orders[0]?.status === 'FILLED');
    const [order] = (await found(group)).orders;
    const held = (await rig.chain.holdings(wallet.address)).find(({ mint }) => mint === pup());
    expect(held?.amount).toBe(order?.received);
  });
});
