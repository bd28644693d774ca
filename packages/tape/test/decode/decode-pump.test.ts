import { createHash } from 'node:crypto';
import { type Address, addressBytes, SYSTEM_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { DecodableMarket } from '../../src/decode/decode-trades.ts';
import type { TapeInstruction } from '../../src/transaction.ts';
import {
  buildMarket,
  buy,
  bytes,
  call,
  named,
  PROGRAM,
  QUOTE,
  sell,
  TRADER,
  transfer,
  u64,
  WALLET_BASE,
  WALLET_QUOTE,
} from './build-transaction.ts';
import { faultOf, tradesOf } from './decoded.ts';

const kindOf = (name: string): Uint8Array =>
  createHash('sha256').update(`event:${name}`).digest().subarray(0, 8);
const key = (address: Address): Uint8Array => addressBytes(address);
const u32 = (value: number): Uint8Array => u64(BigInt(value)).slice(0, 4);
const told = (...parts: readonly (number | Uint8Array)[]): TapeInstruction => ({
  program: PROGRAM,
  accounts: [named('event authority')],
  data: bytes(Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d), ...parts),
  height: 2,
});

type TradeTold = {
  readonly isBuy: boolean;
  readonly amount: bigint;
  readonly mint?: Address;
  /** Null where the fees stay on the curve. */
  readonly paid?: Address | null;
  readonly fees?: readonly [protocol: bigint, creator: bigint];
  readonly name?: string;
  readonly shareholders?: number;
  readonly quoteMint?: Address;
};

/** A TradeEvent of October 2026. In a dollar curve the amount follows the quote, and the first amount is none. */
function tradeEvent(market: DecodableMarket, input: TradeTold): TapeInstruction {
  const { isBuy, amount, paid = named('fee recipient'), fees = [93n, 30n], name = 'buy_v2' } = input;
  const isTokens = market.kind === 'tokens';
  const owners = input.shareholders ?? 0;
  return told(
    kindOf('TradeEvent'),
    key(input.mint ?? market.baseMint),
    u64(isTokens ? 0n : amount),
    u64(1n),
    isBuy ? 1 : 0,
    key(TRADER),
    u64(1_790_000_000n),
    ...Array.from({ length: 4 }, () => u64(7n)),
    key(paid ?? SYSTEM_PROGRAM),
    u64(93n),
    u64(fees[0]),
    key(named('creator')),
    u64(30n),
    u64(fees[1]),
    1,
    ...Array.from({ length: 4 }, () => u64(9n)),
    u32(name.length),
    new TextEncoder().encode(name),
    0,
    ...Array.from({ length: 4 }, () => u64(3n)),
    u32(owners),
    new Uint8Array(34 * Math.min(owners, 10)),
    key(input.quoteMint ?? (isTokens ? market.quoteMint : SYSTEM_PROGRAM)),
    u64(isTokens ? amount : 0n),
    ...Array.from({ length: 5 }, () => u64(5n)),
  );
}

const dollars = buildMarket();
const curve = buildMarket({ kind: 'lamports', quoteVault: named('pool') });
const pay = (lamports: bigint, to = curve.quoteVault): TapeInstruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [TRADER, to],
  data: bytes(2, 0, 0, 0, u64(lamports)),
  height: 2,
});

describe('trades of a dollar curve', () => {
  it('are what enters and leaves its two accounts, as the event says it', () => {
    const instructions = [
      call(dollars),
      ...buy(dollars, 9_000n, 8_000n),
      tradeEvent(dollars, { isBuy: true, amount: 9_000n }),
      call(dollars),
      ...sell(dollars, 3_000n, 2_500n),
      tradeEvent(dollars, { isBuy: false, amount: 2_500n }),
    ];
    expect(tradesOf(instructions, [[dollars, { base: -5_000n, quote: 6_500n }]])).toMatchObject([
      { side: 'buy', base: 8_000n, quote: 9_000n },
      { side: 'sell', base: 3_000n, quote: 2_500n },
    ]);
  });

  it('are told without the fees that wait on the curve', () => {
    const fees = [70n, 30n] as const;
    const instructions = [
      call(dollars),
      // The buyback's part of the protocol fee is paid out, so less than both fees waits.
      ...buy(dollars, 9_000n + 80n, 8_000n),
      tradeEvent(dollars, { isBuy: true, amount: 9_000n, paid: null, fees, name: 'buy_exact_quote_in_v3' }),
      call(dollars),
      ...sell(dollars, 3_000n, 2_500n - 80n),
      tradeEvent(dollars, {
        isBuy: false,
        amount: 2_500n,
        paid: null,
        fees,
        name: 'sell_v3',
        shareholders: 3,
      }),
    ];
    expect(tradesOf(instructions, [[dollars, { base: -5_000n, quote: 6_660n }]])).toMatchObject([
      { side: 'buy', base: 8_000n, quote: 9_000n },
      { side: 'sell', base: 3_000n, quote: 2_500n },
    ]);
  });

  it.each([
    ['paid its fees out', { paid: named('fee recipient') }],
    ['kept less than stays', { fees: [40n, 39n] as const }],
    ['is of another coin', { mint: QUOTE }],
    ['names no quote', { quoteMint: SYSTEM_PROGRAM }],
    ['counts more shareholders than there is room for', { shareholders: 0xffff_ffff }],
  ] as const)('are what the accounts show where the event %s', (_title, more) => {
    const instructions = [
      call(dollars),
      ...buy(dollars, 9_080n, 8_000n),
      tradeEvent(dollars, { isBuy: true, amount: 9_000n, paid: null, fees: [70n, 30n], ...more }),
    ];
    const trades = tradesOf(instructions, [[dollars, { base: -8_000n, quote: 9_080n }]]);
    expect(trades).toMatchObject([{ side: 'buy', base: 8_000n, quote: 9_080n }]);
  });

  it('are read whatever the length of the event', () => {
    const event = tradeEvent(dollars, { isBuy: true, amount: 9_000n, paid: null, fees: [70n, 30n] });
    const amounts = new Set<bigint>();
    for (let length = 0; length <= event.data.length; length++) {
      const cut = { ...event, data: event.data.slice(0, length) };
      const trades = tradesOf(
        [call(dollars), ...buy(dollars, 9_080n, 8_000n), cut],
        [[dollars, { base: -8_000n, quote: 9_080n }]],
      );
      expect(trades).toHaveLength(1);
      amounts.add(trades[0]!.quote);
    }
    expect(amounts).toEqual(new Set([9_080n, 9_000n]));
  });

  it('are none of another program that tells the same', () => {
    const event = tradeEvent(dollars, { isBuy: true, amount: 9_000n, paid: null, fees: [70n, 30n] });
    const instructions = [
      call(dollars),
      ...buy(dollars, 9_080n, 8_000n),
      { ...event, program: named('stranger') },
    ];
    expect(tradesOf(instructions, [[dollars, { base: -8_000n, quote: 9_080n }]])).toMatchObject([
      { quote: 9_080n },
    ]);
  });
});

describe('trades of a curve that keeps lamports', () => {
  const kept = { paid: null, fees: [70n, 30n] as const };
  const trades = (quote: bigint, instructions: readonly TapeInstruction[]) =>
    tradesOf(instructions, [[curve, { base: -5_000n, quote }]]);
  const pair = (more: Partial<TradeTold>, paid: bigint): readonly TapeInstruction[] => [
    call(curve),
    transfer(curve.baseVault, WALLET_BASE, 8_000n),
    pay(paid),
    tradeEvent(curve, { isBuy: true, amount: 9_000n, ...more }),
    call(curve),
    transfer(WALLET_BASE, curve.baseVault, 3_000n),
    tradeEvent(curve, { isBuy: false, amount: 2_500n, ...more }),
  ];
  const EXPECTED = [
    { side: 'buy', base: 8_000n, quote: 9_000n, source: 'call' },
    { side: 'sell', base: 3_000n, quote: 2_500n, source: 'call' },
  ];

  it('are the event’s amounts, with the rent of a curve that grows beside them', () => {
    expect(trades(6_500n, pair({}, 9_000n))).toMatchObject(EXPECTED);
    expect(trades(6_500n + 226_000n, pair({}, 9_000n).toSpliced(3, 0, pay(226_000n)))).toMatchObject(
      EXPECTED,
    );
  });

  it('are the event’s amounts where fees wait on the curve, all of them or without the buyback’s part', () => {
    for (const each of [100n, 80n])
      expect(trades(6_500n + 2n * each, pair(kept, 9_000n + each))).toMatchObject(EXPECTED);
  });

  it('are a fault where more stays than fees, or less than was told', () => {
    const fault = (quote: bigint, more: Partial<TradeTold>) =>
      faultOf(pair(more, 9_000n), [[curve, { base: -5_000n, quote }]]);
    expect(fault(6_500n + 201n, kept)).toMatch(/quote vault changed/);
    expect(fault(6_500n + 1n, {})).toMatch(/quote vault changed/);
    expect(fault(6_499n, kept)).toMatch(/quote vault changed/);
  });

  it('are none where waiting fees are swept', () => {
    const sweep = (amount: bigint, mint = curve.baseMint) =>
      told(
        kindOf('SweepBondingCurveFeeEvent'),
        u64(1_790_000_000n),
        key(mint),
        key(curve.address),
        key(SYSTEM_PROGRAM),
        key(named('recipient')),
        u64(amount),
        1,
      );
    const quiet = { base: 0n, quote: -700n };
    expect(tradesOf([call(curve), sweep(700n)], [[curve, quiet]])).toEqual([]);
    expect(faultOf([call(curve), sweep(699n)], [[curve, quiet]])).toMatch(/quote vault changed/);
    expect(faultOf([call(curve), sweep(700n, QUOTE)], [[curve, quiet]])).toMatch(/quote vault changed/);
    // Beside a trade in one transaction.
    const both = [...pair(kept, 9_100n), call(curve), sweep(700n)];
    expect(trades(6_500n + 200n - 700n, both)).toMatchObject(EXPECTED);
  });

  it.each([curve, dollars])(
    'that complete the curve are one, what the coming pool sells included: %#',
    (market) => {
      const post = told(
        kindOf('PostCompleteBuyEvent'),
        ...[TRADER, market.baseMint, market.address, QUOTE].map(key),
        u64(1_790_000_000n),
        u64(500n),
        u64(1_000n),
        u64(93n),
        u64(9n),
        u64(30n),
        u64(3n),
        u64(0n),
        u64(70_000n),
        u64(40_000n),
        u64(69_500n),
        u64(41_000n),
      );
      const paid = 10_000n + 100n + 12n;
      const instructions = [
        call(market),
        transfer(market.baseVault, WALLET_BASE, 8_500n),
        market.kind === 'lamports' ? pay(paid) : transfer(WALLET_QUOTE, market.quoteVault, paid),
        tradeEvent(market, { isBuy: true, amount: 9_000n, ...kept }),
        post,
      ];
      expect(tradesOf(instructions, [[market, { base: -8_500n, quote: paid }]])).toMatchObject([
        { side: 'buy', base: 8_500n, quote: 10_000n },
      ]);
    },
  );
});

describe('trades of a PumpSwap pool', () => {
  const swapEvent = (isBuy: boolean, quote: bigint, paid: Address | null, pool = dollars.address) =>
    told(
      kindOf(isBuy ? 'BuyEvent' : 'SellEvent'),
      ...Array.from({ length: 11 }, () => u64(4n)),
      u64(70n),
      u64(quote),
      u64(0n),
      key(pool),
      key(TRADER),
      key(WALLET_BASE),
      key(WALLET_QUOTE),
      key(paid ?? SYSTEM_PROGRAM),
      key(paid ?? SYSTEM_PROGRAM),
      key(named('creator')),
      u64(30n),
      u64(30n),
    );
  const both = (paid: Address | null, each: bigint, pool?: Address): readonly TapeInstruction[] => [
    call(dollars),
    ...buy(dollars, 9_000n + each, 8_000n),
    swapEvent(true, 9_000n, paid, pool),
    call(dollars),
    ...sell(dollars, 3_000n, 2_500n - each),
    swapEvent(false, 2_500n, paid, pool),
  ];

  it('are told without the fees that wait in the pool', () => {
    for (const each of [0n, 80n, 100n]) {
      const trades = tradesOf(both(null, each), [[dollars, { base: -5_000n, quote: 6_500n + 2n * each }]]);
      expect(trades).toMatchObject([{ quote: 9_000n }, { quote: 2_500n }]);
    }
  });

  it('are what the accounts show where fees were paid out, another pool is told of, or more stays', () => {
    const quotes = (instructions: readonly TapeInstruction[], each: bigint) =>
      tradesOf(instructions, [[dollars, { base: -5_000n, quote: 6_500n + 2n * each }]]).map(
        ({ quote }) => quote,
      );
    expect(quotes(both(named('fee recipient'), 80n), 80n)).toEqual([9_080n, 2_420n]);
    expect(quotes(both(null, 80n, named('other pool')), 80n)).toEqual([9_080n, 2_420n]);
    expect(quotes(both(null, 101n), 101n)).toEqual([9_101n, 2_399n]);
  });
});
