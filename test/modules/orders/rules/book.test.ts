import { describe, expect, it } from 'vitest';
import { type BookOrder, createBook, type PriceView } from '../../../../src/modules/orders/rules/book.ts';
import type { Rate } from '../../../../src/modules/orders/rules/rate.ts';

const rate = (got: bigint, given = 1n): Rate => ({ got, given });

/** A look at a market where bounds and quotes are what the test says; `asked` are the amounts that were quoted. */
function look(
  slot: bigint,
  {
    most = 100n,
    least = most,
    quote = most,
    quoteMost = most,
    quoteLeast = least,
    solUsd = null,
  }: {
    readonly most?: bigint | null;
    readonly least?: bigint | null;
    readonly quote?: bigint | null;
    readonly quoteMost?: bigint | null;
    readonly quoteLeast?: bigint | null;
    readonly solUsd?: PriceView['solUsd'];
  } = {},
) {
  const asked: bigint[] = [];
  const one = (value: bigint | null) => () => (value === null ? null : rate(value));
  const view: PriceView = {
    slot,
    at: Number(slot) * 400,
    how: 'followed',
    solUsd,
    liquidity: () => null,
    atMost: one(most),
    edgeAtMost: one(most),
    atLeast: one(least),
    edge: one(quote),
    quoteAtMost: one(quoteMost),
    quoteAtLeast: one(quoteLeast),
    quote: (_side, amount) => {
      asked.push(amount);
      return one(quote)();
    },
  };
  return { view, asked };
}
const priced = (
  id: string,
  direction: 'RISE' | 'FALL',
  trigger: bigint,
  over: Partial<BookOrder> = {},
): BookOrder => ({
  id,
  side: 'sell',
  unit: 'SOL',
  amount: 20n,
  holdMs: 0,
  condition: { kind: 'price', direction, trigger: rate(trigger) },
  ...over,
});
const trailing = (id: string): BookOrder => ({
  ...priced(id, 'FALL', 1n),
  condition: { kind: 'trail', trailingBps: 1_000, high: null },
});

describe('the book of a token', () => {
  it('fires what its bounds say, at the trigger itself, and quotes nothing for that', () => {
    const book = createBook();
    for (const [id, trigger] of [
      ['r100', 100n],
      ['r101', 101n],
      ['r99', 99n],
    ] as const)
      book.add(priced(id, 'RISE', trigger));
    for (const [id, trigger] of [
      ['f100', 100n],
      ['f101', 101n],
      ['f99', 99n],
    ] as const)
      book.add(priced(id, 'FALL', trigger));
    const { view, asked } = look(1n);
    expect([...book.update(view)].toSorted()).toEqual(['f100', 'f101', 'r100', 'r99']);
    expect(asked).toEqual([]);
  });

  it('judges what lies between the bounds by those of its own amount, and quotes it only between these', () => {
    const cases = [
      // Its own bounds decide: surely met, surely not.
      ['RISE', { quoteLeast: 100n, quoteMost: 110n, quote: 0n }, true, 0],
      ['RISE', { quoteLeast: 90n, quoteMost: 99n, quote: 900n }, false, 0],
      ['FALL', { quoteLeast: 90n, quoteMost: 100n, quote: 900n }, true, 0],
      ['FALL', { quoteLeast: 101n, quoteMost: 110n, quote: 1n }, false, 0],
      // Neither decides: the exact price does.
      ['RISE', { quoteLeast: 99n, quoteMost: 101n, quote: 100n }, true, 1],
      ['RISE', { quoteLeast: 99n, quoteMost: 101n, quote: 99n }, false, 1],
      ['FALL', { quoteLeast: 99n, quoteMost: 101n, quote: 100n }, true, 1],
      ['FALL', { quoteLeast: 99n, quoteMost: 101n, quote: 101n }, false, 1],
      // A way that may give nothing is none: only a quote says that there is a price.
      ['FALL', { quoteLeast: 0n, quoteMost: 90n, quote: null }, false, 1],
      ['FALL', { quoteLeast: null, quoteMost: 90n, quote: 80n }, true, 1],
      ['RISE', { quoteLeast: null, quoteMost: 110n, quote: 105n }, true, 1],
      ['RISE', { quoteLeast: 90n, quoteMost: null, quote: 105n }, false, 0],
      ['RISE', { quoteLeast: 90n, quoteMost: 110n, quote: null }, false, 1],
    ] as const;
    for (const [direction, prices, fires, quotes] of cases) {
      const book = createBook();
      book.add(priced('o', direction, 100n));
      const { view, asked } = look(1n, { most: 120n, least: 80n, ...prices });
      const label = JSON.stringify([direction, prices], (_, value) => String(value));
      expect(book.update(view), direction + label).toEqual(fires ? ['o'] : []);
      expect(asked, direction).toEqual(quotes === 0 ? [] : [20n]);
    }
  });

  it('fires nothing without a way, and takes an unknown worst for the worst there is', () => {
    const book = createBook();
    book.add(priced('rise', 'RISE', 1n));
    book.add(priced('fall', 'FALL', 900n));
    expect(book.update(look(1n, { most: null }).view)).toEqual([]);
    const unsure = look(2n, { least: null, quoteMost: 100n, quoteLeast: 90n });
    expect([...book.update(unsure.view)].toSorted()).toEqual(['fall', 'rise']);
    expect(unsure.asked).toEqual([]);
  });

  it('keeps orders apart by side, unit, direction and class of size, and forgets what is removed', () => {
    const book = createBook();
    const solUsd = { micros: 3n, lamports: 1n, at: 0 };
    book.add(priced('sol', 'RISE', 200n));
    book.add(priced('usd', 'RISE', 200n, { unit: 'USD' }));
    book.add(priced('buy', 'RISE', 100n, { side: 'buy' }));
    book.add(priced('large', 'RISE', 100n, { amount: 500n }));
    expect([...book.update(look(1n, { solUsd }).view)].toSorted()).toEqual(['buy', 'large', 'usd']);
    expect(book.update(look(2n).view)).not.toContain('usd');
    book.remove('buy');
    book.remove('buy');
    book.remove('none');
    expect(book.update(look(3n).view)).toEqual(['large']);
    // Added again under other terms it has those alone.
    book.add(priced('large', 'RISE', 101n, { amount: 500n }));
    expect(book.update(look(4n).view)).toEqual([]);
    book.add(trailing('large'));
    expect(book.update(look(5n, { most: 500n }).view)).toEqual(['sol']);
    book.remove('large');
    expect(book.highOf('large')).toBeNull();
  });

  it('fires what was met for its slots without a break, and a blind time starts it anew', () => {
    const book = createBook();
    book.add(priced('o', 'FALL', 100n, { holdMs: 800 }));
    expect(book.hasOpenWindows()).toBe(false);
    expect(book.update(look(1n).view)).toEqual([]);
    expect(book.hasOpenWindows()).toBe(true);
    expect(book.update(look(2n).view)).toEqual(['o']);
    expect(book.update(look(3n, { most: 101n }).view)).toEqual([]);
    expect(book.hasOpenWindows()).toBe(false);
    book.update(look(4n).view);
    book.blind();
    expect(book.update(look(5n).view)).toEqual([]);
    expect(book.update(look(6n).view)).toEqual(['o']);
    book.update(look(7n).view);
    book.remove('o');
    expect(book.hasOpenWindows()).toBe(false);
    expect(book.update(look(8n).view)).toEqual([]);
  });

  it('follows the highs of stops that trail, which a blind time keeps', () => {
    const book = createBook();
    book.add(trailing('t'));
    book.update(look(1n, { most: 200n }).view);
    book.blind();
    expect(book.highOf('t')).toEqual(rate(200n));
    expect(book.update(look(2n, { most: 180n }).view)).toEqual(['t']);
    expect(book.update(look(3n, { most: 181n }).view)).toEqual([]);
    book.remove('t');
    expect(book.update(look(4n, { most: 1n }).view)).toEqual([]);
  });
});
