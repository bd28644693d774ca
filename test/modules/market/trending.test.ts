import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TraderFlow, trendingTokens } from '../../../src/modules/market/rules/trending.ts';

const NOW = 1_800_000_000;
const HOUR = 3_600;
const [PUP, BOT] = ['PUP', 'BOT'] as Address[] as [Address, Address];
const rules = { now: NOW, windowSeconds: 24 * HOUR, liquidityUsd: () => 1e6 };
const flow = (person: string, changes: Partial<TraderFlow> = {}): TraderFlow => ({
  mint: PUP,
  person,
  buyUsd: 100,
  sellUsd: 0,
  firstAt: NOW,
  onlyMint: false,
  ...changes,
});
const people = (count: number, changes: Partial<TraderFlow> = {}, name = 'p') =>
  Array.from({ length: count }, (_, index) => flow(`${name}${index}`, changes));
const scoreOf = (flows: readonly TraderFlow[], mint = PUP, how = rules) =>
  trendingTokens(flows, how).find((one) => one.mint === mint)?.score ?? 0;

const usd = fc.nat(10_000_000).map((cents) => cents / 100);
const trader = fc.record({
  person: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  mint: fc.constantFrom(PUP, BOT),
  buyUsd: usd,
  sellUsd: usd,
  firstAt: fc.integer({ min: NOW - 24 * HOUR, max: NOW }),
  onlyMint: fc.boolean(),
});

describe('what trends', () => {
  it('is what more people moved into', () => {
    const flows = [...people(5), ...people(4, { mint: BOT, buyUsd: 125 })];
    expect(trendingTokens(flows, rules).map(({ mint }) => mint)).toEqual([PUP, BOT]);
    expect(trendingTokens(flows, rules)[0]).toMatchObject({ traders: 5, volumeUsd: 500, netUsd: 500 });
  });

  it('is not what ten wallets pass to and fro', () => {
    const wash = people(10, { mint: BOT, buyUsd: 50_000, sellUsd: 49_900, onlyMint: true }, 'bot');
    const real = people(5, { buyUsd: 20, onlyMint: true });
    expect(trendingTokens([...wash, ...real], rules).map(({ mint }) => mint)).toEqual([PUP, BOT]);
  });

  it('takes the wallets of one person for one', () => {
    expect(scoreOf([flow('ann'), flow('ann'), flow('bob')])).toBeLessThan(scoreOf(people(3)));
    expect(trendingTokens([flow('ann'), flow('ann')], rules)[0]).toMatchObject({
      traders: 1,
      volumeUsd: 200,
    });
  });

  it('fades', () => {
    const old = people(3, { firstAt: NOW - 12 * HOUR });
    expect(scoreOf(old)).toBeCloseTo(scoreOf(people(3)) / 2, 9);
  });

  it('counts one person’s millions as no more than three of the middle, and as one percent of what there is', () => {
    const whale = [...people(4), flow('whale', { buyUsd: 1e9 })];
    expect(scoreOf(whale)).toBeCloseTo(5 * Math.log2(1 + (4 * 100 + 300) / 100), 9);
    const shallow = { ...rules, liquidityUsd: () => 5_000 };
    expect(scoreOf(people(4), PUP, shallow)).toBeCloseTo(4 * Math.log2(1 + (4 * 50) / 100), 9);
  });

  it('is never raised by a round trip', () => {
    fc.assert(
      fc.property(
        fc.array(trader, { minLength: 1, maxLength: 8 }),
        trader,
        usd,
        fc.integer({ min: NOW - 24 * HOUR, max: NOW }),
        (flows, { person, mint, onlyMint }, size, at) => {
          const trip = { person, mint, onlyMint: onlyMint, buyUsd: size, sellUsd: size, firstAt: at };
          const fresh = flows.some((one) => one.person === person && one.mint === mint && !one.onlyMint);
          const traded = { ...trip, onlyMint: !fresh };
          const before = scoreOf(flows, mint);
          // Doubles of both sums round apart.
          expect(scoreOf([...flows, traded], mint)).toBeLessThanOrEqual(before * (1 + 1e-6) + 1e-6);
        },
      ),
    );
  });

  it('counts so many fresh wallets as a quarter of them at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), usd, (count, buyUsd) => {
        const moved = Math.log2(1 + (count * Math.min(buyUsd, 1e4)) / 100);
        const score = scoreOf(people(count, { buyUsd, onlyMint: true }));
        expect(score).toBeLessThanOrEqual((count / 4) * moved + 1e-9);
      }),
    );
  });

  it('is the same in whatever order the trades are told', () => {
    fc.assert(
      fc.property(
        fc
          .array(trader, { maxLength: 12 })
          .chain((flows) =>
            fc.tuple(fc.constant(flows), fc.shuffledSubarray(flows, { minLength: flows.length })),
          ),
        ([flows, told]) => {
          const [one, other] = [trendingTokens(flows, rules), trendingTokens(told, rules)];
          expect(other.map(({ mint }) => mint)).toEqual(one.map(({ mint }) => mint));
          for (const [index, { score }] of one.entries()) expect(other[index]?.score).toBeCloseTo(score, 6);
        },
      ),
    );
  });
});
