import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PoolLook,
  shownPrice,
  shownPrices,
  usdPrices,
} from '../../../src/modules/market/rules/usd-price.ts';

const NOW = 1_800_000_000_000;
const [SOL, USD, PUP, KOI, FAR] = ['SOL', 'USD', 'PUP', 'KOI', 'FAR'].map((name) => name as Address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
let pools = 0;
const pool = (
  baseMint: Address,
  quoteMint: Address,
  mid: number | null,
  quoteDepth: number,
  changes: Partial<PoolLook> = {},
): PoolLook => {
  pools += 1;
  return { address: `pool${pools}` as Address, baseMint, quoteMint, mid, quoteDepth, at: NOW, ...changes };
};
const price = (looks: readonly PoolLook[], mint: Address, now = NOW) =>
  usdPrices(looks, { dollars: [USD], sol: SOL, now }).get(mint) ?? null;
const solAt = (usd: number) => pool(SOL, USD, usd, 100_000);

describe('dollars', () => {
  it('takes a dollar for a dollar', () => {
    expect(price([], USD)).toMatchObject({ usd: 1, confidence: 'high', stale: false, liquidityUsd: null });
    expect(price([], SOL)).toBeNull();
  });

  it('takes the pool below which half of the depth lies', () => {
    const looks = [pool(SOL, USD, 150, 60_000), pool(SOL, USD, 151, 50_000), pool(SOL, USD, 900, 40_000)];
    expect(price(looks, SOL)).toMatchObject({ usd: 151, confidence: 'high', liquidityUsd: 300_000 });
  });

  it('hears no pool that is thin, or thin beside the deepest', () => {
    expect(price([pool(SOL, USD, 150, 499)], SOL)).toBeNull();
    const looks = [
      pool(SOL, USD, 150, 100_000),
      ...Array.from({ length: 30 }, () => pool(SOL, USD, 1, 4_999)),
    ];
    expect(price(looks, SOL)).toMatchObject({ usd: 150, liquidityUsd: 200_000 });
  });

  it('prices a token over SOL from two SOL on, in either order of the pool', () => {
    expect(price([solAt(150), pool(PUP, SOL, 0.01, 1.9)], PUP)).toBeNull();
    expect(price([solAt(150), pool(PUP, SOL, 0.01, 2)], PUP)).toMatchObject({ usd: 1.5, liquidityUsd: 600 });
    expect(price([solAt(150), pool(SOL, PUP, 100, 50_000)], PUP)?.usd).toBeCloseTo(1.5, 9);
  });

  it('goes one hop further over a token that was priced so, and no further', () => {
    const looks = [
      solAt(150),
      pool(KOI, SOL, 0.01, 1_000),
      pool(PUP, KOI, 2, 10_000),
      pool(FAR, PUP, 2, 10_000),
    ];
    expect(price(looks, PUP)?.usd).toBeCloseTo(3, 9);
    expect(price(looks, FAR)).toBeNull();
  });

  it('says how sure it is', () => {
    expect(price([solAt(150)], SOL)?.confidence).toBe('medium');
    expect(price([solAt(150), solAt(151)], SOL)?.confidence).toBe('high');
    expect(price([solAt(150), pool(SOL, USD, 170, 90_000)], SOL)?.confidence).toBe('medium');
    expect(price([pool(SOL, USD, 150, 1_000)], SOL)?.confidence).toBe('low');
  });

  it('tells an old look as stale after a minute, and not at all after ten, also through SOL', () => {
    const looks = [{ ...solAt(150), at: NOW - 61_000 }, pool(PUP, SOL, 0.01, 100)];
    expect(price(looks, SOL)).toMatchObject({ stale: true, at: NOW - 61_000 });
    expect(price(looks, PUP)).toMatchObject({ stale: true, at: NOW - 61_000 });
    expect(price(looks, PUP, NOW - 1_000)).toMatchObject({ stale: false });
    expect(price(looks, PUP, NOW + 540_000)).toBeNull();
  });

  it('has no price where nothing trades, or nonsense is told', () => {
    for (const mid of [null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(price([pool(SOL, USD, mid, 100_000)], SOL)).toBeNull();
  });

  it('is the same for every order of the pools', () => {
    const look = fc.record({
      ends: fc.constantFrom([SOL, USD], [PUP, SOL], [PUP, USD], [KOI, SOL], [FAR, KOI], [PUP, KOI]),
      mid: fc.double({ min: 1e-9, max: 1e6, noNaN: true }),
      depth: fc.double({ min: 0, max: 1e7, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 12 }), fc.nat(), (some, seed) => {
        const looks = some.map(({ ends, mid, depth }) =>
          pool(ends[0] as Address, ends[1] as Address, mid, depth),
        );
        const turned = [...looks.slice(seed % 5), ...looks.slice(0, seed % 5)].reverse();
        const rules = { dollars: [USD], sol: SOL, now: NOW };
        const [one, other] = [usdPrices(looks, rules), usdPrices(turned, rules)];
        for (const mint of [SOL, USD, PUP, KOI, FAR]) expect(other.get(mint)).toEqual(one.get(mint));
      }),
    );
  });

  it('is moved by no pool that holds less than half of the depth beyond its neighbours', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (lie) => {
        const looks = [pool(SOL, USD, 149, 40_000), pool(SOL, USD, 151, 40_000), pool(SOL, USD, lie, 39_000)];
        const usd = price(looks, SOL)?.usd ?? 0;
        expect(usd).toBeGreaterThanOrEqual(149);
        expect(usd).toBeLessThanOrEqual(151);
      }),
    );
  });
});

describe('dollars that are only shown', () => {
  const rules = { dollars: [USD], sol: SOL, now: NOW };
  const shown = (looks: readonly PoolLook[], mint: Address) =>
    shownPrices(looks, usdPrices(looks, rules), rules).get(mint) ?? null;

  it('tells a token whose pools are all thin by their median, and a curve that nobody has bought from', () => {
    expect(shown([solAt(150), pool(PUP, SOL, 0.01, 0)], PUP)).toEqual({
      usd: 1.5,
      confidence: 'low',
      stale: false,
      liquidityUsd: 0,
      at: NOW,
    });
    const looks = [solAt(150), pool(PUP, SOL, 0.01, 0.5), pool(PUP, SOL, 0.02, 0.6), pool(PUP, SOL, 90, 0.4)];
    expect(shown(looks, PUP)).toMatchObject({ usd: 3, confidence: 'low' });
    expect(shown(looks, PUP)?.liquidityUsd).toBeCloseTo(450, 9);
  });

  it('keeps the price of one deep pool against any number of thin ones, and adds their liquidity', () => {
    const looks = [
      solAt(150),
      pool(PUP, SOL, 0.01, 2),
      ...Array.from({ length: 9 }, () => pool(PUP, SOL, 5, 1.9)),
    ];
    expect(price(looks, PUP)).toMatchObject({ usd: 1.5, liquidityUsd: 600 });
    expect(shown(looks, PUP)?.usd).toBe(1.5);
    expect(shown(looks, PUP)?.liquidityUsd).toBeCloseTo(2 * (2 + 9 * 1.9) * 150, 6);
  });

  it('gives no thin price on to another token, and none to SOL', () => {
    const looks = [solAt(150), pool(PUP, SOL, 1_000_000, 0.1), pool(KOI, PUP, 1, 1_000_000)];
    expect(shown(looks, PUP)?.usd).toBe(150_000_000);
    expect(shown(looks, KOI)).toBeNull();
    expect(shown([pool(SOL, USD, 150, 499)], SOL)).toBeNull();
  });

  it('leaves what amounts are valued by as it was', () => {
    const looks = [solAt(150), pool(PUP, SOL, 1_000_000, 1.9), pool(KOI, SOL, 0.01, 2)];
    const counted = usdPrices(looks, rules);
    shownPrices(looks, counted, rules);
    expect([...counted.keys()].toSorted()).toEqual([KOI, SOL, USD].toSorted());
    expect(counted.get(KOI)?.liquidityUsd).toBe(600);
  });

  it('takes pools that were read later, and says it is thin when a deep one was emptied', () => {
    const before = [solAt(150), pool(PUP, SOL, 0.01, 100)];
    const counted = usdPrices(before, rules);
    const at = NOW + 5_000;
    const later = (mid: number, depth: number) =>
      shownPrice(PUP, [pool(PUP, SOL, mid, depth, { at })], counted, { ...rules, now: at });
    expect(later(0.02, 140)).toMatchObject({ usd: 3, confidence: 'low', liquidityUsd: 42_000 });
    expect(later(0.001, 1)).toMatchObject({ usd: 0.15, confidence: 'low', liquidityUsd: 300 });
    expect(shownPrice(SOL, [pool(SOL, USD, 9, 1e9)], counted, rules)?.usd).toBe(150);
  });

  it('is the price that counts wherever there is one', () => {
    const look = fc.record({
      ends: fc.constantFrom([SOL, USD], [PUP, SOL], [PUP, USD], [KOI, SOL], [FAR, KOI], [PUP, KOI]),
      mid: fc.double({ min: 1e-9, max: 1e6, noNaN: true }),
      depth: fc.double({ min: 0, max: 1e7, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 12 }), (some) => {
        const looks = some.map(({ ends, mid, depth }) =>
          pool(ends[0] as Address, ends[1] as Address, mid, depth),
        );
        const counted = usdPrices(looks, rules);
        const all = shownPrices(looks, counted, rules);
        for (const [mint, { usd, confidence }] of counted)
          expect(all.get(mint)).toMatchObject({ usd, confidence });
      }),
    );
  });
});
