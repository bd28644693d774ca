import { type Address, WSOL_MINT } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leaderTrades, type PoolTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const [USD, PUP, KOI, ANA] = [newAddress(), newAddress(), newAddress(), newAddress()] as const;
const MONEY: readonly [Address, ...Address[]] = [WSOL_MINT, USD];

const pool = (more: Partial<PoolTrade> = {}): PoolTrade => ({
  id: 5n,
  trader: ANA,
  signature: 'one',
  at: 1_700_000_000,
  side: 'buy',
  base: 1_000n,
  quote: 3_000_000n,
  baseMint: PUP,
  quoteMint: WSOL_MINT,
  ...more,
});

const seen = (trades: readonly PoolTrade[]) =>
  leaderTrades(trades, MONEY).map(({ side, mint, units, paid }) => [side, mint, units, paid?.units ?? null]);

describe('the trade of a followed wallet', () => {
  it('is a purchase of the token for its SOL, and a sale the other way', () => {
    expect(leaderTrades([pool()], MONEY)).toEqual([
      {
        leader: ANA,
        signature: 'one',
        mint: PUP,
        side: 'buy',
        tradeId: 5n,
        at: 1_700_000_000_000,
        units: 1_000n,
        paid: { mint: WSOL_MINT, units: 3_000_000n },
        takenBack: false,
      },
    ]);
    expect(seen([pool({ side: 'sell' })])).toEqual([['sell', PUP, 1_000n, 3_000_000n]]);
  });

  it('is one for a route over several pools, and what only passes through is none', () => {
    const split = [pool({ id: 9n, quote: 2_000_000n }), pool({ id: 8n, base: 500n, quote: 1_000_000n })];
    expect(seen(split)).toEqual([['buy', PUP, 1_500n, 3_000_000n]]);
    expect(leaderTrades(split, MONEY)[0]?.tradeId).toBe(8n);
    const overKoi = [
      pool({ baseMint: KOI, base: 77n, quote: 9_000_000n }),
      pool({ id: 6n, side: 'buy', baseMint: PUP, quoteMint: KOI, base: 40n, quote: 77n }),
    ];
    expect(seen(overKoi)).toEqual([['buy', PUP, 40n, 9_000_000n]]);
    const overDollars = [
      pool({ side: 'sell', baseMint: WSOL_MINT, quoteMint: USD, base: 4_000_000n, quote: 600n }),
      pool({ id: 6n, quoteMint: USD, quote: 600n }),
    ];
    expect(seen(overDollars)).toEqual([['buy', PUP, 1_000n, 4_000_000n]]);
  });

  it('is a sale and then a purchase where two tokens cross, and neither has a price of its own', () => {
    const swap = [pool({ side: 'sell' }), pool({ id: 6n, baseMint: KOI, base: 20n, quote: 2_990_000n })];
    expect(seen(swap)).toEqual([
      ['sell', PUP, 1_000n, null],
      ['buy', KOI, 20n, null],
    ]);
  });

  it('is none for money against money, for a sum that is rent, and for what comes back', () => {
    expect(seen([pool({ baseMint: WSOL_MINT, quoteMint: USD })])).toEqual([]);
    expect(seen([pool({ quote: 1_999_999n })])).toEqual([]);
    expect(seen([pool({ quote: 2_000_000n })])).toHaveLength(1);
    expect(seen([pool(), pool({ id: 6n, side: 'sell' })])).toEqual([]);
  });

  it('keeps wallets and transactions apart', () => {
    const other = newAddress();
    const found = leaderTrades([pool(), pool({ signature: 'two' }), pool({ trader: other })], MONEY);
    expect(found.map(({ leader, signature }) => [leader, signature])).toEqual([
      [ANA, 'one'],
      [ANA, 'two'],
      [other, 'one'],
    ]);
  });

  it('says of each token what the pools say, in whatever order they come', () => {
    const one = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      base: fc.bigInt(1n, 10n ** 12n),
      quote: fc.bigInt(2_000_000n, 10n ** 15n),
      baseMint: fc.constantFrom(PUP, KOI),
      quoteMint: fc.constantFrom<Address>(WSOL_MINT, USD),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), (parts) => {
        const trades = parts.map((part, index) => pool({ ...part, id: BigInt(index) }));
        const found = leaderTrades(trades, MONEY);
        expect(leaderTrades(trades.toReversed(), MONEY)).toEqual(found);
        for (const mint of [PUP, KOI]) {
          const net = parts.reduce(
            (sum, { side, base, baseMint }) =>
              baseMint === mint ? sum + (side === 'buy' ? base : -base) : sum,
            0n,
          );
          const told = found.filter((trade) => trade.mint === mint);
          expect(told.reduce((sum, { side, units }) => sum + (side === 'buy' ? units : -units), 0n)).toBe(
            told.length === 0 ? 0n : net,
          );
          expect(told.length).toBeLessThanOrEqual(1);
          if (net === 0n) expect(told).toEqual([]);
        }
      }),
    );
  });
});
