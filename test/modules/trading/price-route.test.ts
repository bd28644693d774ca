import { WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { bps, bpsFloor, minimumOut } from '../../../src/core/amounts/bps.ts';
import type { Route } from '../../../src/modules/trading/rules/route.ts';
import { priceRoute } from '../../../src/modules/trading/use/price-route.ts';
import { platformTerms } from '../../../src/modules/trading/use/swap-terms.ts';
import { addressOf } from '../../engine/intents/build.ts';

const MINT = addressOf(10);
const SLIPPAGE = bps(500);
const GROSS = 1_000_003n;
const FEE = bpsFloor(GROSS, bps(100));
const NET = GROSS - FEE;

/** A sale into SOL over two pools at once. */
function sale(byProgram: boolean): Route {
  const leg = (amountIn: bigint, amountOut: bigint) => ({
    pool: {} as Pool,
    mintIn: MINT,
    mintOut: WSOL_MINT,
    amountIn,
    amountOut,
    shareBps: 5_000,
    leastOut: null,
  });
  const legs = [leg(500n, 600_002n), leg(500n, 400_001n)];
  const amounts = { amountIn: 1_000n, amountOut: GROSS, priceImpactBps: 0 };
  return {
    mintIn: MINT,
    mintOut: WSOL_MINT,
    intermediates: [],
    legs,
    byProgram,
    ...amounts,
  } as unknown as Route;
}

const terms = (agreedOut: bigint | null) =>
  platformTerms(
    { platformFee: async (gross) => ({ lamports: bpsFloor(gross, bps(100)), discountBps: bps(0) }) },
    {
      mintIn: MINT,
      mintOut: WSOL_MINT,
      amount: 1_000n,
      slippageBps: SLIPPAGE,
      wallet: addressOf(1),
      agreedOut,
    },
  );

/** The fee is a fixed sum of lamports, paid after the swap: a swap that just brings its minimum must still leave the seller theirs. */
describe('the minimum of a sale', () => {
  const agreed = [
    ['by its slippage', null, minimumOut(NET, SLIPPAGE)],
    ['as it was agreed to, above the slippage', NET - 7n, NET - 7n],
    ['as it was agreed to, all of the quote', NET, NET],
  ] as const;
  const cases = agreed.flatMap(([name, agreedOut, least]) =>
    [false, true].map((byProgram) => [name, byProgram, agreedOut, least] as const),
  );

  it.each(cases)(
    'holds beside the fee: %s, by the router program: %s',
    async (_, byProgram, agreedOut, least) => {
      const priced = await priceRoute(sale(byProgram), await terms(agreedOut));
      const enforced = priced.minimums.reduce((sum, part) => sum + part, 0n);
      expect([priced.fee.units, priced.leastOut]).toEqual([FEE, least]);
      expect(enforced - FEE).toBe(priced.minOut);
      expect(priced.minOut).toBeGreaterThanOrEqual(least);
      // Rounding up each of two legs adds less than two lamports.
      expect(priced.minOut).toBeLessThan(least + 2n);
    },
  );

  it('is never below what was agreed to: then there is no sale', async () => {
    await expect(priceRoute(sale(false), await terms(NET + 1n))).rejects.toMatchObject({
      code: 'PRICE_MOVED',
    });
  });
});
