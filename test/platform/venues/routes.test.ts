import { type Address, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import type { Exchange, MintFacts } from '@tradepost/venues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meteoraDammV2 } from '../../../packages/venues/src/meteora-damm-v2/index.ts';
import { openbookV2 } from '../../../packages/venues/src/openbook-v2/index.ts';
import { raydiumAmmV4 } from '../../../packages/venues/src/raydium-amm-v4/index.ts';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { buildDamm } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildMarket } from '../../../packages/venues/test/openbook-v2/build.ts';
import { buildAmmV4 } from '../../../packages/venues/test/raydium-amm-v4/build.ts';
import { buildCpmm } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  buildMint,
  flatTransferFee,
  type PoolFixture,
  poolOf,
  relocated,
  testAddress,
} from '../../../packages/venues/test/shared/build.ts';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';

const Q64 = 1n << 64n;
/** The last two withhold a part of every transfer. */
const MINTS: readonly MintFacts[] = [
  buildMint(testAddress(10)),
  buildMint(testAddress(11)),
  buildMint(testAddress(12)),
  buildMint(
    testAddress(13),
    { tokenProgram: TOKEN_2022_PROGRAM },
    { transferFee: flatTransferFee(100, 10n ** 18n) },
  ),
  buildMint(
    testAddress(14),
    { tokenProgram: TOKEN_2022_PROGRAM },
    { transferFee: flatTransferFee(37, 5_000n) },
  ),
];
const CLASSIC = 3;

type Row = {
  readonly kind: 'cpmm' | 'amm-v4' | 'damm' | 'book';
  readonly a: number;
  readonly b: number;
  readonly depth: bigint;
  /** Price of one kind of token in the other, per mille. */
  readonly price: bigint;
  readonly fee: bigint;
};

const rows: fc.Arbitrary<readonly Row[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('cpmm', 'amm-v4', 'damm', 'book'),
    // Both ends often meet in one pool, so that there is something to split over.
    a: fc.constantFrom(0, 0, 0, 2, 3, 3, 4),
    b: fc.constantFrom(1, 1, 1, 2, 3, 3, 4),
    depth: fc.bigInt({ min: 10n ** 8n, max: 10n ** 11n }),
    price: fc.bigInt({ min: 900n, max: 1_100n }),
    fee: fc.bigInt({ min: 0n, max: 100n }),
  }) as fc.Arbitrary<Row>,
  { minLength: 2, maxLength: 8 },
);

/** Of every size alike: small orders stay with one pool, large ones are split. */
const amounts = fc
  .tuple(fc.integer({ min: 4, max: 10 }), fc.integer({ min: 100, max: 999 }))
  .map(([digits, lead]) => (BigInt(lead) * 10n ** BigInt(digits)) / 100n);

/** A pool's exchange and accounts, or null where the program does not know such tokens. */
function fixtureOf({ kind, a, b, depth, price, fee }: Row, index: number): [Exchange, PoolFixture] | null {
  const [first, second] = [MINTS[a], MINTS[b]];
  if (first === undefined || second === undefined || a === b) return null;
  const mints = [first, second] as const;
  const reserves = [depth, (depth * price) / 1_000n] as const;
  const at = (fixture: PoolFixture) => relocated(fixture, 100 * (index + 1));
  if (kind === 'cpmm') return [raydiumCpmm, at(buildCpmm({ reserves, mints, tradeFeeRate: fee * 100n }))];
  if (kind === 'damm') {
    return [
      meteoraDammV2,
      at(buildDamm({ mints, liquidity: depth * Q64, cliffFeeNumerator: fee * 100_000n })),
    ];
  }
  if (a >= CLASSIC || b >= CLASSIC) return null;
  if (kind === 'amm-v4')
    return [raydiumAmmV4('long'), at(buildAmmV4({ reserves, mints, fee: [fee, 10_000n] }))];
  const levels = (step: bigint) =>
    Array.from({ length: 5 }, (_, level) => ({
      price: 100n * price + step * BigInt(1 + level),
      lots: depth / 10_000n + 1n,
    }));
  const lots = { baseLotSize: 1_000n, quoteLotSize: 1n };
  const fees = { takerFee: fee * 10n, makerFee: -fee * 10n };
  return [openbookV2, at(buildMarket({ bids: levels(-40n), asks: levels(40n), mints, ...lots, ...fees }))];
}

describe('a route over the venues’ own arithmetic', () => {
  it('claims exactly what its legs give when they are carried out, over hops, splits and fees', () => {
    const seen = { routes: 0, splits: 0, hops: 0, books: 0, withheld: 0 };
    fc.assert(
      fc.property(rows, amounts, fc.integer({ min: 0, max: 50 }), (all, amountIn, hopMarginBps) => {
        const built = all.flatMap((row, index) => {
          const found = fixtureOf(row, index);
          return found === null ? [] : [found];
        });
        const pools = built.map(([exchange, fixture]) => poolOf(exchange, fixture));
        const [mintIn, mintOut] = [MINTS[0]?.mint as Address, MINTS[1]?.mint as Address];
        const entries = built.flatMap(([, fixture]) => [...fixture.accounts.keys()]);
        const table = { address: testAddress(9_999), entries };
        let route: ReturnType<typeof chooseRoute>;
        try {
          route = chooseRoute(pools, { mintIn, mintOut, amountIn, hopMarginBps, lookupTables: [table] });
        } catch (error) {
          expect([
            'NO_ROUTE',
            'ROUTE_TOO_LARGE',
            'AMOUNT_ABOVE_DEPTH',
            'INSUFFICIENT_LIQUIDITY',
            'AMOUNT_DUST',
          ]).toContain((error as { code: string }).code);
          return;
        }
        // Decoded afresh: nothing that the search remembered may count.
        const again = new Map(built.map(([exchange, fixture]) => [fixture.id, poolOf(exchange, fixture)]));
        const held = new Map<Address, bigint>([[mintIn, amountIn]]);
        for (const { pool, mintIn: from, mintOut: to, amountIn: spent } of route.legs) {
          const left = (held.get(from) ?? 0n) - spent;
          expect(left).toBeGreaterThanOrEqual(0n);
          held.set(from, left);
          const fresh = again.get(pool.id);
          // Each pool once: its state is the one that was quoted.
          expect(again.delete(pool.id)).toBe(true);
          held.set(to, (held.get(to) ?? 0n) + (fresh?.quote(from, spent) ?? 0n));
        }
        expect(held.get(mintOut)).toBe(route.amountOut);
        expect(held.get(mintIn)).toBe(0n);
        const kept = route.intermediates.flatMap((mint) => {
          const units = held.get(mint) ?? 0n;
          return units > 0n ? [{ mint, units }] : [];
        });
        expect(route.remainders).toEqual(kept);
        seen.routes++;
        if (
          route.legs.some((leg, index) => route.legs.findIndex((one) => one.mintIn === leg.mintIn) !== index)
        )
          seen.splits++;
        if (route.intermediates.length > 0) seen.hops++;
        if (route.legs.some((leg) => leg.pool.venue === 'openbook-v2')) seen.books++;
        if (route.intermediates.some((mint) => MINTS.slice(CLASSIC).some((fee) => fee.mint === mint)))
          seen.withheld++;
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
    // A property that met none of these would have shown nothing.
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(5);
  });
});
