import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DraftGroup, OrderDraft } from '../../src/modules/orders/use/draft.ts';
import { PASSED } from '../support/passed.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const DAY = 86_400_000;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('orders', { spendCapLamports: 1_000n * SOL });
});
afterAll(() => rig.stop());

const { draftOf, groupOf, triggerAt, whaleOf, trade, found } = orderDesk(() => rig);

describe('a limit buy', () => {
  it('is placed once, waits while the price is not there, and buys once when it is, never above its limit', async () => {
    const mint = rig.token('PUP').mint as Address;
    const whale = await whaleOf('Whale');
    const { wallet } = await rig.trader('Patient', 5n);
    await trade(whale, mint, 'buy', 40n * SOL);
    const trigger = await triggerAt(wallet, mint, 1_004n);
    const draft = groupOf(wallet, mint, [draftOf({ trigger })]);
    const group = await rig.services.orders.place(draft);
    expect(await rig.services.orders.place(draft)).toEqual(group);
    expect(group.orders).toMatchObject([{ status: 'OPEN', number: 1 }]);
    await until(async () => rig.services.watches.orders.size() === 1);
    expect((await found(group)).orders).toMatchObject([{ status: 'OPEN', fires: 0 }]);

    await trade(whale, mint, 'sell', 10_000n);
    await until(async () => (await found(group)).orders[0]?.status === 'FILLED');
    const [order] = (await found(group)).orders;
    expect(order).toMatchObject({ fires: 1, filled: SOL / 2n });
    const [fire] = await rig.db.orders.fires(order?.id ?? '', 10);
    expect(fire?.end?.result).toBe('settled');
    // Never above the limit: what arrived for what was given is at least the trigger.
    expect((order?.received ?? 0n) * trigger.given).toBeGreaterThanOrEqual(
      (order?.filled ?? 0n) * trigger.got,
    );
    const held = (await rig.chain.holdings(wallet.address)).find((one) => one.mint === mint);
    expect(held?.amount).toBe(order?.received);
  });
});

describe('orders in the chat', () => {
  it('a limit order is made up on the card, placed once, listed, and told when it bought', async () => {
    const mint = rig.token('PUP').mint as Address;
    const whale = await whaleOf('Whale two');
    await trade(whale, mint, 'buy', 40n * SOL);
    const { person, wallet } = await rig.trader('Chatter', 5n);
    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('Limit');
    await person.waitFor(/Limit (buy|sell)/);
    await person.tap('Other price');
    await person.waitFor(/At which price/);
    await person.say('abc');
    await person.waitFor(/That is no price/);
    await person.say('-0.3%');
    await person.waitFor(/You never pay more/);
    await person.tap('Place order');
    await person.waitFor(/Order #1/);
    expect(await rig.db.orders.listOpen(wallet.userId ?? '')).toHaveLength(1);
    await person.say('/orders');
    await person.waitFor(/#1 Buy /);
    await until(async () => rig.services.watches.orders.size() === 1);
    await trade(whale, mint, 'sell', 10_000n);
    await person.waitFor(/Bought|Receipt/);
    await until(async () => (await rig.db.orders.listClosed(wallet.userId ?? '', 5)).length === 1);
    const [group] = await rig.db.orders.listClosed(wallet.userId ?? '', 5);
    expect(group?.orders).toMatchObject([{ status: 'FILLED', fires: 1, filled: SOL / 2n }]);
  });

  it('a stop of a position sells all of it once, and its take-profit ends with it', async () => {
    const mint = rig.token('PUP').mint as Address;
    const whale = await whaleOf('Whale three');
    await trade(whale, mint, 'buy', 40n * SOL);
    const { person, wallet } = await rig.trader('Stopper', 5n);
    await trade(wallet, mint, 'buy', SOL);
    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('TP/SL');
    await person.waitFor(/Exits PUP/);
    await person.tap('+50%');
    await person.waitFor(/TP \+50% at/);
    await person.tap('Advanced');
    await person.waitFor((_text, message) => JSON.stringify(message).includes('SL at…'));
    await person.tap('SL at…');
    await person.waitFor(/At which price/);
    await person.say('-0.3%');
    await person.waitFor(/SL −0\.3% at/);
    await person.tap('Place order');
    await person.waitFor(/TP \+50% /);
    await until(async () => rig.services.watches.orders.size() === 2);
    await trade(whale, mint, 'sell', 10_000n);
    await until(async () => (await rig.db.orders.listClosed(wallet.userId ?? '', 5)).length === 1);
    const [group] = await rig.db.orders.listClosed(wallet.userId ?? '', 5);
    const [profit, stop] = group?.orders ?? [];
    expect(profit).toMatchObject({ type: 'TAKE_PROFIT', status: 'CANCELLED', reason: 'oco', fires: 0 });
    expect(stop).toMatchObject({ type: 'STOP_LOSS', status: 'FILLED', fires: 1 });
    const held = (await rig.chain.holdings(wallet.address)).find((one) => one.mint === mint);
    expect(held?.amount ?? 0n).toBe(0n);
  });

  it('a stop that may sell low takes the PIN once, pauses with Lock now, and Keep asks for the PIN again', async () => {
    const mint = rig.token('PUP').mint as Address;
    const { person, wallet } = await rig.trader('Keeper', 5n);
    await trade(wallet, mint, 'buy', SOL);
    const userId = wallet.userId ?? '';
    const { guard } = rig.services;
    const hash = await guard.hashPin({ userId, pin: PIN });
    await guard.setPin({ userId, hash, again: PIN, replaces: null });
    await person.say(mint);
    await person.waitFor(/\n\S+( SOL)? · cap |No market/);
    await person.tap('TP/SL');
    await person.waitFor(/Exits PUP/);
    await person.tap('Advanced');
    await person.waitFor((_text, message) => JSON.stringify(message).includes('SL at…'));
    await person.tap('SL at…');
    await person.waitFor(/At which price/);
    await person.say('-20%');
    await person.waitFor(/SL −20% at/);
    await person.tap('Place order');
    await person.waitFor(/needs your PIN[\s\S]*less than 85 % of the price of the last hour/);
    expect(await rig.db.orders.listOpen(userId)).toEqual([]);
    await person.say(PIN);
    await person.waitFor(/Order #1/);
    const stands = async () => (await rig.db.orders.listOpen(userId))[0]?.orders[0];
    const placed = await stands();
    expect(placed?.terms.grants).toMatchObject({ steep: true, until: placed?.expiresAt });
    // Long after the PIN, too: the button is there while an order rests on it.
    await rig.db.guards.save({ ...(await rig.db.guards.find(userId)), unlockedUntil: null }, PASSED);
    await person.say('/setting');
    await person.waitFor(/Settings/);
    await person.tap('Security');
    await person.waitFor(/Without PIN, per 24 hours/);
    await person.tap('Lock now');
    await until(async () => (await stands())?.reason === 'locked');
    expect(await stands()).toMatchObject({ status: 'PAUSED', reason: 'locked' });
    expect(await guard.overview({ userId })).toMatchObject({ hasGrantedOrders: false });
    await person.say('/orders');
    await person.waitFor(/Your orders|Orders/);
    await person.tap('#1');
    await person.waitFor(/Order #1[\s\S]*it rested on your PIN/);
    await person.tap('Keep');
    await person.waitFor(/needs your PIN/);
    await person.say(PIN);
    await until(async () => (await stands())?.status === 'OPEN');
    await person.waitFor(/Order #1(?![\s\S]*rested on your PIN)/);
    await expect(rig.services.orders.cancel({ userId, orderId: placed?.id ?? '' })).resolves.toMatchObject({
      order: { status: 'CANCELLED' },
    });
  });

  it('a freeze pauses them all, and unfreezing resumes none', async () => {
    const mint = rig.token('PUP').mint as Address;
    const { person, wallet } = await rig.trader('Careful', 5n);
    const trigger = await triggerAt(wallet, mint, 1_500n);
    const group = await rig.services.orders.place(groupOf(wallet, mint, [draftOf({ trigger })]));
    await person.say('/panic');
    await until(async () => (await found(group)).orders[0]?.status === 'PAUSED');
    expect((await found(group)).orders).toMatchObject([{ status: 'PAUSED', reason: 'panic' }]);
    await expect(
      rig.services.orders.resume({ userId: wallet.userId ?? '', orderId: group.orders[0]?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
    await expect(
      rig.services.orders.place(groupOf(wallet, mint, [draftOf({ trigger })])),
    ).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
  });
});

describe('what is refused', () => {
  it('says why and stores nothing', async () => {
    const mint = rig.token('PUP').mint as Address;
    const { wallet } = await rig.trader('Refused', 5n);
    const userId = wallet.userId ?? '';
    const far = await triggerAt(wallet, mint, 1_500n);
    const near = await triggerAt(wallet, mint, 900n);
    const place = (more: Partial<OrderDraft>, group: Partial<DraftGroup> = {}) =>
      rig.services.orders.place(groupOf(wallet, mint, [draftOf({ trigger: far, ...more })], group));
    const refused = (kind: string) => ({ code: 'ORDER_REFUSED', details: { kind } });
    await expect(place({ trigger: near })).rejects.toMatchObject(refused('already-true'));
    await expect(place({ amount: { kind: 'fixed', units: 1_000n } })).rejects.toMatchObject(
      refused('too-small'),
    );
    await expect(place({}, { expiresAt: rig.clock.now() - 1 })).rejects.toMatchObject(
      refused('expiry-out-of-range'),
    );
    await expect(place({}, { expiresAt: rig.clock.now() + 31 * DAY })).rejects.toMatchObject(
      refused('expiry-out-of-range'),
    );
    await expect(place({ toleranceBps: 5_001 })).rejects.toMatchObject(refused('tolerance-out-of-range'));
    await expect(place({ trigger: { got: 0n, given: 1n } })).rejects.toMatchObject(refused('price-invalid'));
    await expect(
      place({ type: 'TRAILING_STOP', trigger: null, trailing: { bps: 10_000, activation: null } }),
    ).rejects.toMatchObject(refused('trail-out-of-range'));
    await expect(
      place({
        type: 'DCA',
        trigger: null,
        schedule: { intervalMs: 59_000, rounds: 5, band: { least: null, most: null } },
      }),
    ).rejects.toMatchObject(refused('interval-out-of-range'));
    await expect(
      place({
        type: 'DCA',
        trigger: null,
        schedule: { intervalMs: 60_000, rounds: 1, band: { least: null, most: null } },
      }),
    ).rejects.toMatchObject(refused('rounds-out-of-range'));
    await expect(
      place({}, { mint: 'So11111111111111111111111111111111111111112' as Address }),
    ).rejects.toMatchObject({
      code: 'SAME_TOKEN',
    });
    await expect(place({}, { mint: wallet.address })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(rig.services.orders.cancel({ userId, orderId: 'somebody else’s' })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
    expect(await rig.db.orders.listOpen(userId)).toEqual([]);
  });
});
