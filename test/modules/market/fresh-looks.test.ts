import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { type PoolLook, shownPrices, usdPrices } from '../../../src/modules/market/rules/usd-price.ts';
import { createFreshLooks } from '../../../src/modules/market/use/fresh-looks.ts';
import { type MarketSnapshot, poolLook } from '../../../src/modules/market/use/market-snapshot.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';

const [USD, PUP] = ['USD', 'PUP'] as unknown as [Address, Address];
const START = 1_800_000_000_000;

function rig() {
  let now = START;
  let asked = 0;
  let away = false;
  const curve: Pick<Pool, 'id' | 'mints' | 'spot' | 'quote'> = {
    id: 'curve' as Address,
    mints: [PUP, WSOL_MINT],
    // 30 SOL for 1,000,000 tokens of six decimals, which is all that a curve knows before its first buyer.
    spot: (mintIn) =>
      mintIn === PUP
        ? { numerator: 30_000_000_000n, denominator: 1_000_000_000_000n }
        : { numerator: 1_000_000_000_000n, denominator: 30_000_000_000n },
    quote: (mintIn) => (mintIn === PUP ? 0n : 1n),
  };
  const told = { mid: 0.00005, quote: 0n };
  const venue: Venue = {
    name: 'pad',
    pools: async () => {
      asked += 1;
      if (away) throw new Error('the node is away');
      return [curve as Pool];
    },
    counterparts: async () => [],
    markets: {
      describe: async () => [],
      states: async (pools) => {
        asked += 1;
        if (away) throw new Error('the node is away');
        const numerator = BigInt(told.mid * 1e12);
        return pools.map(() => ({
          pool: {
            mints: [PUP, WSOL_MINT],
            slot: 1n,
            spot: (mintIn) =>
              mintIn === PUP
                ? { numerator, denominator: 1_000_000_000n }
                : { numerator: 1_000_000_000n, denominator: numerator },
          },
          reserves: [1n, told.quote],
        }));
      },
    },
  };
  const fresh = createFreshLooks({ venues: [venue], clock: { now: () => now }, dollars: [USD] });
  const market = {
    id: 1,
    address: 'curve' as Address,
    venue: 'pad',
    baseMint: PUP,
    quoteMint: WSOL_MINT,
    baseDecimals: 6,
    quoteDecimals: 9,
    primary: true,
  } as Market;
  const snapshotOf = (look: { readonly mid: number; readonly at: number } | null): MarketSnapshot => {
    const stored = look === null ? [] : [{ marketId: 1, quote: 0n, ...look }];
    const pools: PoolLook[] = [
      { address: 'sol' as Address, baseMint: WSOL_MINT, quoteMint: USD, mid: 100, quoteDepth: 1e6, at: now },
      ...stored.map((one) => poolLook(market, one)),
    ];
    const rules = { dollars: [USD], sol: WSOL_MINT, now };
    const usd = usdPrices(pools, rules);
    const entries =
      look === null
        ? []
        : [
            {
              market,
              stats: null,
              last: null,
              quoteReserve: 0n,
              baseUsd: null,
              quoteUsd: usd.get(WSOL_MINT) ?? null,
            },
          ];
    return {
      entries,
      byAddress: new Map(entries.map((entry) => [entry.market.address, entry])),
      usd,
      shown: shownPrices(pools, usd, rules),
      looks: new Map(stored.map((one) => [one.marketId, one])),
      at: now,
    };
  };
  return {
    ...fresh,
    snapshotOf,
    told,
    asked: () => asked,
    pass: (ms: number): void => {
      now += ms;
    },
    now: () => now,
    takeAway: (): void => {
      away = true;
    },
  };
}

const token = { mint: PUP, decimals: 6 };

describe('what is read beside the indexer’s looks', () => {
  it('prices a curve that no market is known of, before its first buyer', async () => {
    const { lookNow, over, snapshotOf } = rig();
    const stored = snapshotOf(null);
    expect(over(stored).shown.get(PUP)).toBeUndefined();
    await lookNow(stored, token, true);
    expect(over(stored).shown.get(PUP)).toMatchObject({ confidence: 'low', liquidityUsd: 0 });
    // 0.00003 SOL at 100 dollars.
    expect(over(stored).shown.get(PUP)?.usd).toBeCloseTo(0.003, 9);
    expect(over(stored).usd.get(PUP)).toBeUndefined();
  });

  it('searches for no pool where nobody asked for the token', async () => {
    const { lookNow, over, snapshotOf, asked } = rig();
    await lookNow(snapshotOf(null), token, false);
    expect(asked()).toBe(0);
    expect(over(snapshotOf(null)).shown.get(PUP)).toBeUndefined();
  });

  it('reads a market once in two seconds, and never all markets of SOL or of a dollar', async () => {
    const { lookNow, snapshotOf, asked, pass, now } = rig();
    const stored = snapshotOf({ mid: 0.00002, at: now() });
    await Promise.all([lookNow(stored, token, false), lookNow(stored, token, false)]);
    expect(asked()).toBe(1);
    pass(1_999);
    await lookNow(stored, token, false);
    expect(asked()).toBe(1);
    pass(1);
    await lookNow(stored, token, false);
    expect(asked()).toBe(2);
    for (const mint of [WSOL_MINT, USD]) await lookNow(stored, { mint, decimals: 9 }, true);
    expect(asked()).toBe(2);
  });

  it('shows its own reading until the indexer has a newer one', async () => {
    const { lookNow, over, snapshotOf, now, pass } = rig();
    const old = snapshotOf({ mid: 0.00002, at: now() - 5_000 });
    await lookNow(old, token, false);
    expect(over(old).shown.get(PUP)?.usd).toBeCloseTo(0.005, 9);
    expect(over(old).entries[0]?.baseUsd?.usd).toBeCloseTo(0.005, 9);
    pass(10);
    expect(over(snapshotOf({ mid: 0.00007, at: now() })).shown.get(PUP)?.usd).toBeCloseTo(0.007, 9);
  });

  it('keeps the last look where the node is away', async () => {
    const { lookNow, over, snapshotOf, now, takeAway } = rig();
    takeAway();
    const stored = snapshotOf({ mid: 0.00002, at: now() });
    await lookNow(stored, token, true);
    expect(over(stored).shown.get(PUP)?.usd).toBeCloseTo(0.002, 9);
  });
});
