import { OPENBOOK_V2_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { openbookV2 } from '../../src/openbook-v2/index.ts';
import { PLACE_TAKE_ORDER } from '../../src/openbook-v2/instruction.ts';
import { BOOK_SIDE, BOOK_SIDE_AT, MARKET } from '../../src/openbook-v2/layout.ts';
import { buildMint, decodeFixture, poolOf, testAddress } from '../shared/build.ts';
import { expectPoolProperties } from '../shared/pool-properties.ts';
import {
  ASKS,
  AUTHORITY,
  BIDS,
  buildMarket,
  EVENT_HEAP,
  MAKER,
  type MarketFixture,
  type OrderFixture,
  VAULTS,
} from './build.ts';

const LOT = 1_000_000n;
const NOW = 1_790_000_000n;
const book = (change: MarketFixture = {}): MarketFixture => ({
  bids: [
    { price: 149_000n, lots: 300n },
    { price: 149_500n, lots: 100n },
  ],
  asks: [
    { price: 150_500n, lots: 300n },
    { price: 150_000n, lots: 100n },
  ],
  ...change,
});

describe('an OpenBook v2 market', () => {
  it('is recognised by the pinned discriminators', () => {
    expect([...(MARKET.discriminator ?? [])]).toEqual([219, 190, 213, 55, 0, 227, 198, 154]);
    expect([...(BOOK_SIDE.discriminator ?? [])]).toEqual([72, 44, 225, 141, 178, 130, 97, 57]);
    expect([...PLACE_TAKE_ORDER]).toEqual([3, 44, 71, 3, 26, 199, 203, 85]);
  });

  it('sells to the highest bids first, whatever the order of their arrival', () => {
    const pool = poolOf(openbookV2, buildMarket(book()));
    expect(pool.quote(pool.mints[0], 100n * LOT)).toBe(100n * 149_500n);
    expect(pool.quote(pool.mints[0], 250n * LOT)).toBe(100n * 149_500n + 150n * 149_000n);
  });

  it('buys from the lowest asks first, as many whole lots as the amount pays for', () => {
    const pool = poolOf(openbookV2, buildMarket(book()));
    expect(pool.quote(pool.mints[1], 100n * 150_000n)).toBe(100n * LOT);
    expect(pool.quote(pool.mints[1], 100n * 150_000n + 100n * 150_500n)).toBe(200n * LOT);
    expect(pool.quote(pool.mints[1], 100n * 150_000n + 100n * 150_500n - 1n)).toBe(199n * LOT);
  });

  it('adds to the price each fill’s rebate to its maker, rounded down, and never the taker fee', () => {
    const pool = poolOf(openbookV2, buildMarket(book({ takerFee: 400n, makerFee: -200n })));
    // Two fills: 14,950,000 and 7,450,000 units, of each 200 parts of a million.
    expect(pool.quote(pool.mints[0], 150n * LOT)).toBe(22_400_000n - 2_990n - 1_490n);
    // 100 lots cost 15,000,000 and 3,000 for the maker.
    expect(pool.quote(pool.mints[1], 15_003_000n)).toBe(100n * LOT);
    expect(pool.quote(pool.mints[1], 15_002_999n)).toBe(99n * LOT);
    const waived = poolOf(openbookV2, buildMarket(book({ takerFee: 400n, makerFee: 100n })));
    expect(waived.quote(waived.mints[0], 150n * LOT)).toBe(22_400_000n);
    expect(waived.quote(waived.mints[1], 15_000_000n)).toBe(100n * LOT);
  });

  it('answers 0 to more than the orders that it looks at, and to nearly nothing', () => {
    const pool = poolOf(openbookV2, buildMarket(book()));
    expect(pool.quote(pool.mints[0], 400n * LOT)).toBeGreaterThan(0n);
    expect(pool.quote(pool.mints[0], 401n * LOT)).toBe(0n);
    expect(pool.quote(pool.mints[1], 10n ** 12n)).toBe(0n);
    expect(pool.quote(pool.mints[0], LOT - 1n)).toBe(0n);
    expect(pool.quote(pool.mints[1], 149_999n)).toBe(0n);
    const many = Array.from({ length: 20 }, (_, index) => ({ price: 100n - BigInt(index), lots: 1_000n }));
    const deep = poolOf(openbookV2, buildMarket({ bids: many }));
    expect(deep.quote(deep.mints[0], 8_000n * LOT)).toBe(
      many.slice(0, 8).reduce((sum, { price }) => sum + price * 1_000n, 0n),
    );
    expect(deep.quote(deep.mints[0], 8_001n * LOT)).toBe(0n);
  });

  it('answers 0 where more than a hundredth of the amount would stay behind', () => {
    const pool = poolOf(openbookV2, buildMarket(book()));
    expect(pool.quote(pool.mints[0], 100n * LOT + LOT / 2n)).toBe(100n * 149_500n);
    expect(pool.quote(pool.mints[0], 10n * LOT + LOT / 2n)).toBe(0n);
    expect(pool.quote(pool.mints[1], 150_000n * 10n + 75_000n)).toBe(0n);
  });

  it('passes over orders that have expired by the chain’s clock', () => {
    const order: OrderFixture = { price: 149_900n, lots: 50n, timestamp: NOW - 60n, timeInForce: 61 };
    const fixture = buildMarket(book({ bids: [order, { price: 149_000n, lots: 300n }] }));
    const live = poolOf(openbookV2, fixture);
    expect(live.quote(live.mints[0], 50n * LOT)).toBe(50n * 149_900n);
    const dead = poolOf(openbookV2, fixture, { unixSeconds: NOW + 1n });
    expect(dead.quote(dead.mints[0], 50n * LOT)).toBe(50n * 149_000n);
    expect(dead.spot(dead.mints[0])).toMatchObject(
      poolOf(openbookV2, buildMarket({ bids: [{ price: 149_000n, lots: 1n }] })).spot(dead.mints[0]),
    );
  });

  it('shows every live order of both sides, one level per price, beyond those that it takes from', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ price: 100n - BigInt(n), lots: 1_000n }));
    const dead: OrderFixture = { price: 101n, lots: 7n, timestamp: NOW - 60n, timeInForce: 30 };
    const asks = [
      { price: 201n, lots: 5n },
      { price: 200n, lots: 2n },
      { price: 200n, lots: 3n },
    ];
    const fixture = buildMarket({ bids: [...many, dead], asks });
    const orders = poolOf(openbookV2, fixture, { unixSeconds: NOW }).orders?.();
    expect(orders?.bids).toEqual(many.map(({ price, lots }) => ({ base: lots * LOT, quote: lots * price })));
    expect(orders?.asks).toEqual([
      { base: 5n * LOT, quote: 1_000n },
      { base: 5n * LOT, quote: 1_005n },
    ]);
  });

  it('trades in one direction where the other side is empty', () => {
    const pool = poolOf(openbookV2, buildMarket({ asks: [{ price: 10n, lots: 500n }] }));
    expect(pool.quote(pool.mints[0], 100n * LOT)).toBe(0n);
    expect(pool.quote(pool.mints[1], 1_000n)).toBe(100n * LOT);
    expect(pool.spot(pool.mints[0]).numerator).toBe(0n);
  });

  it.each([
    [0n, 0n],
    [-200n, 400n],
    [-10_000n, 10_000n],
  ])('is monotone, concave and below its spot price with fees of %i and %i', (makerFee, takerFee) => {
    const sides = (step: bigint) =>
      Array.from({ length: 8 }, (_, index) => ({
        price: 1_000n + step * BigInt(1 + index),
        lots: 10_000n + 777n * BigInt(index),
      }));
    const fixture = buildMarket({
      bids: sides(-3n),
      asks: sides(4n),
      baseLotSize: 1n,
      quoteLotSize: 1n,
      makerFee,
      takerFee,
    });
    const pool = poolOf(openbookV2, fixture);
    const amounts = Array.from({ length: 40 }, (_, index) => 200_000n + BigInt(index) * 1_999_993n);
    const small = Array.from({ length: 40 }, (_, index) => 200n + BigInt(index) * 2_477n);
    expectPoolProperties(pool, [110_000n, 120_000_000n], [...small, ...amounts]);
    expect(small.filter((amount) => pool.quote(pool.mints[0], amount) > 0n).length).toBeGreaterThan(30);
    expect(amounts.filter((amount) => pool.quote(pool.mints[1], amount) > 0n).length).toBeGreaterThan(30);
  });

  describe('an order', () => {
    const [owner, source, destination] = [testAddress(90), testAddress(91), testAddress(92)];
    const swap = (fixture: MarketFixture, direction: 0 | 1, order: { amountIn: bigint; minOut: bigint }) => {
      const pool = poolOf(openbookV2, buildMarket(fixture));
      return pool.swap({
        owner,
        source,
        destination,
        mintIn: pool.mints[direction],
        amountOut: pool.quote(pool.mints[direction], order.amountIn),
        destinationHolds: 7n,
        ...order,
      });
    };
    const number = (data: Uint8Array | undefined, at: number) =>
      new DataView(data?.buffer ?? new ArrayBuffer(0)).getBigInt64(at, true);

    it('names every maker in reach once, and nobody behind them', () => {
      const [a, b, c] = [testAddress(30), testAddress(31), testAddress(32)];
      const asks = [
        { price: 150_000n, lots: 100n, owner: a },
        { price: 150_100n, lots: 100n, owner: b },
        { price: 150_200n, lots: 100n, owner: a },
        { price: 150_300n, lots: 100n, owner: c },
      ];
      const [take] = swap({ asks }, 1, { amountIn: 250n * 150_100n, minOut: 1n });
      expect(
        take?.accounts.map((meta) => `${meta.address}${meta.signer ? '!' : ''}${meta.writable ? '*' : ''}`),
      ).toEqual([
        `${owner}!*`,
        `${owner}!*`,
        `${testAddress(1)}*`,
        AUTHORITY,
        `${BIDS}*`,
        `${ASKS}*`,
        `${VAULTS[0]}*`,
        `${VAULTS[1]}*`,
        `${EVENT_HEAP}*`,
        `${destination}*`,
        `${source}*`,
        OPENBOOK_V2_PROGRAM,
        OPENBOOK_V2_PROGRAM,
        TOKEN_PROGRAM,
        SYSTEM_PROGRAM,
        OPENBOOK_V2_PROGRAM,
        `${a}*`,
        `${b}*`,
      ]);
    });

    it('names the accounts of the sale the other way round, and the market’s oracles', () => {
      const oracles = [testAddress(40), testAddress(41)];
      const [take] = swap(book({ oracles }), 0, { amountIn: 100n * LOT, minOut: 1n });
      expect(take?.accounts.slice(9, 13).map((meta) => meta.address)).toEqual([
        source,
        destination,
        ...oracles,
      ]);
      expect(take?.accounts.slice(16).map((meta) => meta.address)).toEqual([MAKER]);
    });

    it('is immediate or cancel, bounded by the lots and by the price that the minimum asks on average', () => {
      const [ask] = swap(book(), 0, { amountIn: 100n * LOT + 5n, minOut: 14_000_001n });
      expect([...(ask?.data.subarray(0, 9) ?? [])]).toEqual([...PLACE_TAKE_ORDER, 1]);
      expect([number(ask?.data, 9), number(ask?.data, 17)]).toEqual([140_001n, 100n]);
      expect([...(ask?.data.subarray(33) ?? [])]).toEqual([1, 32]);
      const [bid] = swap(book({ takerFee: 1_000n }), 1, { amountIn: 15_000_000n, minOut: 99n * LOT });
      expect([...(bid?.data.subarray(8, 9) ?? [])]).toEqual([0]);
      // 15,000,000 quote lots for 99 lots; the limit is set so that the taker fee that is taken off it leaves the amount.
      expect([number(bid?.data, 9), number(bid?.data, 25)]).toEqual([151_515n, 15_015_000n]);
    });

    it('never asks a better price than one that its own quote meets', () => {
      const whole = 100n * 149_500n + 300n * 149_000n;
      const [ask] = swap(book(), 0, { amountIn: 400n * LOT, minOut: whole });
      expect(number(ask?.data, 9)).toBe(149_000n);
      const [bid] = swap(book(), 1, { amountIn: 100n * 150_000n + 300n * 150_500n, minOut: 400n * LOT });
      expect(number(bid?.data, 9)).toBe(150_500n);
    });

    it('is followed by a transfer to itself of what was there and the minimum, which fails when it is not there', () => {
      const [, check, ...rest] = swap(book(), 0, { amountIn: 100n * LOT, minOut: 14_000_000n });
      expect(rest).toEqual([]);
      expect(check?.programId).toBe(TOKEN_PROGRAM);
      expect(check?.accounts.map((meta) => meta.address)).toEqual([
        destination,
        testAddress(11),
        destination,
        owner,
      ]);
      expect([check?.data[0], number(check?.data, 1), check?.data[9]]).toEqual([12, 14_000_007n, 6]);
    });

    it('is followed by a second one of what has to stay, where anything has', () => {
      const pool = poolOf(openbookV2, buildMarket(book()));
      const order = {
        owner,
        source,
        destination,
        mintIn: pool.mints[0],
        amountIn: 100n * LOT,
        amountOut: 1n,
      };
      const made = (sourceHolds: bigint) =>
        pool.swap({ ...order, minOut: 14_000_000n, destinationHolds: 0n, sourceHolds });
      const [, , left, ...rest] = made(100n * LOT + 3n);
      expect(rest).toEqual([]);
      expect(left?.accounts.map((meta) => meta.address)).toEqual([source, testAddress(10), source, owner]);
      expect([left?.data[0], number(left?.data, 1)]).toEqual([12, 3n]);
      expect(made(100n * LOT)).toHaveLength(2);
    });

    it('is not built without the number that the check needs', () => {
      const pool = poolOf(openbookV2, buildMarket(book()));
      const order = { owner, source, destination, mintIn: pool.mints[0], amountIn: LOT, amountOut: 1n };
      expect(() => pool.swap({ ...order, minOut: 1n })).toThrow(RangeError);
    });
  });

  it.each<[string, string, MarketFixture]>([
    ['an expired market', 'not-trading', book({ timeExpiry: NOW - 1n })],
    ['a market for members', 'not-trading', book({ openOrdersAdmin: testAddress(50) })],
    ['events for an admin', 'unmodelled', book({ consumeEventsAdmin: testAddress(50) })],
    ['orders that follow an oracle', 'unmodelled', book({ pegged: 1 })],
    ['an empty book', 'not-trading', {}],
    ['a book of dead orders', 'not-trading', { bids: [{ price: 5n, lots: 5n, timeInForce: 1 }] }],
    ['lots of nothing', 'bad-state', book({ baseLotSize: 0n })],
    ['a fee above everything', 'bad-state', book({ takerFee: 1_000_000n })],
    ['a rebate above the fee', 'bad-state', book({ takerFee: 100n, makerFee: -101n })],
    ['a bid above the ask', 'bad-state', book({ bids: [{ price: 150_000n, lots: 1n }] })],
    ['an order at no price', 'bad-state', book({ bids: [{ price: 0n, lots: 1n }] })],
    [
      'tokens of the second token program',
      'mint',
      book({
        mints: [buildMint(testAddress(10), { tokenProgram: TOKEN_2022_PROGRAM }), buildMint(testAddress(11))],
      }),
    ],
  ])('refuses %s', (_title, reason, input) => {
    expect(decodeFixture(openbookV2, buildMarket(input))).toMatchObject({ kind: 'refusal', reason });
  });

  it('refuses a book whose nodes run in a circle, and one that points outside', () => {
    for (const child of [0, 5_000]) {
      const fixture = buildMarket(book());
      const side = fixture.accounts.get(BIDS);
      // The root's children.
      new DataView(side?.data.buffer ?? new ArrayBuffer(0)).setUint32(BOOK_SIDE_AT.nodes + 28, child, true);
      expect(decodeFixture(openbookV2, fixture)).toMatchObject({ kind: 'refusal', reason: 'bad-state' });
    }
  });

  it('refuses accounts that are missing, foreign or of the other side', () => {
    for (const key of [testAddress(1), BIDS, ASKS, ...VAULTS]) {
      const fixture = buildMarket(book());
      fixture.accounts.delete(key);
      expect(decodeFixture(openbookV2, fixture)).toMatchObject({ kind: 'refusal' });
    }
    const swapped = buildMarket(book());
    const [bids, asks] = [swapped.accounts.get(BIDS), swapped.accounts.get(ASKS)];
    if (bids === undefined || asks === undefined) throw new Error('no book');
    swapped.accounts.set(BIDS, asks).set(ASKS, bids);
    expect(decodeFixture(openbookV2, swapped)).toMatchObject({ kind: 'refusal', reason: 'bad-state' });
    const foreign = buildMarket(book());
    foreign.accounts.set(BIDS, { ...bids, owner: TOKEN_PROGRAM });
    expect(decodeFixture(openbookV2, foreign)).toMatchObject({ kind: 'refusal', reason: 'missing-account' });
  });
});
