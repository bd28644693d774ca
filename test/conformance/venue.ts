import { Keypair } from '@solana/web3.js';
import { type Address, MAX_U64 } from '@tradepost/solana';
import type { Pool, PoolSwap } from '@tradepost/venues';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import type { Venue } from '../../src/platform/ports/venue.ts';

/** One pool to be tested and what the chain says it holds of each mint. */
export type VenueCase = {
  readonly venue: Venue;
  readonly mintA: Address;
  readonly mintB: Address;
  /** Units of each mint that the pool could hand out at most. */
  readonly reserves: (pool: Pool, mint: Address) => bigint;
  /** Fees on the way in that round up, each losing up to one unit of the input; one when absent. */
  readonly roundedFees?: bigint;
  /** A capped transfer fee breaks concavity where it is reached: the input up to which no cap is. */
  readonly uncappedUpTo?: bigint;
};

/** What every venue and every pool must do, whatever its arithmetic. `make` is called once per suite. */
export function describeVenue(title: string, make: () => Promise<VenueCase>): void {
  describe(`venue conformance: ${title}`, () => {
    let given: VenueCase;
    let pools: readonly Pool[];
    beforeAll(async () => {
      given = await make();
      pools = await given.venue.pools(given.mintA, given.mintB);
    });

    const directions = () =>
      pools.flatMap((pool) => [
        { pool, mintIn: given.mintA, mintOut: given.mintB },
        { pool, mintIn: given.mintB, mintOut: given.mintA },
      ]);
    const amounts = (pool: Pool, mint: Address) =>
      fc.bigInt({ min: 1n, max: given.uncappedUpTo ?? given.reserves(pool, mint) * 4n });

    it('lists the pools of a pair whichever mint is named first, and names itself', async () => {
      expect(pools.length).toBeGreaterThan(0);
      const swapped = await given.venue.pools(given.mintB, given.mintA);
      expect(swapped.map((pool) => pool.id)).toEqual(pools.map((pool) => pool.id));
      for (const pool of pools) {
        expect(pool.venue).toBe(given.venue.name);
        expect(pool.label.length).toBeGreaterThan(0);
        expect(new Set(pool.mints)).toEqual(new Set([given.mintA, given.mintB]));
        expect(pool.slot).toBeGreaterThan(0n);
      }
    });

    it('knows nothing of a mint it does not trade', async () => {
      const stranger = address(Keypair.generate().publicKey.toBase58());
      expect(await given.venue.pools(stranger, given.mintA)).toEqual([]);
      expect(await given.venue.counterparts(stranger)).toEqual([]);
      expect(() => pools[0]?.quote(stranger, 1n)).toThrow(RangeError);
    });

    it('names each mint of the pair as the other’s counterpart', async () => {
      expect(await given.venue.counterparts(given.mintA)).toContain(given.mintB);
      expect(await given.venue.counterparts(given.mintB)).toContain(given.mintA);
    });

    it('gives 0 for 0 and something for a real amount, both ways', () => {
      for (const { pool, mintIn } of directions()) {
        expect(pool.quote(mintIn, 0n)).toBe(0n);
        expect(
          pool.quote(mintIn, given.uncappedUpTo ?? given.reserves(pool, mintIn) / 10n + 1_000n),
        ).toBeGreaterThan(0n);
      }
    });

    it('never gives more than it holds, however much comes in', () => {
      for (const { pool, mintIn, mintOut } of directions()) {
        fc.assert(
          fc.property(fc.bigInt({ min: 0n, max: MAX_U64 }), (amount) => {
            const out = pool.quote(mintIn, amount);
            expect(out).toBeGreaterThanOrEqual(0n);
            expect(out).toBeLessThanOrEqual(given.reserves(pool, mintOut));
          }),
        );
      }
    });

    it('gives no less for more', () => {
      for (const { pool, mintIn } of directions()) {
        fc.assert(
          fc.property(amounts(pool, mintIn), amounts(pool, mintIn), (a, b) => {
            const [less, more] = a < b ? [a, b] : [b, a];
            expect(pool.quote(mintIn, more)).toBeGreaterThanOrEqual(pool.quote(mintIn, less));
          }),
        );
      }
    });

    it('gives no more for two amounts together than for each of them apart', () => {
      for (const { pool, mintIn } of directions()) {
        const { numerator, denominator } = pool.spot(mintIn);
        const unitWorth = numerator / denominator + 1n;
        // Apart, each amount loses its fees' rounding, at most that many units of the input; and both outputs round.
        const rounding = 2n * (given.roundedFees ?? 1n) * unitWorth + 2n;
        fc.assert(
          fc.property(amounts(pool, mintIn), amounts(pool, mintIn), (a, b) => {
            const together = pool.quote(mintIn, a / 2n + b / 2n);
            expect(together).toBeLessThanOrEqual(
              pool.quote(mintIn, a / 2n) + pool.quote(mintIn, b / 2n) + rounding,
            );
          }),
        );
      }
    });

    it('never beats its own spot rate, and comes near it for small amounts', () => {
      for (const { pool, mintIn } of directions()) {
        const { numerator, denominator } = pool.spot(mintIn);
        fc.assert(
          fc.property(amounts(pool, mintIn), (amount) => {
            expect(pool.quote(mintIn, amount) * denominator).toBeLessThanOrEqual(amount * numerator);
          }),
        );
        const small = given.reserves(pool, mintIn) / 100_000n;
        const atSpot = (small * numerator) / denominator;
        expect(pool.quote(mintIn, small) * 1_000n).toBeGreaterThan(atSpot * 998n);
      }
    });

    it('does not pay a round trip', () => {
      for (const { pool, mintIn, mintOut } of directions()) {
        fc.assert(
          fc.property(amounts(pool, mintIn), (amount) => {
            expect(pool.quote(mintOut, pool.quote(mintIn, amount))).toBeLessThanOrEqual(amount);
          }),
        );
      }
    });

    it('swaps between the accounts it is given, with the owner’s signature, and enforces the minimum', () => {
      const account = () => address(Keypair.generate().publicKey.toBase58());
      for (const { pool, mintIn } of directions()) {
        const amountIn = given.uncappedUpTo ?? given.reserves(pool, mintIn) / 100n;
        const amountOut = pool.quote(mintIn, amountIn);
        const order: PoolSwap = {
          owner: account(),
          mintIn,
          amountIn,
          amountOut,
          minOut: amountOut,
          tokenAccountRent: 1_488_440n,
          source: account(),
          destination: account(),
        };
        const metas = pool.swap(order).flatMap((instruction) => instruction.accounts);
        for (const named of [order.source, order.destination]) {
          expect(metas.some((meta) => meta.address === named && meta.writable)).toBe(true);
        }
        expect(metas.some((meta) => meta.address === order.owner && meta.signer)).toBe(true);
        expect(() => pool.swap({ ...order, minOut: amountOut + 1n })).toThrow(RangeError);
        expect(() => pool.swap({ ...order, amountIn: 0n, amountOut: 0n, minOut: 0n })).toThrow(RangeError);
      }
    });
  });
}
