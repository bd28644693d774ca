import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { bps } from '../../../../src/core/amounts/bps.ts';
import { curveOf, marginalPrice } from '../../../../src/modules/orders/rules/curve.ts';
import { dividedOutput } from '../../../../src/modules/orders/rules/divided-output.ts';
import { bestSpot, outputAtMost } from '../../../../src/modules/orders/rules/output-bound.ts';
import { createPriceView } from '../../../../src/modules/orders/rules/price-view.ts';
import { compareRates, type Rate } from '../../../../src/modules/orders/rules/rate.ts';
import { classEdges } from '../../../../src/modules/orders/rules/size-class.ts';
import { buildPool, TOKEN } from '../../trading/build-pool.ts';

const DOLLAR: Address = addressFromBytes(new Uint8Array(32).fill(99));
const rate = (got: bigint, given = 1n): Rate => ({ got, given });

describe('the pools of a token as orders see them', () => {
  const SOLS = 10n ** 12n;
  const curve = (id: number, over: object = {}): Pool =>
    buildPool({ id, sol: SOLS, token: 2n * SOLS, accounts: 6, ...over });
  const half = (id: number, mints: readonly [Address, Address]): Pool =>
    buildPool({ id, mints, sol: SOLS, token: SOLS, feeBps: 0n });

  it('have a curve where they are a constant product of the pair', () => {
    const [found] = curveOf(curve(1), WSOL_MINT, TOKEN);
    expect(found?.[1]).toEqual({ most: 2_000_000_000_000, depth: 1_000_000_000_000 / 0.9975 });
    const [back] = curveOf(curve(1), TOKEN, WSOL_MINT);
    expect(back?.[1]).toEqual({ most: 1_000_000_000_000, depth: 2_000_000_000_000 / 0.9975 });
    expect(curveOf(buildPool({ id: 2 }), WSOL_MINT, TOKEN)).toEqual([]);
    for (const [from, to] of [
      [DOLLAR, TOKEN],
      [WSOL_MINT, DOLLAR],
    ] as const)
      expect(curveOf(curve(1), from, to)).toEqual([]);
    expect(curveOf(curve(1, { token: 0n }), WSOL_MINT, TOKEN)).toEqual([]);
    expect(curveOf(curve(1, { sol: 0n }), WSOL_MINT, TOKEN)).toEqual([]);
    const { gains: _gains, ...shapeless } = curve(1);
    expect(curveOf(shapeless, WSOL_MINT, TOKEN)).toEqual([]);
    // A curve that lies below the rate at zero size is none to count on.
    const better = { ...curve(1), spot: () => ({ numerator: 3n, denominator: 1n }) };
    expect(curveOf(better, WSOL_MINT, TOKEN)).toEqual([]);
  });

  it('are divided at one price, and the pool that has none so good is left out', () => {
    const one = { most: 200, depth: 100 };
    expect(marginalPrice([one], 100)).toBeCloseTo(0.5, 9);
    expect(marginalPrice([one, one], 100)).toBeCloseTo(((2 * Math.sqrt(20_000)) / 300) ** 2, 9);
    expect(marginalPrice([one, { most: 1, depth: 100 }], 100)).toBeCloseTo(0.5, 9);
    expect(marginalPrice([], 100)).toBe(0);
  });

  it('bring together what they bring apart, the largest taking the rest', () => {
    const same = dividedOutput([curve(1), curve(2)], WSOL_MINT, TOKEN, 1_000_000n) ?? 0n;
    expect(same).toBe(2n * curve(1).quote(WSOL_MINT, 500_000n));
    expect(dividedOutput([curve(1)], WSOL_MINT, TOKEN, 1_000_000n)).toBe(
      curve(1).quote(WSOL_MINT, 1_000_000n),
    );
    expect(dividedOutput([], WSOL_MINT, TOKEN, 1n)).toBeNull();
    expect(dividedOutput([curve(1), buildPool({ id: 2 })], WSOL_MINT, TOKEN, 1n)).toBeNull();
    const poor = curve(2, { token: 1_000n });
    expect(dividedOutput([curve(1), poor], WSOL_MINT, TOKEN, 1_000_000n)).toBe(
      curve(1).quote(WSOL_MINT, 1_000_000n),
    );
  });

  it('have the best rate at zero size over any way of three pools, none through a pool that gives nothing', () => {
    const ways = [half(3, [WSOL_MINT, DOLLAR]), half(4, [DOLLAR, TOKEN])];
    const spot = (pools: readonly Pool[]) => bestSpot(pools, WSOL_MINT, TOKEN);
    expect(compareRates(spot(ways) ?? rate(0n), rate(1n))).toBe(0);
    expect(compareRates(spot([...ways, curve(1)]) ?? rate(0n), rate(2n * 9_975n, 10_000n))).toBe(0);
    expect(spot([half(3, [WSOL_MINT, DOLLAR])])).toBeNull();
    expect(spot([buildPool({ id: 5, sol: 0n, token: 0n })])).toBeNull();
    const chain = Array.from({ length: 5 }, (_, n) => addressFromBytes(new Uint8Array(32).fill(150 + n)));
    const long = (hops: number): readonly Pool[] =>
      [WSOL_MINT, ...chain.slice(0, hops - 1), TOKEN].flatMap((mint, n, all) =>
        n === 0 ? [] : [half(10 + n, [all[n - 1] as Address, mint])],
      );
    expect([1, 2, 3, 4].map((hops) => spot(long(hops)) !== null)).toEqual([true, true, true, false]);
  });

  it('bring no more than their bound, which is near what one curve brings', () => {
    const bound = outputAtMost([curve(1)], WSOL_MINT, TOKEN, SOLS) ?? 0n;
    const exact = curve(1).quote(WSOL_MINT, SOLS);
    expect(bound >= exact).toBe(true);
    expect(bound <= exact + exact / 100_000n + 8n).toBe(true);
    // Another way is counted as if its rate never fell.
    const ways = [curve(1), half(3, [WSOL_MINT, DOLLAR]), half(4, [DOLLAR, TOKEN])];
    const both = outputAtMost(ways, WSOL_MINT, TOKEN, SOLS) ?? 0n;
    expect(both > bound && both >= SOLS).toBe(true);
    expect(outputAtMost([], WSOL_MINT, TOKEN, 1n)).toBeNull();
  });

  it('are seen with the fee of the service taken off the SOL side', () => {
    const view = createPriceView({
      mint: TOKEN,
      pools: [curve(1)],
      slot: 7n,
      at: 9,
      how: 'polled',
      solUsd: null,
      feeBps: bps(100),
    });
    expect(view).toMatchObject({ slot: 7n, at: 9, how: 'polled', solUsd: null });
    const bought = curve(1).quote(WSOL_MINT, 9_900_000n);
    expect(view.quote('buy', 10_000_000n)).toEqual({ got: bought, given: 10_000_000n });
    expect(view.quoteAtLeast('buy', 10_000_000n)).toEqual({ got: bought, given: 10_000_000n });
    const gross = curve(1).quote(TOKEN, 10_000_000n);
    const sold = gross - gross / 100n;
    expect(view.quote('sell', 10_000_000n)).toEqual({ got: sold, given: 10_000_000n });
    expect(view.quoteAtLeast('sell', 10_000_000n)).toEqual({ got: sold, given: 10_000_000n });
    const { upper } = classEdges(12);
    const edge = view.edge('sell', 12);
    expect(edge?.given).toBe(upper);
    expect(compareRates(edge ?? rate(0n), view.edgeAtMost('sell', 12) ?? rate(0n))).toBeLessThanOrEqual(0);
    // A bound is near: within a thousandth of what it bounds.
    const most = view.quoteAtMost('sell', 10_000_000n);
    expect(most !== null && most.got >= sold && most.got <= sold + sold / 1_000n + 10n).toBe(true);
    // Below a million units roundings count, and the rate at zero size is the bound.
    const spot = bestSpot([curve(1)], TOKEN, WSOL_MINT);
    expect(view.quoteAtMost('sell', 999_999n)).toEqual(spot);
    expect(view.quoteAtMost('sell', 1_000_000n)).not.toEqual(spot);
    expect(view.atMost('sell', 9)).toEqual(spot);
  });

  it('are no price where there is no way, or where nothing would arrive', () => {
    const of = (pools: readonly Pool[]) =>
      createPriceView({ mint: TOKEN, pools, slot: 7n, at: 9, how: 'polled', solUsd: null, feeBps: bps(100) });
    const none = of([]);
    expect([
      none.quote('buy', 5n),
      none.atMost('buy', 3),
      none.edge('buy', 3),
      none.edgeAtMost('sell', 20),
    ]).toEqual([null, null, null, null]);
    expect(none.quoteAtLeast('buy', 5n)?.got).toBe(0n);
    expect(of([curve(1)]).quote('sell', 1n)).toBeNull();
    const broken = {
      ...curve(1),
      quote: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => of([broken]).quote('sell', 10n)).toThrow('a bug');
  });

  it('are asked once for each amount', () => {
    let asked = 0;
    const counted = {
      ...buildPool({ id: 1, sol: SOLS, token: SOLS }),
      quote: (mintIn: Address, amount: bigint) => {
        asked += 1;
        return buildPool({ id: 1, sol: SOLS, token: SOLS }).quote(mintIn, amount);
      },
    };
    const view = createPriceView({
      mint: TOKEN,
      pools: [counted],
      slot: 7n,
      at: 9,
      how: 'polled',
      solUsd: null,
      feeBps: bps(100),
    });
    view.quote('sell', 1_000n);
    const once = asked;
    view.quote('sell', 1_000n);
    expect(asked).toBe(once);
    view.quote('buy', 1_000n);
    expect(asked).toBeGreaterThan(once);
  });
});

describe('a division over pools', () => {
  const pool = (id: number, sol: bigint, token: bigint, over: Partial<Pool> = {}): Pool => ({
    ...buildPool({ id, sol, token, accounts: 6, feeBps: 0n }),
    ...over,
  });
  const counted = (of: Pool) => {
    const given: bigint[] = [];
    const quote = (mintIn: Address, amount: bigint) => {
      given.push(amount);
      return of.quote(mintIn, amount);
    };
    return { pool: { ...of, quote }, given };
  };

  it('gives to each by its depth, whatever their order, and nothing to one that is too dear', () => {
    for (const turn of [false, true]) {
      const [small, large] = [
        counted(pool(1, 1_000_000n, 2_000_000n)),
        counted(pool(2, 3_000_000n, 6_000_000n)),
      ];
      const dear = counted(pool(3, 1_000_000n, 1_000n));
      const pools = [small.pool, dear.pool, large.pool];
      const output = dividedOutput(turn ? pools.toReversed() : pools, WSOL_MINT, TOKEN, 400_001n);
      const [few] = small.given;
      const [most] = large.given;
      // A quarter of the depth is a quarter of the amount; the large one takes what roundings leave.
      expect(few === 100_000n || few === 99_999n || few === 100_001n, `${few}`).toBe(true);
      expect((few ?? 0n) + (most ?? 0n)).toBe(400_001n);
      expect(dear.given).toEqual([]);
      expect(output).toBe(
        pool(1, 1_000_000n, 2_000_000n).quote(WSOL_MINT, few ?? 0n) +
          pool(2, 3_000_000n, 6_000_000n).quote(WSOL_MINT, most ?? 0n),
      );
    }
  });

  it('of nothing brings nothing and asks no pool', () => {
    const one = counted(pool(1, 1_000_000n, 2_000_000n));
    expect(dividedOutput([one.pool, pool(2, 10n, 10n)], WSOL_MINT, TOKEN, 0n)).toBe(0n);
    expect(one.given).toEqual([]);
  });
});

describe('bounds of a token with several ways', () => {
  const SOLS = 10n ** 12n;
  const curve = (id: number, sol = SOLS, token = 2n * SOLS): Pool =>
    buildPool({ id, sol, token, accounts: 6 });
  const flat = (id: number, over: Partial<Pool> = {}): Pool => ({
    ...buildPool({ id, sol: SOLS, token: SOLS, feeBps: 0n }),
    ...over,
  });
  const at = (numerator: bigint, denominator: bigint) => () => ({ numerator, denominator });
  const viewOf = (pools: readonly Pool[], fee = 100) =>
    createPriceView({ mint: TOKEN, pools, slot: 7n, at: 9, how: 'polled', solUsd: null, feeBps: bps(fee) });

  it('take the best of them, in any order, and none whose price is nothing or without end', () => {
    const [poor, good] = [flat(1, { spot: at(1n, 3n) }), flat(2, { spot: at(1n, 2n) })];
    for (const pools of [
      [poor, good],
      [good, poor],
    ])
      expect(bestSpot(pools, WSOL_MINT, TOKEN)).toEqual(rate(1n, 2n));
    for (const [numerator, denominator] of [
      [0n, 5n],
      [-1n, 5n],
      [5n, 0n],
      [5n, -1n],
      [-1n, -1n],
    ] as const)
      expect(bestSpot([flat(1, { spot: at(numerator, denominator) })], WSOL_MINT, TOKEN)).toBeNull();
  });

  it('count a pool of the pair without a curve at its rate, and one curve by its curve', () => {
    // Half a token for each lamport, for ever.
    const line = flat(1, { spot: at(1n, 2n) });
    expect(outputAtMost([line], WSOL_MINT, TOKEN, 1_000_000n)).toBe(500_000n + 9n);
    const both = outputAtMost([line, curve(2)], WSOL_MINT, TOKEN, SOLS) ?? 0n;
    const alone = outputAtMost([curve(2)], WSOL_MINT, TOKEN, SOLS) ?? 0n;
    // The curve is used down to half a token, and the line from there on.
    const depth = 10 ** 12 / 0.9975;
    const root = Math.sqrt(2 * 10 ** 12) - Math.sqrt(0.5 * depth);
    expect(Number(both) / (0.5 * 10 ** 12 + root * root)).toBeCloseTo(1, 5);
    expect(both > alone).toBe(true);
    // A curve of no use adds nothing.
    const dear = curve(3, SOLS, 10n);
    expect(outputAtMost([line, dear], WSOL_MINT, TOKEN, 1_000_000n)).toBe(500_000n + 9n);
  });

  it('count a pool of the pair inside a longer way at its rate at zero size', () => {
    const there = buildPool({ id: 5, mints: [DOLLAR, WSOL_MINT], token: SOLS, sol: SOLS, feeBps: 0n });
    const back = buildPool({ id: 6, mints: [DOLLAR, TOKEN], token: SOLS, sol: 4n * SOLS, feeBps: 0n });
    const bound = outputAtMost([curve(1), there, back], WSOL_MINT, TOKEN, SOLS) ?? 0n;
    expect(Number(bound) / (4 * 10 ** 12)).toBeCloseTo(1, 5);
  });

  it('in a view are of the side and the amount that were asked, the fee off the SOL side', () => {
    const view = viewOf([curve(1)]);
    const net = 10_000_000n - 100_000n;
    const bought = outputAtMost([curve(1)], WSOL_MINT, TOKEN, net + 1n);
    expect(view.quoteAtMost('buy', 10_000_000n)).toEqual({ got: bought, given: 10_000_000n });
    const gross = outputAtMost([curve(1)], TOKEN, WSOL_MINT, 10_000_000n) ?? 0n;
    expect(view.quoteAtMost('sell', 10_000_000n)).toEqual({
      got: gross - gross / 100n + 1n,
      given: 10_000_000n,
    });
    const { lower, upper } = classEdges(12);
    expect(view.atMost('sell', 12)).toEqual(view.quoteAtMost('sell', lower));
    expect(view.edgeAtMost('sell', 12)).toEqual(view.quoteAtMost('sell', upper));
    const least = view.quoteAtLeast('sell', upper)?.got ?? 0n;
    expect(view.atLeast('sell', 12)).toEqual({
      got: least * (lower - 4n) - 4n * upper,
      given: upper * lower,
    });
    // No amount is larger than fits a transfer.
    expect(view.edge('sell', 40)?.given).toBe(2n ** 64n - 1n);
  });

  it('at the edge of a class are of the pools together, or what the router knows where one has no curve', () => {
    const { upper } = classEdges(12);
    const two = viewOf([curve(1), curve(2)], 0).edge('buy', 12);
    expect(two).toEqual({ got: dividedOutput([curve(1), curve(2)], WSOL_MINT, TOKEN, upper), given: upper });
    const mixed = viewOf([curve(1), flat(2)], 0);
    expect(mixed.edge('buy', 12)).toEqual(mixed.quote('buy', upper));
    // A division that brings nothing is no price.
    const empty = { ...curve(1), quote: () => 0n };
    expect(viewOf([empty]).edge('sell', 12)).toBeNull();
  });

  it('take the best pool of the pair alone, and none of another pair', () => {
    const foreign = { ...buildPool({ id: 9, mints: [DOLLAR, WSOL_MINT] }), quote: () => 10n ** 15n };
    const other = { ...buildPool({ id: 8, mints: [TOKEN, DOLLAR] }), quote: () => 10n ** 15n };
    const pools = [curve(1, SOLS, SOLS), curve(2), curve(3, SOLS, SOLS), foreign, other];
    for (const turn of [pools, pools.toReversed()])
      expect(viewOf(turn, 0).quoteAtLeast('buy', 1_000_000n)?.got).toBe(
        curve(2).quote(WSOL_MINT, 1_000_000n),
      );
  });
});
