import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookOrder, createBook, type PriceView } from '../../../src/modules/orders/rules/book.ts';
import type { OrderSide } from '../../../src/modules/orders/rules/order.ts';
import { compareRates, type Rate } from '../../../src/modules/orders/rules/rate.ts';
import { classEdges, leastOfClass, sizeClass } from '../../../src/modules/orders/rules/size-class.ts';

/** Constant product with a fee of 0.3 %; an order takes the better of two pools or half of each, as a router would. */
type Pool = { readonly sol: bigint; readonly token: bigint };
type State = { readonly pools: readonly Pool[]; readonly micros: bigint; readonly slot: number };

const SLOT_USD = 1_000_000_000n;
const through = ({ sol, token }: Pool, side: OrderSide, amount: bigint): bigint => {
  const [before, after] = side === 'buy' ? [sol, token] : [token, sol];
  const net = amount * 997n;
  return (net * after) / (before * 1_000n + net);
};
const best = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n);
const single = (pools: readonly Pool[], side: OrderSide, amount: bigint): bigint =>
  best(pools.map((pool) => through(pool, side, amount)));
const route = (pools: readonly Pool[], side: OrderSide, amount: bigint): bigint => {
  const half = amount / 2n;
  const [first, second] = pools;
  const split =
    first === undefined || second === undefined
      ? 0n
      : through(first, side, half) + through(second, side, amount - half);
  return best([single(pools, side, amount), split]);
};
const exact = (state: State, { side, amount }: Pick<BookOrder, 'side' | 'amount'>): Rate => ({
  got: route(state.pools, side, amount),
  given: amount,
});

function viewOf(state: State, counted: { quotes: number }): PriceView {
  const { pools, micros, slot } = state;
  return {
    slot: BigInt(slot),
    at: slot * 400,
    how: 'followed',
    solUsd: { micros, lamports: SLOT_USD, at: slot * 400 },
    liquidity: () => null,
    atMost: (side) =>
      pools
        .map(
          ({ sol, token }): Rate =>
            side === 'buy'
              ? { got: token * 997n, given: sol * 1_000n }
              : { got: sol * 997n, given: token * 1_000n },
        )
        .reduce((a, b) => (compareRates(a, b) > 0 ? a : b)),
    edgeAtMost: (side, size) => {
      const { upper } = classEdges(size);
      // What the two pools bring when each is given all of it.
      return { got: pools.reduce((sum, pool) => sum + single([pool], side, upper), 1n), given: upper };
    },
    quoteAtMost: (side, amount) => ({
      got: pools.reduce((sum, pool) => sum + single([pool], side, amount), 1n),
      given: amount,
    }),
    quoteAtLeast: (side, amount) => ({ got: single(pools, side, amount), given: amount }),
    atLeast: (side, size) => leastOfClass(size, single(pools, side, classEdges(size).upper), 1n),
    edge: (side, size) => {
      const { upper } = classEdges(size);
      return { got: route(pools, side, upper), given: upper };
    },
    quote: (side, amount) => {
      counted.quotes += 1;
      return exact(state, { side, amount });
    },
  };
}

const inUnit = (order: Pick<BookOrder, 'unit' | 'side'>, rate: Rate, { micros }: State): Rate => {
  if (order.unit === 'SOL') return rate;
  const [by, per] = order.side === 'sell' ? [micros, SLOT_USD] : [SLOT_USD, micros];
  return { got: rate.got * by, given: rate.given * per };
};

const slotsOf = ({ holdMs }: BookOrder): number => Math.max(1, holdMs / 400);

/** Every order looked at, at every state: the last states, of 400 ms each, for which it must hold, say yes. */
class Scan {
  readonly orders = new Map<string, { order: BookOrder; yes: number; high: Rate | null; edges: Rate[] }>();
  add(order: BookOrder): void {
    this.orders.set(order.id, { order, yes: 0, high: null, edges: this.edgesSoFar(order) });
  }
  /** A trail that joins others shares their last prices. */
  private edgesSoFar(order: BookOrder): Rate[] {
    const like = [...this.orders.values()].find(
      ({ order: other }) =>
        other.condition.kind === 'trail' && other.id !== order.id && laneOf(other) === laneOf(order),
    );
    return [...(like?.edges ?? [])];
  }
  update(state: State): string[] {
    return [...this.orders.values()].flatMap((known) => {
      const { order } = known;
      known.yes = this.isTrueNow(known, state) ? known.yes + 1 : 0;
      return known.yes >= slotsOf(order) ? [order.id] : [];
    });
  }
  private isTrueNow(known: { order: BookOrder; high: Rate | null; edges: Rate[] }, state: State): boolean {
    const { order } = known;
    const { condition } = order;
    if (condition.kind === 'price') {
      const sign = compareRates(inUnit(order, exact(state, order), state), condition.trigger);
      return condition.direction === 'RISE' ? sign >= 0 : sign <= 0;
    }
    const { upper } = classEdges(sizeClass(order.amount));
    const now = inUnit(order, exact(state, { side: order.side, amount: upper }), state);
    known.edges.push(now);
    const last = known.edges.slice(-slotsOf(order));
    const low = last.reduce((a, b) => (compareRates(a, b) < 0 ? a : b));
    if (last.length === slotsOf(order) && (known.high === null || compareRates(low, known.high) > 0)) {
      known.high = low;
    }
    if (known.high === null) return false;
    const distance = BigInt(10_000 - (condition.kind === 'trail' ? condition.trailingBps : 0));
    const threshold = { got: known.high.got * distance, given: known.high.given * 10_000n };
    return compareRates(now, threshold) <= 0;
  }
}
const laneOf = (order: BookOrder): string =>
  `${order.side}:${order.unit}:${sizeClass(order.amount)}:${order.holdMs}`;

/** A seeded generator: the same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomOrder(id: string, next: (below: number) => number, state: State): BookOrder {
  const side = next(2) === 0 ? 'buy' : 'sell';
  const unit = next(3) === 0 ? 'USD' : 'SOL';
  // From a single unit up to a large part of a pool.
  const amount = BigInt(1 + next(9)) * 10n ** BigInt(next(11)) + BigInt(next(7));
  const holdMs = [0, 800, 2_400][next(3)] ?? 0;
  const common = { id, side, unit, amount, holdMs } as const;
  if (next(5) === 0) {
    return { ...common, condition: { kind: 'trail', trailingBps: 100 + next(3_000), high: null } };
  }
  const rate = inUnit(common, exact(state, common), state);
  const near = BigInt(9_700 + next(601));
  return {
    ...common,
    condition: {
      kind: 'price',
      direction: next(2) === 0 ? 'RISE' : 'FALL',
      trigger: { got: rate.got * near, given: rate.given * 10_000n },
    },
  };
}

function walk(state: State, next: (below: number) => number): State {
  const moved = (amount: bigint): bigint => (amount * BigInt(9_900 + next(201))) / 10_000n;
  return {
    slot: state.slot + 1,
    micros: (state.micros * BigInt(9_980 + next(41))) / 10_000n,
    pools: state.pools.map(({ sol, token }) => ({ sol: moved(sol), token: moved(token) })),
  };
}

const START: State = {
  slot: 100,
  micros: 150_000_000n,
  pools: [
    { sol: 500_000_000_000n, token: 900_000_000_000n },
    { sol: 40_000_000_000n, token: 71_000_000_000n },
  ],
};

describe('the book', () => {
  it('fires what a scan of all orders fires, over many random orders and updates', () => {
    let pairs = 0;
    let fired = 0;
    const counted = { quotes: 0 };
    for (let seed = 1; seed <= 8; seed += 1) {
      const next = numbers(seed);
      const [book, scan] = [createBook(), new Scan()];
      let state = START;
      for (let id = 0; id < 250; id += 1) {
        const order = randomOrder(`o${id}`, next, state);
        book.add(order);
        scan.add(order);
      }
      for (let step = 0; step < 80; step += 1) {
        state = walk(state, next);
        const found = scan.update(state).toSorted();
        expect([...book.update(viewOf(state, counted))].toSorted()).toEqual(found);
        pairs += scan.orders.size;
        fired += found.length;
        const gone = `o${next(250)}`;
        book.remove(gone);
        scan.orders.delete(gone);
        const order = randomOrder(`n${step}`, next, state);
        book.add(order);
        scan.add(order);
      }
    }
    expect(pairs).toBeGreaterThan(100_000);
    expect(fired).toBeGreaterThan(1_000);
    // The bounds decide nearly everything.
    expect(counted.quotes).toBeLessThan(pairs / 3);
  });

  it('quotes nothing while the price is far from every trigger', () => {
    const counted = { quotes: 0 };
    const book = createBook();
    for (let index = 1; index <= 1_000; index += 1) {
      const amount = BigInt(index) * 1_000_000n;
      const now = exact(START, { side: 'sell', amount });
      for (const direction of ['RISE', 'FALL'] as const) {
        const times = direction === 'RISE' ? 3n : 1n;
        const trigger = { got: now.got * times, given: now.given * 2n };
        book.add({
          id: `${direction}${index}`,
          side: 'sell',
          unit: 'SOL',
          amount,
          holdMs: 2_400,
          condition: { kind: 'price', direction, trigger },
        });
      }
    }
    expect(book.update(viewOf(START, counted))).toEqual([]);
    expect(counted.quotes).toBe(0);
    expect(book.hasOpenWindows()).toBe(false);
  });

  it('gives a new trail the exact prices of looks that its neighbour did not need', () => {
    const book = createBook();
    const common = { side: 'sell', unit: 'SOL', amount: 10_000_000_000n, holdMs: 2_400 } as const;
    const far = { got: 10n, given: 1n };
    book.add({ ...common, id: 'old', condition: { kind: 'trail', trailingBps: 9_900, high: far } });
    const states = Array.from(
      { length: 6 },
      (_, n): State => ({
        ...START,
        slot: n,
        pools: START.pools.map(({ sol, token }) => ({ sol: sol + BigInt(n) * 1_000_000n, token })),
      }),
    );
    for (const state of states.slice(0, 5)) book.update(viewOf(state, { quotes: 0 }));
    book.add({ ...common, id: 'new', condition: { kind: 'trail', trailingBps: 100, high: null } });
    for (const state of states.slice(5)) book.update(viewOf(state, { quotes: 0 }));
    const { upper } = classEdges(sizeClass(common.amount));
    const least = exact(START, { side: 'sell', amount: upper });
    expect(compareRates(book.highOf('new') ?? far, least)).toBe(0);
  });

  it('fires no stop for a wick of fewer slots, in one pool or in all, and lifts no trail by a pump', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.boolean(), fc.boolean(), (slots, all, up) => {
        const book = createBook();
        const common = { side: 'sell', unit: 'SOL', amount: 10_000_000n, holdMs: 2_400 } as const;
        const now = exact(START, common);
        const trigger = { got: now.got * 70n, given: now.given * 100n };
        book.add({ ...common, id: 'stop', condition: { kind: 'price', direction: 'FALL', trigger } });
        book.add({ ...common, id: 'trail', condition: { kind: 'trail', trailingBps: 3_000, high: null } });
        const fired = new Set<string>();
        for (let slot = 1; slot <= 40; slot += 1) {
          const isPushed = slot > 10 && slot <= 10 + slots;
          const pools = START.pools.map((pool, index) =>
            isPushed && (all || index === 0) ? { ...pool, sol: up ? pool.sol * 10n : pool.sol / 10n } : pool,
          );
          for (const id of book.update(viewOf({ ...START, slot, pools }, { quotes: 0 }))) fired.add(id);
        }
        const high = book.highOf('trail');
        expect(high !== null && compareRates(high, { got: now.got * 2n, given: now.given }) > 0).toBe(
          slots >= 6 && up,
        );
        if (slots < 6) expect([...fired]).toEqual([]);
        // Long enough, over all pools: a fall sells, a rise lifts the trail from which the way back is a fall.
        else if (all) expect(fired.has('trail')).toBe(true);
        expect(fired.has('stop')).toBe(slots >= 6 && all && !up);
      }),
    );
  });

  it('starts every window anew when it was blind, without a price of SOL, and after a gap', () => {
    const common = { side: 'sell', amount: 10_000_000n, holdMs: 1_200 } as const;
    const high = { got: 10n ** 30n, given: 1n };
    const run = (unit: 'SOL' | 'USD', between: (book: ReturnType<typeof createBook>) => void, jump = 1) => {
      const book = createBook();
      book.add({
        ...common,
        unit,
        id: 'stop',
        condition: { kind: 'price', direction: 'FALL', trigger: high },
      });
      for (const slot of [1, 2]) book.update(viewOf({ ...START, slot }, { quotes: 0 }));
      between(book);
      return book.update(viewOf({ ...START, slot: 2 + jump }, { quotes: 0 }));
    };
    expect(run('SOL', () => {})).toEqual(['stop']);
    expect(run('SOL', () => {}, 2)).toEqual([]);
    expect(run('SOL', (book) => book.blind())).toEqual([]);
    const withoutUsd = (book: ReturnType<typeof createBook>): void => {
      book.update({ ...viewOf({ ...START, slot: 3 }, { quotes: 0 }), solUsd: null });
    };
    expect(run('USD', withoutUsd, 2)).toEqual([]);
    expect(run('SOL', withoutUsd, 2)).toEqual(['stop']);
  });
});

it('puts every amount into the class whose edges hold it', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 64n), (amount) => {
      const { lower, upper } = classEdges(sizeClass(amount));
      expect(lower <= amount && amount <= upper).toBe(true);
    }),
  );
});
