import { WSOL_MINT } from '@tradepost/solana';
import type { TapeTrade } from '@tradepost/tape';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY_SECONDS,
  dayOf,
  type FlowMarket,
  type FlowSums,
  NO_FLOW,
  walletFlows,
} from '../../../src/modules/wallet-data/rules/wallet-flows.ts';
import { pnlOf, totalOf } from '../../../src/modules/wallet-data/rules/wallet-pnl.ts';
import { DAY_START, freshAddress, tradeAt } from '../../support/tape-rows.ts';

const [PUP, CAT, USD, CENTS] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()];
const MONEY = { sol: WSOL_MINT, dollars: [USD, CENTS] };
const trader = freshAddress();
const market = (changes: Partial<FlowMarket> = {}): FlowMarket => ({
  baseMint: PUP,
  quoteMint: WSOL_MINT,
  baseDecimals: 6,
  quoteDecimals: 9,
  ...changes,
});
const flows = (of: FlowMarket, trades: readonly Partial<TapeTrade>[]) =>
  walletFlows(
    trades.map((changes, index) =>
      tradeAt(1, DAY_START, { index, trader, base: 70n, quote: 9n, ...changes }),
    ),
    () => of,
    MONEY,
  );
const sums = (changes: Partial<FlowSums>): FlowSums => ({ ...NO_FLOW, ...changes });

describe('sums of a wallet', () => {
  it('count a purchase and a sale against SOL in lamports', () => {
    expect(flows(market(), [{ side: 'buy' }, { side: 'sell', base: 30n, quote: 5n }])).toEqual([
      {
        trader,
        mint: PUP,
        day: dayOf(DAY_START),
        ...sums({ bought: 70n, costLamports: 9n, sold: 30n, proceedsLamports: 5n, trades: 2 }),
      },
    ]);
  });

  it('count dollars in millionths, whatever the decimals of the dollar', () => {
    const [six] = flows(market({ quoteMint: USD, quoteDecimals: 6 }), [{ side: 'sell' }]);
    const [two] = flows(market({ quoteMint: CENTS, quoteDecimals: 2 }), [{ side: 'sell' }]);
    const [eight] = flows(market({ quoteMint: CENTS, quoteDecimals: 8 }), [{ side: 'sell', quote: 299n }]);
    expect([six, two, eight].map((flow) => [flow?.sold, flow?.proceedsUsd, flow?.proceedsLamports])).toEqual([
      [70n, 9n, 0n],
      [70n, 90_000n, 0n],
      [70n, 2n, 0n],
    ]);
  });

  it('turn the side around where the base is the money', () => {
    const [bought] = flows(market({ baseMint: WSOL_MINT, quoteMint: PUP }), [{ side: 'sell' }]);
    expect(bought).toMatchObject({ mint: PUP, bought: 9n, costLamports: 70n, sold: 0n });
    const [sold] = flows(market({ baseMint: USD, baseDecimals: 6, quoteMint: PUP }), [{ side: 'buy' }]);
    expect(sold).toMatchObject({ mint: PUP, sold: 9n, proceedsUsd: 70n, bought: 0n });
  });

  it('value SOL by the dollar on either side', () => {
    const [base] = flows(market({ baseMint: WSOL_MINT, quoteMint: USD, quoteDecimals: 6 }), [
      { side: 'buy' },
    ]);
    const [quote] = flows(market({ baseMint: USD, baseDecimals: 6 }), [{ side: 'sell' }]);
    expect(base).toMatchObject({ mint: WSOL_MINT, bought: 70n, costUsd: 9n, costLamports: 0n });
    expect(quote).toMatchObject({ mint: WSOL_MINT, bought: 9n, costUsd: 70n, costLamports: 0n });
  });

  it('leave the units of a trade between two tokens out, and say so for both', () => {
    const both = flows(market({ quoteMint: CAT }), [{ side: 'buy' }]);
    expect(
      both.map(({ mint, trades, unvalued, bought, sold }) => [mint, trades, unvalued, bought, sold]),
    ).toEqual([
      [PUP, 1, 1, 0n, 0n],
      [CAT, 1, 1, 0n, 0n],
    ]);
  });

  it('are of UTC days, and count a trade that is given twice once', () => {
    const late = tradeAt(1, DAY_START + DAY_SECONDS - 1, { trader });
    const early = tradeAt(1, DAY_START + DAY_SECONDS, { trader });
    const made = walletFlows([late, early, late], () => market(), MONEY);
    expect(made.map(({ day, trades }) => [day, trades])).toEqual([
      [dayOf(DAY_START), 1],
      [dayOf(DAY_START) + 1, 1],
    ]);
  });

  it('are the same however the trades are split and ordered', () => {
    const trade = fc.record({
      at: fc.integer({ min: DAY_START, max: DAY_START + 4 * DAY_SECONDS }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      base: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      quote: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
    });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 40 }), fc.nat(40), (rows, cut) => {
        const trades = rows.map(({ at, ...rest }, index) =>
          tradeAt(1, at, { index: index + 1, trader, ...rest }),
        );
        const parts = [trades.slice(cut).toReversed(), trades.slice(0, cut)];
        const made = parts.flatMap((part) => walletFlows(part, () => market(), MONEY));
        const total = (side: 'buy' | 'sell', field: 'base' | 'quote') =>
          trades.filter((one) => one.side === side).reduce((sum, one) => sum + one[field], 0n);
        const sumOf = (field: 'bought' | 'costLamports' | 'sold' | 'proceedsLamports') =>
          made.reduce((sum, one) => sum + one[field], 0n);
        expect([sumOf('bought'), sumOf('costLamports'), sumOf('sold'), sumOf('proceedsLamports')]).toEqual([
          total('buy', 'base'),
          total('buy', 'quote'),
          total('sell', 'base'),
          total('sell', 'quote'),
        ]);
      }),
    );
  });
});

describe('profit of a window', () => {
  it('is what sales brought beyond the average cost of all kept days', () => {
    const kept = sums({ bought: 100n, costLamports: 1_000n, sold: 40n, proceedsLamports: 900n });
    expect(pnlOf(kept, sums({ sold: 30n, proceedsLamports: 600n }))).toEqual({
      realisedLamports: 300n,
      realisedUsd: 0n,
      uncountedUnits: 0n,
    });
    // Nothing was sold in it: nothing is realised, however much was bought.
    expect(pnlOf(kept, sums({ bought: 100n, costLamports: 1_000n })).realisedLamports).toBe(0n);
  });

  it('counts sales only as far as their purchase is known', () => {
    const all = sums({ bought: 50n, costLamports: 500n, sold: 200n, proceedsLamports: 4_000n });
    // k = 1/4: a quarter of the proceeds against a quarter of 200 × 10.
    expect(pnlOf(all, all)).toEqual({ realisedLamports: 500n, realisedUsd: 0n, uncountedUnits: 150n });
    const gift = sums({ sold: 7n, proceedsLamports: 70n });
    expect(pnlOf(gift, gift)).toEqual({ realisedLamports: 0n, realisedUsd: 0n, uncountedUnits: 7n });
    expect(pnlOf(NO_FLOW, NO_FLOW).realisedLamports).toBe(0n);
  });

  it('keeps SOL and dollars apart, and rounds down also below 0', () => {
    const kept = sums({ bought: 3n, costLamports: 10n, sold: 1n, proceedsUsd: 5n });
    expect(pnlOf(kept, kept)).toEqual({ realisedLamports: -4n, realisedUsd: 5n, uncountedUnits: 0n });
  });

  it('is never more than the exact fraction, and less than one unit below it', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 80n });
    fc.assert(
      fc.property(amount, amount, amount, amount, fc.nat(100), (bought, cost, sold, proceeds, part) => {
        const kept = sums({ bought, costLamports: cost, sold, proceedsLamports: proceeds });
        const share = {
          sold: (sold * BigInt(part)) / 100n,
          proceedsLamports: (proceeds * BigInt(part)) / 100n,
        };
        const { realisedLamports } = pnlOf(kept, sums(share));
        const scale = bought > sold ? bought : sold;
        if (scale === 0n) return expect(realisedLamports).toBe(0n);
        // k × (proceeds − sold × c), all of it times bought × max(bought, sold) so that nothing is rounded.
        const k = bought < sold ? bought : scale;
        const exact = k * (share.proceedsLamports * bought - share.sold * cost);
        const given = realisedLamports * bought * scale;
        expect(given <= exact && exact < given + (bought === 0n ? 1n : bought * scale)).toBe(true);
      }),
    );
  });

  it('adds money over tokens, and never units', () => {
    const one = { window: sums({ bought: 1n, costLamports: 2n, trades: 1 }), pnl: pnlOf(NO_FLOW, NO_FLOW) };
    const total = totalOf([one, { ...one, pnl: { ...one.pnl, realisedUsd: -3n } }]);
    expect(total).toMatchObject({ costLamports: 4n, trades: 2, realisedUsd: -3n });
    expect(total).not.toHaveProperty('bought');
  });
});
