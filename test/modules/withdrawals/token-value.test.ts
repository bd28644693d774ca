import { type Address, addressFromBytes, MAX_U64, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meteoraDlmm } from '../../../packages/venues/src/meteora-dlmm/index.ts';
import { orcaWhirlpool } from '../../../packages/venues/src/orca-whirlpool/index.ts';
import { raydiumClmm } from '../../../packages/venues/src/raydium-clmm/index.ts';
import { buildDlmm } from '../../../packages/venues/test/meteora-dlmm/build.ts';
import { buildWhirlpool } from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildClmm } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { poolOf } from '../../../packages/venues/test/shared/build.ts';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';
import { saleWorth } from '../../../src/modules/trading/rules/sale-worth.ts';
import { tokenValue } from '../../../src/modules/withdrawals/use/token-value.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { buildPool, TOKEN } from '../trading/build-pool.ts';

const id = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const USD = id(200);

/** A venue's own pool under other mints: its arithmetic is what is meant. */
function between(pool: Pool, mints: readonly [Address, Address], n: number): Pool {
  const inside = (mint: Address): Address => (mint === mints[0] ? pool.mints[0] : pool.mints[1]);
  return {
    ...pool,
    id: id(n),
    mints,
    quote: (mintIn, amountIn) => pool.quote(inside(mintIn), amountIn),
    spot: (mintIn) => pool.spot(inside(mintIn)),
  };
}

/** Liquidity of one narrow range: what is more than it takes, it quotes 0 for. */
const narrow = (liquidity: bigint): Pool =>
  poolOf(orcaWhirlpool, buildWhirlpool({ positions: [[-640, 640, liquidity]] }));

function valueIn(pools: readonly Pool[], mint: Address, amount: bigint): Promise<bigint | null> {
  const venue: Venue = {
    name: 'test',
    pools: async (a, b) => pools.filter(({ mints }) => mints.includes(a) && mints.includes(b)),
    counterparts: async (of) =>
      pools.flatMap(({ mints }) => (mints[0] === of ? [mints[1]] : mints[1] === of ? [mints[0]] : [])),
  };
  return tokenValue({ venues: [venue], hubs: [WSOL_MINT, USD] }, { mint, amount });
}

describe('tokenValue', () => {
  it('values what a range cannot take whole at all that the range pays', async () => {
    const pool = between(narrow(10n ** 12n), [TOKEN, WSOL_MINT], 1);
    const sellable = 20_000_000_000n;
    const far = 400_000_000_000n;
    expect(pool.quote(TOKEN, sellable)).toBeGreaterThan(19_000_000_000n);
    // The fault that was: an amount beyond the range has no quote, and what has no quote counted nothing.
    expect(pool.quote(TOKEN, far)).toBe(0n);
    const whole = (await valueIn([pool], TOKEN, sellable)) ?? 0n;
    const beyond = (await valueIn([pool], TOKEN, far)) ?? 0n;
    expect(beyond).toBeGreaterThan(whole);
    expect(await valueIn([pool], TOKEN, MAX_U64)).toBe(beyond);
  });

  it('knows no value where nobody pays, and takes wrapped SOL for SOL', async () => {
    expect(await valueIn([], TOKEN, 5n)).toBeNull();
    const empty = buildPool({ token: 1_000n, sol: 0n });
    expect(await valueIn([empty], TOKEN, 5n)).toBeNull();
    expect(await valueIn([], WSOL_MINT, 5n)).toBe(5n);
  });

  it('values over an intermediate token, no deeper than that token goes itself', async () => {
    const first = buildPool({ id: 1, mints: [TOKEN, USD], token: 10n ** 12n, sol: 10n ** 12n, feeBps: 0n });
    const way = buildPool({ id: 2, mints: [USD, WSOL_MINT], token: 10n ** 12n, sol: 10n ** 9n, feeBps: 0n });
    const value = (await valueIn([first, way], TOKEN, 10n ** 11n)) ?? 0n;
    const quoted = way.quote(USD, first.quote(TOKEN, 10n ** 11n));
    expect(Number(value) / Number(quoted)).toBeGreaterThan(0.97);
    expect(value).toBeLessThanOrEqual(10n ** 9n);
    expect(await valueIn([first, way], TOKEN, MAX_U64)).toBeLessThanOrEqual(10n ** 9n);
  });

  it('stays within 2 % of the best route where that can sell everything', async () => {
    const pools = [
      buildPool({ id: 1, token: 10n ** 13n, sol: 300n * 10n ** 9n }),
      buildPool({ id: 2, token: 4n * 10n ** 12n, sol: 110n * 10n ** 9n, feeBps: 100n }),
    ];
    for (const amount of [10n ** 6n, 10n ** 9n, 7n * 10n ** 11n, 10n ** 13n]) {
      const value = (await valueIn(pools, TOKEN, amount)) ?? 0n;
      const route = chooseRoute(pools, { mintIn: TOKEN, mintOut: WSOL_MINT, amountIn: amount }).amountOut;
      expect(Number(value)).toBeGreaterThan(Number(route) * 0.98);
    }
  });
});

const size = fc.bigInt(1n, MAX_U64);
const direct = fc.oneof(
  fc
    .tuple(fc.bigInt(1n, 10n ** 15n), fc.bigInt(1n, 10n ** 13n), fc.bigInt(0n, 900n))
    .map(([token, sol, feeBps]) => buildPool({ token, sol, feeBps })),
  fc.bigInt(10n ** 6n, 10n ** 14n).map(narrow),
  fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.bigInt(10n ** 6n, 10n ** 14n))
    .map(([width, liquidity]) =>
      poolOf(raydiumClmm, buildClmm({ positions: [[-60 * width, 60 * width, liquidity]] })),
    ),
  fc
    .array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 6 })
    .map((amounts) =>
      poolOf(
        meteoraDlmm,
        buildDlmm({ bins: amounts.map((amount, n) => [-n, n === 0 ? amount : 0n, amount]) }),
      ),
    ),
);
const ends = fc.constantFrom<readonly [Address, Address]>([TOKEN, WSOL_MINT], [TOKEN, USD], [USD, WSOL_MINT]);
const market = fc
  .array(fc.tuple(direct, ends), { minLength: 1, maxLength: 5 })
  .map((pools) => pools.map(([pool, mints], n) => between(pool, mints, n + 1)));

describe('saleWorth', () => {
  it('never falls when the amount grows, and is never below what one pool pays for a part', () => {
    fc.assert(
      fc.property(market, fc.array(size, { minLength: 2, maxLength: 12 }), (pools, sizes) => {
        const worth = saleWorth(pools, TOKEN);
        if (worth === null) return;
        const ascending = sizes.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        const values = [0n, ...ascending].map(worth);
        for (const [index, value] of values.slice(1).entries()) {
          expect(value).toBeGreaterThanOrEqual(values[index] ?? 0n);
        }
        for (const pool of pools) {
          if (!pool.mints.includes(WSOL_MINT) || !pool.mints.includes(TOKEN)) continue;
          // Whatever part of it this pool takes, by powers of two.
          for (let part = 1n; part <= (ascending.at(-1) ?? 0n); part *= 2n) {
            const paid = pool.quote(TOKEN, part);
            expect(worth(ascending.at(-1) ?? 0n) + BigInt(pools.length)).toBeGreaterThanOrEqual(paid);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
