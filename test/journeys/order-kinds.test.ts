import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Order, OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { confirmable } from '../../src/modules/trading/use/trade-quote.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import { orderDesk } from './order-desk.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';

const SOL = 1_000_000_000n;
const MINUTE = 60_000;
let rig: JourneyRig;
let leapt = 0;
const clock: Clock = { now: () => Date.now() + leapt };
/** Time passes at once: what is due then is due. */
const leap = (ms: number): void => {
  leapt += ms;
};
/** Time passes while it is asked: what must hold for seconds holds for them, however slow or quick the machine is. */
const untilHeld: typeof until = (ask) =>
  until(async () => {
    leap(100);
    return ask();
  });
beforeAll(async () => {
  rig = await startJourneyRig('order kinds', { spendCapLamports: 100_000n * SOL, clock });
});
afterAll(() => rig.stop());

const { draftOf, groupOf, triggerAt, whaleOf, trade, wave, found, heldOf, isSeen } = orderDesk(() => rig);
const pup = (): Address => rig.token('PUP').mint as Address;
const { place, edit } = {
  place: (...given: Parameters<JourneyRig['services']['orders']['place']>) =>
    rig.services.orders.place(...given),
  edit: (...given: Parameters<JourneyRig['services']['orders']['edit']>) =>
    rig.services.orders.edit(...given),
};

const first = async (group: OrderGroup): Promise<Order> => {
  const [order] = (await found(group)).orders;
  if (order === undefined) throw new Error('no order');
  return order;
};
const firesOf = (order: Pick<Order, 'id'>) => rig.db.orders.fires(order.id, 200);
/** A share of a position, as sales of what is held are made up. */
const stopOf = (more: Parameters<typeof draftOf>[0]) =>
  draftOf({ side: 'sell', amount: { kind: 'rest' }, request: '-1%', ...more });

const legsOf = (sale: { got: bigint; given: bigint }) => ({
  drafts: [
    draftOf({
      side: 'sell',
      type: 'TAKE_PROFIT',
      amount: { kind: 'share', bps: 10_000 },
      trigger: { got: sale.got * 101n, given: sale.given * 100n },
    }),
    stopOf({ type: 'STOP_LOSS', trigger: { got: sale.got * 80n, given: sale.given * 100n } }),
  ],
  expiresAt: clock.now() + 86_400_000,
});

describe('a breakout', () => {
  it('buys once when the price rose and held, and not above what it may cost', async () => {
    const whale = await whaleOf('Riser');
    const { wallet } = await rig.trader('Breakout', 5n);
    const trigger = await triggerAt(wallet, pup(), 990n);
    const group = await place(
      groupOf(wallet, pup(), [draftOf({ type: 'STOP_BUY', trigger, request: '+1%' })]),
    );
    await isSeen(group);
    expect(await first(group)).toMatchObject({ status: 'OPEN', fires: 0 });
    await wave(whale, pup(), 'buy');
    await until(async () => (await first(group)).status === 'FILLED');
    const order = await first(group);
    expect(order).toMatchObject({ fires: 1, filled: SOL / 2n });
    // A tenth above the trigger at most.
    expect(order.received * trigger.given * 11n).toBeGreaterThanOrEqual(order.filled * trigger.got * 10n);
    expect(await heldOf(wallet, pup())).toBe(order.received);
    await wave(whale, pup(), 'sell');
  });
});

describe('a trailing stop', () => {
  it('rises with a price that held, and sells once at its distance below it', async () => {
    const whale = await whaleOf('Pumper');
    const { wallet } = await rig.trader('Trailer', 5n);
    await trade(wallet, pup(), 'buy', SOL);
    const held = await heldOf(wallet, pup());
    const trailing = { bps: 200, activation: null };
    const draft = groupOf(wallet, pup(), [stopOf({ type: 'TRAILING_STOP', trailing })], { units: null });
    const group = await place(draft);
    await isSeen(group, { wait: untilHeld });
    const lane = await untilHeld(async () => {
      const [peak] = (await rig.peaks([pup()])).toSorted((a, b) => b.at - a.at);
      return peak !== undefined && peak.at >= group.createdAt ? peak : null;
    });
    await wave(whale, pup(), 'buy');
    // As high as the whole wave, and no higher for a while: of a part of it, the way back down is less than the stop's distance.
    let high = { rate: lane.rate, at: clock.now() };
    await untilHeld(async () => {
      for (const { rate } of await rig.peaks([pup()]))
        if (rate.got * high.rate.given > high.rate.got * rate.given) high = { rate, at: clock.now() };
      const { rate, at } = high;
      return (
        rate.got * lane.rate.given * 98n > lane.rate.got * rate.given * 100n && clock.now() - at > 10_000
      );
    });
    expect(await first(group)).toMatchObject({ status: 'OPEN', fires: 0 });
    const shown = await rig.services.orders.trailHigh(group, await first(group));
    if (shown === null) throw new Error('it has a high');
    expect(shown.high.got * lane.rate.given).toBeGreaterThan(lane.rate.got * shown.high.given);
    expect(shown.threshold.got * shown.high.given * 100n).toBe(shown.high.got * shown.threshold.given * 98n);
    await wave(whale, pup(), 'sell');
    await untilHeld(async () => (await first(group)).status === 'FILLED');
    const order = await first(group);
    expect(await rig.services.orders.trailHigh(group, order)).toBeNull();
    expect(order).toMatchObject({ fires: 1, filled: held });
    expect(await heldOf(wallet, pup())).toBe(0n);
    expect(await firesOf(order)).toHaveLength(1);
  });
});

describe('rounds', () => {
  const rounds = (wallet: Wallet, band: { least: null; most: { got: bigint; given: bigint } | null }) =>
    place(
      groupOf(wallet, pup(), [
        draftOf({
          type: 'DCA',
          amount: { kind: 'fixed', units: SOL / 2n + 1n },
          schedule: { intervalMs: 2 * MINUTE, rounds: 3, band },
        }),
      ]),
    );
  const doneOf = async (group: OrderGroup): Promise<number> =>
    (await first(group)).progress.schedule?.done ?? 0;

  it('buy one part each, once and on time; those that were missed come at the end', async () => {
    const { wallet } = await rig.trader('Averager', 5n);
    const group = await rounds(wallet, { least: null, most: null });
    await until(async () => (await doneOf(group)) === 1);
    await rig.pause(600);
    // The next one is not due.
    expect(await firesOf(await first(group))).toHaveLength(1);
    // The windows of two rounds pass without anybody there.
    leap(2 * MINUTE * 2 + MINUTE + 1_000);
    await until(async () => (await first(group)).progress.schedule?.missed === 2);
    expect(await doneOf(group)).toBe(1);
    leap(MINUTE);
    await until(async () => (await doneOf(group)) === 2);
    leap(2 * MINUTE);
    await until(async () => (await first(group)).status === 'FILLED');
    const order = await first(group);
    expect(order).toMatchObject({ fires: 3, filled: SOL / 2n + 1n });
    const part = (SOL / 2n + 1n) / 3n;
    const fires = (await firesOf(order)).toReversed();
    expect(fires.map(({ n, end }) => [n, end?.result])).toEqual([
      [1, 'settled'],
      [2, 'settled'],
      [3, 'settled'],
    ]);
    expect(fires.map(({ units }) => units)).toEqual([part, part, SOL / 2n + 1n - 2n * part]);
    expect(await heldOf(wallet, pup())).toBe(order.received);
  });

  it('out of their band wait, and move to the end', async () => {
    const { wallet } = await rig.trader('Banded', 5n);
    const { got, given } = await triggerAt(wallet, pup(), 500n);
    const group = await rounds(wallet, { least: null, most: { got, given } });
    await rig.pause(2_500);
    expect(await first(group)).toMatchObject({ status: 'OPEN', fires: 0 });
    leap(MINUTE + 1_000);
    await until(async () => (await first(group)).progress.schedule?.missed === 1);
    expect(await first(group)).toMatchObject({ status: 'OPEN', fires: 0 });
    await rig.services.orders.cancel({ userId: group.userId, orderId: group.orders[0]?.id ?? '' });
  });
});

describe('a time exit', () => {
  it('sells what is left when its time is over; one that is paused expires unsold', async () => {
    const { wallet } = await rig.trader('Leaver', 5n);
    await trade(wallet, pup(), 'buy', SOL);
    const held = await heldOf(wallet, pup());
    const sale = { ...(await triggerAt(wallet, pup(), 500n, 'sell', held)) };
    const draft = (sellsOnExpiry: boolean) =>
      groupOf(wallet, pup(), [stopOf({ type: 'STOP_LOSS', trigger: sale, floor: 'any', sellsOnExpiry })], {
        units: null,
        expiresAt: clock.now() + 5 * MINUTE,
      });
    const [exit, plain, paused] = [
      await place(draft(true)),
      // A position has one stop: these sell units of their own.
      await place({ ...draft(false), units: held }),
      await place({ ...draft(true), units: held }),
    ];
    const orderId = paused.orders[0]?.id ?? '';
    await rig.services.orders.pause({ userId: paused.userId, orderId });
    leap(5 * MINUTE + 1_000);
    await until(async () => (await first(exit)).status === 'FILLED');
    await until(async () => (await first(plain)).status === 'EXPIRED');
    await until(async () => (await first(paused)).status === 'EXPIRED');
    expect(await first(exit)).toMatchObject({ fires: 1, filled: held });
    expect([...(await firesOf(await first(plain))), ...(await firesOf(await first(paused)))]).toEqual([]);
    expect(await heldOf(wallet, pup())).toBe(0n);
  });
});

describe('a bracket', () => {
  const legsGroup = async (entry: OrderGroup): Promise<OrderGroup> => {
    const legs = await rig.services.orders.legsOf(entry.orders[0]?.id ?? '');
    if (legs === null) throw new Error('no legs');
    return legs;
  };

  it('waits for its entry, sells what arrived, and the other leg ends once', async () => {
    const whale = await whaleOf('Mover');
    await wave(whale, pup(), 'buy');
    const { wallet } = await rig.trader('Bracketed', 5n);
    const trigger = await triggerAt(wallet, pup(), 1_005n);
    const entry = { got: trigger.given, given: trigger.got };
    const group = await place({ ...groupOf(wallet, pup(), [draftOf({ trigger })]), legs: legsOf(entry) });
    const waiting = await legsGroup(group);
    expect(waiting).toMatchObject({
      kind: 'OTOCO',
      units: 0n,
      orders: [{ status: 'WAITING' }, { status: 'WAITING' }],
    });
    await isSeen(group);
    await wave(whale, pup(), 'sell');
    await until(async () => (await first(group)).status === 'FILLED');
    const { received } = await first(group);
    expect(await legsGroup(group)).toMatchObject({
      units: received,
      orders: [{ status: 'OPEN' }, { status: 'OPEN' }],
    });
    // A sale pays the way back as well: one wave does not make one percent of profit.
    await wave(whale, pup(), 'buy');
    await wave(whale, pup(), 'buy');
    await until(async () => (await found(waiting)).orders[0]?.status === 'FILLED');
    const [profit, stop] = (await found(waiting)).orders;
    expect(profit).toMatchObject({ fires: 1, filled: received });
    expect(stop).toMatchObject({ status: 'CANCELLED', reason: 'oco', fires: 0 });
    // Awake, and cut: nothing else was written of it.
    expect(stop?.version).toBe(3);
    expect(await heldOf(wallet, pup())).toBe(0n);
    await wave(whale, pup(), 'sell');
  });

  it('with a purchase of now stands in the same commit and wakes with it', async () => {
    const { wallet } = await rig.trader('Now', 5n);
    const settings = { wallet: wallet.address, mint: pup(), slippageBps: 500, tier: 'normal' } as const;
    const quote = await rig.services.trade.quoteTrade({
      side: 'buy',
      ...settings,
      amount: { lamports: SOL },
    } as never);
    const price = { got: quote.terms.amountIn, given: quote.terms.quotedOut };
    const input = {
      userId: wallet.userId ?? '',
      walletId: wallet.id,
      idemKey: rig.ids.token(),
      trade: confirmable(quote),
      legs: { ...legsOf({ got: price.got * 2n, given: price.given }), slippageBps: 500, accepted: [] },
    };
    const tooHigh = legsOf({ got: price.got * 3n, given: price.given * 2n });
    await expect(
      rig.services.orders.buyWithLegs({ ...input, legs: { ...input.legs, ...tooHigh } }),
    ).rejects.toMatchObject({ code: 'ORDER_REFUSED' });
    const good = legsOf({ got: price.got * 115n, given: price.given * 100n });
    const { intent } = await rig.services.orders.buyWithLegs({ ...input, legs: { ...input.legs, ...good } });
    const again = await rig.services.orders.buyWithLegs({ ...input, legs: { ...input.legs, ...good } });
    expect(again).toMatchObject({ created: false, intent: { id: intent.id } });
    const [group, ...others] = await rig.db.orders.listOpen(wallet.userId ?? '');
    expect(others).toEqual([]);
    expect(group).toMatchObject({ kind: 'OTOCO', parentIntentId: intent.id });
    await until(async () => (await rig.db.intents.find(intent.id))?.status === 'SUCCEEDED');
    const [awake] = await rig.db.orders.listOpen(wallet.userId ?? '');
    expect(awake).toMatchObject({
      units: await heldOf(wallet, pup()),
      orders: [{ status: 'OPEN' }, { status: 'OPEN' }],
    });
    await rig.services.orders.changeAll({ userId: wallet.userId ?? '', what: 'cancel' });
  });

  it('ends with an entry that is cancelled or expires', async () => {
    const { wallet } = await rig.trader('Changed mind', 5n);
    const trigger = await triggerAt(wallet, pup(), 2_000n);
    const entry = { got: trigger.given, given: trigger.got };
    const draft = () =>
      groupOf(wallet, pup(), [draftOf({ trigger })], { expiresAt: clock.now() + 5 * MINUTE });
    const cancelled = await place({ ...draft(), legs: legsOf(entry) });
    await rig.services.orders.cancel({ userId: cancelled.userId, orderId: cancelled.orders[0]?.id ?? '' });
    const expired = await place({ ...draft(), legs: legsOf(entry) });
    leap(5 * MINUTE + 1_000);
    await until(async () => (await first(expired)).status === 'EXPIRED');
    for (const group of [cancelled, expired]) {
      const ended = { status: 'CANCELLED', reason: 'parent-ended' };
      expect((await legsGroup(group)).orders).toMatchObject([ended, ended]);
    }
  });
});

describe('an edit', () => {
  it('takes the place of the terms that were seen, and is judged as a placing is', async () => {
    const { wallet } = await rig.trader('Editor', 5n);
    const userId = wallet.userId ?? '';
    const far = await triggerAt(wallet, pup(), 2_000n);
    const group = await place(groupOf(wallet, pup(), [draftOf({ trigger: far })]));
    const order = await first(group);
    const asked = { userId, orderId: order.id, version: order.version };
    const near = await triggerAt(wallet, pup(), 900n);
    await expect(edit({ ...asked, change: { trigger: near } })).rejects.toMatchObject({
      code: 'ORDER_REFUSED',
      details: { kind: 'already-true' },
    });
    await expect(edit({ ...asked, userId: 'somebody', change: {} })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
    expect(await first(group)).toEqual(order);
    const more = await triggerAt(wallet, pup(), 1_500n);
    const change = { trigger: more, request: '-50%', amount: { kind: 'fixed', units: SOL } } as const;
    const [one, other] = await Promise.allSettled([edit({ ...asked, change }), edit({ ...asked, change })]);
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await found(group)).toMatchObject({ units: SOL });
    expect(await first(group)).toMatchObject({
      status: 'OPEN',
      version: order.version + 1,
      trigger: more,
      amount: { kind: 'fixed', units: SOL },
      terms: { request: '-50%' },
    });
    await rig.services.orders.cancel({ userId, orderId: order.id });
    await expect(edit({ ...asked, version: order.version + 2, change })).rejects.toMatchObject({
      code: 'ORDER_NOT_CHANGEABLE',
    });
  });

  const bracketed = async (name: string) => {
    const { wallet } = await rig.trader(name, 5n);
    const trigger = await triggerAt(wallet, pup(), 2_000n);
    const draft = groupOf(wallet, pup(), [draftOf({ trigger })]);
    const group = await place({ ...draft, legs: legsOf({ got: trigger.given, given: trigger.got }) });
    const order = await first(group);
    const asked = { userId: wallet.userId ?? '', orderId: order.id, version: order.version };
    return { wallet, group, order, asked };
  };

  it('does not let an entry come in parts that its legs would not see', async () => {
    const { asked } = await bracketed('In parts');
    expect((await edit({ ...asked, change: { partial: true } })).order.partial).toBe(false);
    await rig.services.orders.cancel(asked);
  });

  it('judges the legs that wait for it by the new price of an entry', async () => {
    const { wallet, group, order, asked } = await bracketed('Lowered');
    // A third of the price of now: their stop, a fifth below one half of it, would sell at once what was bought.
    const trigger = await triggerAt(wallet, pup(), 3_000n);
    await expect(edit({ ...asked, change: { trigger } })).rejects.toMatchObject({
      code: 'ORDER_REFUSED',
      details: { kind: 'already-true', side: 'sell' },
    });
    expect(await first(group)).toEqual(order);
    const nearer = await triggerAt(wallet, pup(), 2_010n);
    expect((await edit({ ...asked, change: { trigger: nearer } })).order.trigger).toEqual(nearer);
    await rig.services.orders.cancel(asked);
  });
});
