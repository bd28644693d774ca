import { describe, expect, it } from 'vitest';
import { createRandom } from '../bench/generate.ts';
import type { SnapshotPool } from '../bench/snapshot.ts';
import { outputFor } from '../src/curve.ts';
import type { Market } from '../src/market.ts';
import { buildPool, fromSnapshot } from './build-market.ts';

const TOKENS = ['A', 'B', 'C', 'D'];
const PRICES = [1, 3, 0.2, 11];
const MAX_POOLS = 5;

/** A market small enough to search whole: at most 12 pools between four tokens, prices within their fees. */
function smallMarket(seed: number): readonly SnapshotPool[] {
  const random = createRandom(seed);
  return Array.from({ length: 5 + Math.floor(random() * 8) }, (_, n) => {
    const a = Math.floor(random() * TOKENS.length);
    const b = (a + 1 + Math.floor(random() * (TOKENS.length - 1))) % TOKENS.length;
    const depth = 10 ** (9 + 3 * random());
    const price = ((PRICES[a] ?? 1) / (PRICES[b] ?? 1)) * Math.exp((random() - 0.5) * 0.004);
    const reserves = [BigInt(Math.floor(depth / (PRICES[a] ?? 1))), 0n] as [bigint, bigint];
    reserves[1] = BigInt(Math.floor(Number(reserves[0]) * price));
    return buildPool(`p${n}`, [TOKENS[a] ?? '', TOKENS[b] ?? ''], reserves);
  });
}

function allPaths(market: Market, from: number, to: number): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  const extend = (path: readonly number[], token: number, seen: readonly number[]): void => {
    for (let edge = 0; edge < market.from.length; edge++) {
      const next = market.to[edge] ?? -1;
      if (market.from[edge] !== token || seen.includes(next)) continue;
      if (next === to) found.push([...path, edge]);
      else if (path.length < 2) extend([...path, edge], next, [...seen, next]);
    }
  };
  extend([], from, [from]);
  return found;
}

function alongPath(market: Market, path: readonly number[], amount: number): number {
  return path.reduce((held, edge) => outputFor(market.exact[edge]!, held), amount);
}

/** Best output over all sets of up to three paths without a common pool, split by steps of 1 % and then finer. */
function bruteForce(market: Market, from: number, to: number, amount: number): number {
  const paths = allPaths(market, from, to);
  let best = 0;
  const disjoint = (sets: readonly (readonly number[])[]): boolean => {
    const pools = sets.flat().map((edge) => edge >> 1);
    return pools.length <= MAX_POOLS && new Set(pools).size === pools.length;
  };
  paths.forEach((p, i) => {
    best = Math.max(best, alongPath(market, p, amount));
    paths.slice(i + 1).forEach((q, j) => {
      if (!disjoint([p, q])) return;
      best = Math.max(best, divided(market, [p, q], amount));
      for (const r of paths.slice(i + j + 2)) {
        if (disjoint([p, q, r])) best = Math.max(best, divided(market, [p, q, r], amount));
      }
    });
  });
  return best;
}

/** Best division over given paths: moves ever smaller parts from one to another while that helps. Outputs are concave. */
function divided(market: Market, paths: readonly (readonly number[])[], amount: number): number {
  const parts = paths.map(() => amount / paths.length);
  const total = (): number => parts.reduce((sum, part, n) => sum + alongPath(market, paths[n]!, part), 0);
  let best = total();
  for (let step = amount / 4; step > amount / 4000; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false;
      for (let i = 0; i < parts.length; i++) {
        for (let j = 0; j < parts.length; j++) {
          if (i === j || parts[i]! < step) continue;
          parts[i]! -= step;
          parts[j]! += step;
          const reached = total();
          if (reached > best * (1 + 1e-12)) {
            best = reached;
            moved = true;
          } else {
            parts[i]! += step;
            parts[j]! -= step;
          }
        }
      }
    }
  }
  return best;
}

describe('the router over small markets', () => {
  it('is never below the best of all splits over up to three paths', () => {
    let split = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const pools = smallMarket(seed);
      const { market, router } = fromSnapshot({
        version: 1,
        tokens: TOKENS.map((id) => ({ id })),
        pools: [...pools],
        orders: [],
      });
      const from = market.tokenIndex.get('A');
      const to = market.tokenIndex.get('B');
      if (from === undefined || to === undefined) continue;
      for (const amount of [1e6, 3e7, 1e9]) {
        const best = bruteForce(market, from, to, amount);
        const request = {
          tokenIn: 'A',
          tokenOut: 'B',
          amountIn: BigInt(amount),
          maxPools: MAX_POOLS,
          maxHops: 3,
        };
        const route = router.route(request);
        expect(route === null).toBe(best === 0);
        if (route === null) continue;
        if (route.legs.length > 1) split++;
        // Each leg may lose one unit to rounding, worth up to 15 of the output token here.
        expect(Number(route.out), `seed ${seed}, amount ${amount}`).toBeGreaterThanOrEqual(
          best * (1 - 1e-6) - 15 * MAX_POOLS,
        );
      }
    }
    expect(split).toBeGreaterThan(30);
  });
});
