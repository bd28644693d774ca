import { describe, expect, it } from 'vitest';
import type { BookOrder, PriceView } from '../../../../src/modules/orders/rules/book.ts';
import type { Rate } from '../../../../src/modules/orders/rules/rate.ts';
import { createTrail } from '../../../../src/modules/orders/rules/trail.ts';
import { createTrailBook } from '../../../../src/modules/orders/rules/trail-book.ts';

const rate = (got: bigint, given = 1n): Rate => ({ got, given });

describe('stops that trail', () => {
  const view = (slot: bigint, price: bigint, over: Partial<PriceView> = {}): PriceView => {
    const one = () => rate(price);
    return {
      slot,
      at: Number(slot) * 400,
      how: 'followed',
      solUsd: null,
      liquidity: () => null,
      atMost: one,
      edgeAtMost: one,
      atLeast: one,
      edge: one,
      quoteAtMost: one,
      quoteAtLeast: one,
      quote: one,
      ...over,
    };
  };
  const stop = (
    id: string,
    over: Partial<BookOrder> = {},
    trailingBps = 1_000,
    high: Rate | null = null,
  ): BookOrder => ({
    id,
    side: 'sell',
    unit: 'SOL',
    amount: 20n,
    holdMs: 0,
    condition: { kind: 'trail', trailingBps, high },
    ...over,
  });

  it('follow the highest price and fall at their distance from it, to the unit', () => {
    const book = createTrailBook();
    book.add(stop('a'));
    book.add(stop('b', {}, 2_000));
    expect(book.update(view(1n, 100n))).toEqual([]);
    expect([book.highOf('a'), book.highOf('none')]).toEqual([rate(100n), null]);
    expect(book.update(view(2n, 200n))).toEqual([]);
    expect(book.update(view(3n, 181n))).toEqual([]);
    expect(book.update(view(4n, 180n))).toEqual(['a']);
    expect(book.update(view(5n, 160n))).toEqual(['a', 'b']);
    book.remove('a');
    expect(book.update(view(6n, 160n))).toEqual(['b']);
    expect(book.highOf('a')).toBeNull();
  });

  it('keep the high that was known, and none that lasted for less than their slots', () => {
    const book = createTrailBook();
    book.add(stop('known', { holdMs: 1_200 }, 1_000, rate(300n)));
    book.add(stop('new', { holdMs: 1_200 }));
    expect(book.update(view(1n, 900n))).toEqual([]);
    expect(book.update(view(2n, 900n))).toEqual([]);
    expect(book.update(view(3n, 280n))).toEqual([]);
    expect([book.highOf('known'), book.highOf('new')]).toEqual([rate(300n), rate(280n)]);
    expect(book.update(view(4n, 270n))).toEqual(['known']);
  });

  it('are apart by side, unit, class of size and hold', () => {
    const book = createTrailBook();
    const lanes = [{}, { side: 'buy' }, { amount: 70n }, { holdMs: 800 }] as const;
    for (const [n, over] of lanes.entries()) book.add(stop(`${n}`, over));
    book.update(view(1n, 100n));
    expect(lanes.map((_, n) => book.highOf(`${n}`))).toEqual([rate(100n), rate(100n), rate(100n), null]);
    expect(() =>
      book.add({ ...stop('x'), condition: { kind: 'price', direction: 'RISE', trigger: rate(1n) } }),
    ).toThrow('not a trailing stop');
  });

  it('see nothing of an older look, and start their hold anew behind a gap, a silence and a blindness', () => {
    const start = () => {
      const book = createTrailBook();
      book.add(stop('a', { holdMs: 800 }));
      book.update(view(5n, 100n));
      return book;
    };
    const high = (second: PriceView, before?: (book: ReturnType<typeof start>) => void) => {
      const book = start();
      before?.(book);
      book.update(second);
      return book.highOf('a');
    };
    expect(high(view(6n, 90n))).toEqual(rate(90n));
    expect(high(view(4n, 90n))).toBeNull();
    expect(high(view(5n, 90n))).toBeNull();
    expect(high(view(7n, 90n))).toBeNull();
    // Read again behind a gap it still counts, and the time of the gap does not.
    expect(high(view(7n, 90n, { how: 'reread' }))).toBeNull();
    expect(high(view(8n, 80n), (book) => void book.update(view(7n, 90n, { how: 'reread' })))).toEqual(
      rate(80n),
    );
    expect(high(view(6n, 90n, { at: 12_000 }))).toEqual(rate(90n));
    expect(high(view(6n, 90n, { at: 12_001 }))).toBeNull();
    expect(high(view(6n, 90n), (book) => book.blind())).toBeNull();
    // Without a price the earlier looks count no more.
    const none = () => null;
    expect(
      high(view(7n, 90n, { how: 'reread' }), (book) => void book.update(view(6n, 1n, { edge: none }))),
    ).toBeNull();
    expect(start().update(view(6n, 1n, { edge: none }))).toEqual([]);
  });

  it('ask for no exact price between bounds that decide nothing', () => {
    const book = createTrailBook();
    book.add(stop('a'));
    book.update(view(1n, 100n));
    let asked = 0;
    const edge = () => {
      asked += 1;
      return rate(95n);
    };
    const bounds = (least: bigint | null, most: bigint | null) => ({
      edge,
      atLeast: () => (least === null ? null : rate(least)),
      edgeAtMost: () => (most === null ? null : rate(most)),
    });
    book.update(view(2n, 95n, bounds(91n, 100n)));
    expect(asked).toBe(0);
    for (const [n, [least, most]] of (
      [
        [90n, 100n],
        [91n, 101n],
        [0n, 100n],
        [null, 100n],
        [91n, null],
      ] as const
    ).entries()) {
      asked = 0;
      book.update(view(BigInt(3 + n), 95n, bounds(least, most)));
      expect(asked, `${least} to ${most}`).toBe(1);
    }
  });

  it('in dollars need a price of SOL', () => {
    const book = createTrailBook();
    book.add(stop('a', { unit: 'USD' }));
    book.update(view(1n, 100n));
    expect(book.highOf('a')).toBeNull();
    book.update(view(2n, 100n, { solUsd: { micros: 3n, lamports: 1n, at: 800 } }));
    expect(book.highOf('a')).toEqual(rate(300n));
  });

  it('that are gone leave no threshold, and equal highs are one peak', () => {
    const trail = createTrail();
    expect([trail.isStill(rate(1n), rate(2n)), trail.fallen(rate(1n))]).toEqual([false, []]);
    trail.add('a', 1_000, rate(100n));
    trail.add('b', 500, rate(100n));
    trail.add('c', 500, rate(200n));
    expect(trail.fallen(rate(190n))).toEqual(['c']);
    expect(trail.fallen(rate(95n))).toEqual(['c', 'b']);
    expect(trail.fallen(rate(90n))).toEqual(['c', 'b', 'a']);
    expect([trail.isStill(rate(191n), rate(100n)), trail.isStill(rate(191n), rate(101n))]).toEqual([
      true,
      false,
    ]);
    expect(trail.isStill(rate(190n), rate(100n))).toBe(false);
    trail.remove('c');
    expect(trail.fallen(rate(96n))).toEqual([]);
    expect(trail.isStill(rate(96n), rate(100n))).toBe(true);
    trail.raise(rate(150n));
    expect([trail.highOf('a'), trail.highOf('b')]).toEqual([rate(150n), rate(150n)]);
    trail.add('d', 100);
    expect([trail.isStill(rate(149n), rate(150n)), trail.highOf('d')]).toEqual([false, null]);
    trail.raise(rate(120n));
    expect([trail.highOf('a'), trail.highOf('d')]).toEqual([rate(150n), rate(120n)]);
    trail.remove('d');
    trail.remove('d');
    expect(trail.fallen(rate(119n))).toEqual(['b', 'a']);
  });
});

describe('the peaks of a trail', () => {
  it('stay in their order, whichever high is known first', () => {
    const highs = [300n, 100n, 200n, 100n, 300n];
    const trail = createTrail();
    for (const [n, high] of highs.entries()) trail.add(`${n}`, 1_000, rate(high));
    expect(highs.map((_, n) => trail.highOf(`${n}`))).toEqual(highs.map((high) => rate(high)));
    expect(trail.fallen(rate(271n))).toEqual([]);
    expect([...trail.fallen(rate(270n))].toSorted()).toEqual(['0', '4']);
    expect([...trail.fallen(rate(180n))].toSorted()).toEqual(['0', '2', '4']);
    // A rise takes up what lies below it, and leaves what lies above.
    trail.raise(rate(250n));
    expect(highs.map((_, n) => trail.highOf(`${n}`)?.got)).toEqual([300n, 250n, 250n, 250n, 300n]);
    trail.raise(rate(250n));
    trail.raise(rate(240n));
    expect(trail.highOf('1')).toEqual(rate(250n));
    expect([...trail.fallen(rate(225n))].toSorted()).toEqual(['0', '1', '2', '3', '4']);
  });

  it('of one high fall from the nearest on', () => {
    const trail = createTrail();
    trail.add('far', 3_000, rate(100n));
    trail.add('near', 1_000, rate(100n));
    trail.add('middle', 2_000, rate(100n));
    expect([91n, 90n, 80n, 70n].map((now) => [...trail.fallen(rate(now))])).toEqual([
      [],
      ['near'],
      ['near', 'middle'],
      ['near', 'middle', 'far'],
    ]);
  });

  it('are none where nothing is followed', () => {
    const trail = createTrail();
    trail.raise(rate(100n));
    trail.add('a', 1_000);
    expect([trail.highOf('a'), trail.fallen(rate(1n))]).toEqual([null, []]);
    trail.raise(rate(50n));
    expect(trail.highOf('a')).toEqual(rate(50n));
    trail.remove('a');
    expect([trail.isStill(rate(1n), rate(40n)), trail.fallen(rate(1n))]).toEqual([true, []]);
  });
});
