import { WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { squareRoot } from '../../../src/core/amounts/square-root.ts';
import {
  devSold,
  type EventMarket,
  type EventPool,
  type EventTrade,
  isDevSale,
  isLiquidityFall,
  leastLiquidity,
  liquidityOf,
} from '../../../src/modules/orders/rules/event-trigger.ts';
import { createLiquidityShelf } from '../../../src/modules/orders/rules/liquidity-shelf.ts';
import { TOKEN } from '../trading/build-pool.ts';

const OTHER = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
const CREATOR = address('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');
const STRANGER = TOKEN;
const SUPPLY = 1_000_000n;
const POOL: EventMarket = { id: 1, baseMint: TOKEN, quoteMint: WSOL_MINT };
const REVERSED: EventMarket = { id: 2, baseMint: WSOL_MINT, quoteMint: TOKEN };

const trade = (more: Partial<EventTrade> & { readonly slot?: bigint } = {}): EventTrade => {
  const { slot = 11n, ...rest } = more;
  return {
    id: firstIdOfSlot(slot) + 5n,
    marketId: 1,
    side: 'sell',
    base: 100n,
    quote: 7n,
    trader: CREATOR,
    ...rest,
  };
};
const sold = (...trades: readonly EventTrade[]): bigint =>
  devSold({ creator: CREATOR, sinceSlot: 10n }, TOKEN, [POOL, REVERSED], trades);

describe('what a creator sold', () => {
  it('is every sale since the placing, over two markets, by the side on which the token is', () => {
    expect(sold(trade(), trade({ slot: 12n }), trade({ marketId: 2, side: 'buy', quote: 30n }))).toBe(230n);
  });
  it.each<[string, EventTrade]>([
    ['a sale in the slot of the placing', trade({ slot: 10n })],
    ['a sale before it', trade({ slot: 9n })],
    ['a purchase', trade({ side: 'buy' })],
    ['another wallet’s sale', trade({ trader: STRANGER })],
    ['a trade of another token’s market', trade({ marketId: 3 })],
    ['a purchase of the token where it is the quote', trade({ marketId: 2, side: 'sell' })],
  ])('leaves out %s', (_what, one) => {
    expect(sold(one)).toBe(0n);
  });
  it('is nothing once a fork has taken the sale off the tape', () => {
    expect(sold(trade())).toBe(100n);
    expect(sold()).toBe(0n);
  });
});

describe('sales that make an order fire', () => {
  const event = { supply: SUPPLY, held: 10_000n };
  it.each<[string, { readonly supply: bigint; readonly held: bigint }, bigint, boolean]>([
    ['just below half of the holding', event, 4_999n, false],
    ['half of the holding', event, 5_000n, true],
    ['more than half', event, 5_001n, true],
    ['just below 1 % of the supply', { ...event, held: 900_000n }, 9_999n, false],
    ['1 % of the supply', { ...event, held: 900_000n }, 10_000n, true],
    ['more than 1 %', { ...event, held: 900_000n }, 10_001n, true],
    ['nothing of nothing', { ...event, held: 0n }, 0n, false],
    ['a little of a creator that held nothing', { ...event, held: 0n }, 9_999n, false],
    ['1 % of the supply, bought after the placing', { ...event, held: 0n }, 10_000n, true],
  ])('%s', (_what, of, units, fires) => {
    expect(isDevSale(of, units)).toBe(fires);
  });
});

const pool = (base: bigint, quote: bigint, kind: 'constant-product' | 'launch-curve'): EventPool => ({
  mints: [TOKEN, WSOL_MINT],
  shape:
    kind === 'constant-product'
      ? { kind, reserves: [base, quote] }
      : { kind, virtualReserves: [base, quote] },
});

describe('the liquidity of a token', () => {
  it('is the root of base times quote, summed over its pools with SOL', () => {
    const pools = [pool(400n, 100n, 'constant-product'), pool(90_000n, 40_000n, 'launch-curve')];
    expect(liquidityOf(pools, TOKEN)).toEqual({ liquidity: 200n + 60_000n, onCurve: false });
  });
  it('leaves out other kinds of pools, and pools against another token', () => {
    const others: readonly EventPool[] = [
      { mints: [TOKEN, WSOL_MINT], shape: { kind: 'concentrated' } },
      { mints: [TOKEN, OTHER], shape: { kind: 'constant-product', reserves: [400n, 100n] } },
      { mints: [OTHER, WSOL_MINT], shape: { kind: 'constant-product', reserves: [400n, 100n] } },
    ];
    expect(liquidityOf(others, TOKEN)).toEqual({ liquidity: 0n, onCurve: false });
    expect(liquidityOf([], TOKEN)).toBeNull();
  });
  it('knows a token whose only liquidity is a curve', () => {
    expect(liquidityOf([pool(9n, 4n, 'launch-curve')], TOKEN)).toEqual({ liquidity: 6n, onCurve: true });
  });
  it('does not fall by an honest sale that halves the quote side', () => {
    const product = 1_000_000n * 1_000_000n;
    const before = liquidityOf([pool(1_000_000n, 1_000_000n, 'constant-product')], TOKEN);
    const after = liquidityOf([pool(2_000_000n, product / 2_000_000n, 'constant-product')], TOKEN);
    expect(after).toEqual(before);
  });
  it('takes the whole root of any number', () => {
    for (const value of [0n, 1n, 2n, 3n, 4n, 8n, 9n, 10n ** 30n, 10n ** 30n - 1n, (1n << 128n) - 1n]) {
      const root = squareRoot(value);
      expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true);
    }
  });
});

describe('a fall of liquidity', () => {
  const event = { kind: 'liquidity-falls', fallBps: 5_000, liquidity: 1_000n, onCurve: false } as const;
  const at = (liquidity: bigint) => ({ liquidity, onCurve: false });
  it.each<[bigint, boolean]>([
    [501n, false],
    [500n, true],
    [499n, true],
    [0n, true],
    [1_000n, false],
  ])('by half, at %s of 1,000: %s', (liquidity, falls) => {
    expect(isLiquidityFall(event, at(liquidity))).toBe(falls);
  });
  it('is unknown without a pool, and where a curve is complete', () => {
    expect(isLiquidityFall(event, null)).toBe(false);
    expect(isLiquidityFall({ ...event, onCurve: true }, at(0n))).toBe(false);
    expect(isLiquidityFall({ ...event, onCurve: true }, at(400n))).toBe(true);
  });
  it('has its threshold rounded down', () => {
    expect(leastLiquidity({ fallBps: 3_000, liquidity: 1_001n })).toBe(700n);
  });
});

describe('the shelf of liquidity', () => {
  const falls = (fallBps: number, onCurve = false) =>
    ({ kind: 'liquidity-falls', fallBps, liquidity: 1_000n, onCurve }) as const;
  it('finds exactly those whose fall is there', () => {
    const shelf = createLiquidityShelf();
    shelf.add('a', falls(3_000));
    shelf.add('b', falls(5_000));
    shelf.add('c', falls(7_000));
    shelf.add('d', falls(3_000, true));
    const found = (liquidity: bigint) =>
      [...shelf.whereTrue({ liquidity: () => ({ liquidity, onCurve: false }) })].toSorted();
    expect(found(701n)).toEqual([]);
    expect(found(700n)).toEqual(['a', 'd']);
    expect(found(500n)).toEqual(['a', 'b', 'd']);
    expect(found(0n)).toEqual(['a', 'b', 'c']);
    shelf.remove('a');
    shelf.add('b', falls(7_000));
    expect(found(500n)).toEqual(['d']);
    expect([...shelf.whereTrue({ liquidity: () => null })]).toEqual([]);
  });
});
