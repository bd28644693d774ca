import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/core/address/address.ts';
import { type PoolLook, usdPrices } from '../../../src/modules/market/rules/usd-price.ts';

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
