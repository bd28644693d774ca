import { describe, expect, it } from 'vitest';
import { tradeOf } from '../../src/engine/intents/kinds/rules.ts';
import type { Flag } from '../../src/engine/switches/store-port.ts';
import { fireOrder } from '../../src/modules/orders/use/fire-order.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import { buyOf, FIRED, paused, put, reasonsOf, STOP } from '../support/order-acts.ts';
import { HELD, HOUR, orderPlace, SALE, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';

/** Of each trade at most, at the usual priority, and at the lowest. */
const FEES = 2_060_000n;
const FLOOR = 260_000n;

describe('a fire that spends', () => {
  it('is counted as it is given, and pauses one lamport above what may be spent without a PIN', async () => {
    const place = await orderPlace();
    const [first, second, third] = [
      await put(place, buyOf(3n * SOL)),
      await put(place, buyOf(2n * SOL - 2n * FEES)),
      await put(place, buyOf(1n * SOL)),
    ];
    place.world.price = 800n;
    expect(await place.fire(first.id)).toMatchObject(FIRED);
    expect((await place.db.guards.sumsSince(place.userId, 0)).s).toBe(3n * SOL + FEES);
    expect(await place.fire(second.id)).toMatchObject(FIRED);
    expect((await place.db.guards.sumsSince(place.userId, 0)).s).toBe(5n * SOL);
    expect(await place.fire(third.id)).toEqual(paused('cap'));
    // A counted sum leaves the window after 24 hours, to the millisecond.
    place.clock.advance(24 * HOUR);
    expect(await reasonsOf(resumeOrder(place.deps, { userId: place.userId, orderId: third.id }))).toEqual([
      'cap',
    ]);
    place.clock.advance(1);
    await resumeOrder(place.deps, { userId: place.userId, orderId: third.id });
    expect(await place.fire(third.id)).toMatchObject(FIRED);
  });

  it('sells at the lowest priority once its fees pass a limit, and pauses when such fees are used up', async () => {
    for (const limit of ['spendCap', 'allCap'] as const) {
      const place = await orderPlace();
      place.world[limit] = 0n;
      const sales = [await put(place, SALE), await put(place, SALE), await put(place, SALE)];
      place.world.floorCap = 2n * FLOOR;
      place.world.price = 1_300n;
      const outcomes = [];
      for (const { id } of sales) outcomes.push(await place.fire(id));
      expect(outcomes).toMatchObject([FIRED, FIRED, paused('cap')]);
      const [outcome] = outcomes;
      if (outcome?.kind !== 'fired') throw new Error('the first one fired');
      const intent = await place.db.intents.find(outcome.intentId);
      expect(intent?.params).toMatchObject({ kind: 'sell', tier: 'economy' });
      expect(await place.db.guards.sumsSince(place.userId, 0)).toMatchObject({
        s: 0n,
        k: 0n,
        floor: 2n * FLOOR,
      });
    }
  });

  it('pauses one lamport above what orders may spend, also where the PIN allowed it', async () => {
    for (const [cap, outcome] of [
      [5n * SOL, FIRED],
      [5n * SOL - 1n, paused('cap')],
    ] as const) {
      const place = await orderPlace();
      await place.unlock();
      place.world.spendCap = 0n;
      const [first, second] = [await put(place, buyOf(3n * SOL)), await put(place, buyOf(2n * SOL))];
      place.world.ordersCap = cap;
      place.world.price = 800n;
      expect(await place.fire(first.id)).toMatchObject(FIRED);
      expect(await place.fire(second.id)).toMatchObject(outcome);
      // It was granted: it takes nothing of what may be spent without.
      expect((await place.db.guards.sumsSince(place.userId, 0)).s).toBe(0n);
    }
  });

  it('does not live on trades that are unlocked only when it fires', async () => {
    const place = await orderPlace();
    const [first, second] = [await put(place, buyOf(3n * SOL)), await put(place, buyOf(3n * SOL))];
    await place.unlock();
    place.world.price = 800n;
    expect(await place.fire(first.id)).toMatchObject(FIRED);
    expect(await place.fire(second.id)).toEqual(paused('cap'));
  });

  it('is asked about its token at each purchase, and pauses with what speaks against that', async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    place.world.price = 800n;
    place.world.doubts = ['poor-exit'];
    expect(await place.fire(order.id)).toEqual(paused('doubt'));
    expect(await place.order(order.id)).toMatchObject({
      status: 'PAUSED',
      reason: 'doubt',
      progress: { doubts: ['poor-exit'] },
    });
    // Opening it again is judged as placing it would be.
    const asked = { userId: place.userId, orderId: order.id };
    expect(await reasonsOf(resumeOrder(place.deps, asked))).toEqual(['poor-exit']);
    await place.unlock();
    expect(await reasonsOf(resumeOrder(place.deps, asked))).toEqual(['poor-exit']);
    await resumeOrder(place.deps, { ...asked, pin: 'typed' });
    expect(await place.fire(order.id)).toMatchObject(FIRED);
  });

  it('takes what was granted to it and no more', async () => {
    const place = await orderPlace();
    await place.unlock();
    place.world.doubts = ['young'];
    const order = await put(place, buyOf(SOL));
    expect(order.terms.grants).toMatchObject({ steep: false, doubts: ['young'] });
    place.world.price = 800n;
    place.world.doubts = ['young', 'home-made'];
    expect(await place.fire(order.id)).toEqual(paused('doubt'));
  });
});

describe('a fire that is not due', () => {
  it('of rounds waits for the time of its round', async () => {
    // A round may start late by half of its interval.
    for (const [late, outcome] of [
      [HOUR / 2 - 1, FIRED],
      [HOUR / 2, { kind: 'gone' }],
    ] as const) {
      const place = await orderPlace();
      const schedule = { intervalMs: HOUR, rounds: 2, band: { least: null, most: null } };
      const order = await put(place, { ...buyOf(2n * SOL), type: 'DCA', trigger: null, schedule });
      place.clock.advance(late);
      expect(await place.fire(order.id)).toMatchObject(outcome);
    }
  });

  it('of a wallet that was put away does nothing', async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    await place.db.wallets.setDeletedAt(PASSED, place.wallet.id, place.clock.now());
    place.world.price = 800n;
    expect(await place.fire(order.id)).toEqual({ kind: 'held-back', code: 'not-transferable' });
  });

  it('after a refusal waits for its slot', async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    place.world.price = 800n;
    const [group] = await place.db.orders.listOpen(place.userId);
    if (group === undefined) throw new Error('placed');
    const write = { orderId: order.id, expectVersion: 1, expectStatus: 'OPEN' as const };
    const later = { ...order, version: 2, notBeforeSlot: 10n ** 9n + 1n };
    expect(await place.db.orders.write(PASSED, group, [{ ...write, order: later }])).toBe(true);
    expect(await place.fire(order.id)).toEqual({ kind: 'gone' });
  });
});

describe('a fire that sells', () => {
  it('is signed for 85 % of the price at the least, however far that has passed its limit', async () => {
    const place = await orderPlace();
    const { id } = await put(place, SALE);
    place.world.price = 4_000n;
    const outcome = await place.fire(id);
    if (outcome.kind !== 'fired') throw new Error(outcome.kind);
    const intent = await place.db.intents.find(outcome.intentId);
    const trade = intent === null ? null : tradeOf(intent.params);
    expect(trade?.terms.minOut).toBeGreaterThan((4n * HELD * 84n) / 100n);
  });

  it('does not happen where its part brings less than was found for it', async () => {
    const place = await orderPlace();
    const { id } = await put(place, { ...SALE, type: 'LIMIT', partial: true });
    const market = {
      ...place.deps.market,
      parts: async () => (units: bigint) => (units < HELD ? 2n * units : 0n),
    };
    const outcome = await fireOrder({ ...place.deps, market }, { orderId: id, slot: 1n });
    expect(outcome).toEqual({ kind: 'held-back', code: 'price-back' });
  });

  it('pauses where its size alone costs more than 15 %, unless that was granted', async () => {
    for (const isGranted of [false, true]) {
      const place = await orderPlace();
      await place.hasPin();
      if (isGranted) await place.unlock();
      else await place.guard((guard) => ({ ...guard, pinHash: null }));
      const order = await put(place, STOP);
      // A pool of 4 SOL in which 1 SOL of the token is sold.
      place.world.reserve = 4n * SOL;
      place.world.price = 800n;
      expect(await place.fire(order.id)).toMatchObject(isGranted ? FIRED : paused('steep'));
    }
  });

  it('sells in a crash as it was agreed, with the PIN or without one', async () => {
    for (const prepare of ['none', 'typed'] as const) {
      const place = await orderPlace();
      if (prepare === 'typed') await place.unlock();
      const order = await put(
        place,
        { ...STOP, floor: 'any' },
        { pin: prepare === 'typed' ? 'typed' : 'window' },
      );
      await place.guard((guard) => ({ ...guard, unlockedUntil: null }));
      place.world.usual = { got: 1n, given: 1n };
      place.world.price = 100n;
      expect(await place.fire(order.id)).toMatchObject(FIRED);
    }
  });
});

describe('a switch or a freeze that is thrown before the commit of a fire', () => {
  it.each(['signing-paused', 'trading-paused', 'orders-paused', 'quarantined'] as const)(
    '%s stops it',
    async (flag: Flag) => {
      const place = await orderPlace();
      const order = await put(place, buyOf(SOL));
      place.world.price = 800n;
      await place.db.flags.set(flag, true, place.clock.now());
      expect(await place.fire(order.id)).toEqual({ kind: 'held-back', code: 'stopped' });
      expect(await place.order(order.id)).toMatchObject({ status: 'OPEN', fires: 0 });
    },
  );

  it('a freeze stops it', async () => {
    const place = await orderPlace();
    const [buy, sale] = [await put(place, buyOf(SOL)), await put(place, STOP)];
    await place.guard((guard) => ({ ...guard, frozenAt: place.clock.now() }));
    place.world.price = 700n;
    for (const { id } of [buy, sale])
      expect(await place.fire(id)).toEqual({ kind: 'held-back', code: 'stopped' });
  });
});
