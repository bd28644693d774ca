import { describe, expect, it } from 'vitest';
import { createHeldLow } from '../../../../src/modules/orders/rules/held-low.ts';
import { isHeld, type Look, observe } from '../../../../src/modules/orders/rules/hold-window.ts';
import { createHoldWindows } from '../../../../src/modules/orders/rules/hold-windows.ts';
import { compareRates, type Rate } from '../../../../src/modules/orders/rules/rate.ts';
import { classEdges, leastOfClass, sizeClass } from '../../../../src/modules/orders/rules/size-class.ts';
import { createSortedTriggers } from '../../../../src/modules/orders/rules/sorted-triggers.ts';

const rate = (got: bigint, given = 1n): Rate => ({ got, given });

describe('a condition that must hold', () => {
  const look = (slot: bigint, at: number, how: Look['how'] = 'followed', isTrue = true): Look => ({
    slot,
    at,
    isTrue,
    how,
  });

  it('starts anew behind a gap that was not read, and behind ten seconds of silence', () => {
    const first = observe(null, look(5n, 0));
    expect(first).toEqual({
      slots: 1,
      steps: 0,
      stepsMs: 0,
      firstSlot: 5n,
      lastSlot: 5n,
      since: 0,
      lastAt: 0,
    });
    expect(observe(first, look(6n, 400))).toMatchObject({
      slots: 2,
      steps: 1,
      stepsMs: 400,
      firstSlot: 5n,
      lastSlot: 6n,
      since: 0,
      lastAt: 400,
    });
    expect(observe(first, look(7n, 800))).toMatchObject({ slots: 1, firstSlot: 7n });
    expect(observe(first, look(7n, 800, 'reread'))).toMatchObject({
      slots: 2,
      steps: 0,
      stepsMs: 0,
      firstSlot: 5n,
    });
    expect(observe(first, look(6n, 10_000))).toMatchObject({ slots: 2 });
    expect(observe(first, look(6n, 10_001))).toMatchObject({ slots: 1, since: 10_001 });
    // Again at the same slot it says nothing of time.
    expect(observe(first, look(5n, 99_999))).toEqual(first);
  });

  it('holds for as long as it is asked for', () => {
    expect(isHeld(null, 0, 'followed')).toBe(false);
    const two = observe(observe(null, look(5n, 0)), look(6n, 400));
    expect([0, 800, 801].map((ms) => isHeld(two, ms, 'followed'))).toEqual([true, true, false]);
    expect(isHeld(two, 1_200, 'reread')).toBe(false);
    // The price within a gap is unknown.
    const apart = observe(observe(null, look(5n, 0)), look(9n, 1_600, 'reread'));
    expect(isHeld(apart, 800, 'reread')).toBe(false);
  });

  it('has one window for each order: others close, an older look changes none', () => {
    const windows = createHoldWindows();
    const see = (ids: readonly string[], slot: bigint) =>
      windows.observe(ids, { slot, at: Number(slot) * 400, how: 'followed' }, (id) => (id === 'a' ? 800 : 0));
    expect(windows.areOpen()).toBe(false);
    expect(see(['a', 'b'], 5n)).toEqual(['b']);
    expect(windows.areOpen()).toBe(true);
    expect(see(['a'], 4n)).toEqual([]);
    expect(see(['a', 'b'], 6n)).toEqual(['a', 'b']);
    expect(see(['b'], 7n)).toEqual(['b']);
    expect(see(['a'], 8n)).toEqual([]);
    windows.close('a');
    expect(windows.areOpen()).toBe(false);
    expect(see(['a'], 9n)).toEqual([]);
    windows.clear();
    expect(windows.areOpen()).toBe(false);
    // After a clearing an older slot counts again.
    expect(see(['b'], 3n)).toEqual(['b']);
  });

  it('lets a high rise to the least of its time, followed or polled', () => {
    const low = createHeldLow(1_200);
    const push = (got: bigint, slot: bigint, at: number, how: Look['how']) =>
      low.push(() => rate(got), { slot, at, how });
    push(5n, 1n, 0, 'followed');
    push(9n, 2n, 400, 'followed');
    expect(low.low()).toBeNull();
    push(7n, 3n, 800, 'followed');
    expect(low.low()).toEqual(rate(5n));
    push(8n, 4n, 1_200, 'followed');
    expect(low.low()).toEqual(rate(7n));
    low.clear();
    expect(low.low()).toBeNull();
    push(5n, 10n, 0, 'polled');
    push(6n, 12n, 1_199, 'polled');
    expect(low.low()).toBeNull();
    push(9n, 13n, 1_200, 'polled');
    expect(low.low()).toEqual(rate(5n));
    const one = createHeldLow(0);
    expect(one.low()).toBeNull();
    one.push(() => rate(4n), { slot: 1n, at: 0, how: 'polled' });
    one.push(() => rate(6n), { slot: 2n, at: 0, how: 'polled' });
    expect(one.low()).toEqual(rate(6n));
  });

  it('asks each look for its rate once, and only when it is needed', () => {
    const low = createHeldLow(800);
    let asked = 0;
    const push = (slot: bigint) =>
      low.push(
        () => {
          asked += 1;
          return rate(slot);
        },
        { slot, at: Number(slot) * 400, how: 'followed' },
      );
    push(1n);
    push(2n);
    expect(asked).toBe(0);
    low.low();
    low.low();
    expect(asked).toBe(2);
  });
});

describe('triggers in order', () => {
  it('are met from the nearest on, those of one price by their ids, and go by id and price', () => {
    const sorted = createSortedTriggers(compareRates);
    expect(sorted.isEmpty()).toBe(true);
    for (const [id, got] of [
      ['d', 5n],
      ['a', 7n],
      ['c', 3n],
      ['b', 5n],
    ] as const)
      sorted.add(id, rate(got));
    const met = (got: bigint) => [...sorted.whereTrue(rate(got))].map(({ id }) => id);
    expect([2n, 3n, 5n, 6n, 7n].map(met)).toEqual([
      [],
      ['c'],
      ['c', 'b', 'd'],
      ['c', 'b', 'd'],
      ['c', 'b', 'd', 'a'],
    ]);
    sorted.remove('b', rate(7n));
    sorted.remove('e', rate(5n));
    expect(met(7n)).toHaveLength(4);
    sorted.remove('b', rate(5n));
    expect(met(7n)).toEqual(['c', 'd', 'a']);
    for (const [id, got] of [
      ['c', 3n],
      ['d', 5n],
      ['a', 7n],
    ] as const)
      sorted.remove(id, rate(got));
    expect(sorted.isEmpty()).toBe(true);
  });
});

describe('the classes of size', () => {
  it('begin at each power of four', () => {
    expect([1n, 3n, 4n, 15n, 16n, 63n, 64n].map(sizeClass)).toEqual([0, 0, 1, 1, 2, 2, 3]);
    for (const none of [0n, -1n]) expect(() => sizeClass(none)).toThrow('above zero');
    expect(classEdges(2)).toEqual({ lower: 16n, upper: 63n });
  });

  it('promise less than their edge by what roundings may take', () => {
    expect(leastOfClass(2, 630n, 0n)).toEqual({ got: 630n * 16n, given: 63n * 16n });
    expect(leastOfClass(2, 630n, 1n)).toEqual({ got: 630n * 15n - 63n, given: 63n * 16n });
    expect(leastOfClass(2, 630n, 16n).got).toBe(0n);
    expect(leastOfClass(2, 4n, 15n).got).toBe(0n);
  });
});

it('what is seen again at one slot counts once, and an order that was not true has no window', () => {
  const windows = createHoldWindows();
  const see = (ids: readonly string[], slot: bigint) =>
    windows.observe(ids, { slot, at: Number(slot) * 400, how: 'followed' }, () => 2);
  expect(see(['a'], 5n)).toEqual([]);
  expect(see(['a'], 5n)).toEqual([]);
  // Older by two slots: it is dropped, and the open ones stay open.
  expect(see(['b'], 3n)).toEqual([]);
  expect(see(['a', 'b'], 6n)).toEqual(['a']);
  expect(see(['b'], 6n)).toEqual([]);
  expect(see(['a', 'b'], 7n)).toEqual(['b']);
});
