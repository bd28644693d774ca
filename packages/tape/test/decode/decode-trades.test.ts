import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTrades } from '../../src/decode/decode-trades.ts';
import type { TapeInstruction } from '../../src/transaction.ts';
import {
  buildMarket,
  buildTransaction,
  buy,
  bytes,
  call,
  checked,
  named,
  sell,
  TRADER,
  transfer,
  u64,
  WALLET_BASE,
  WALLET_QUOTE,
} from './build-transaction.ts';
import { faultOf, tradesOf } from './decoded.ts';

const market = buildMarket();

describe('decodeTrades', () => {
  it('tells two opposite swaps of one pool apart, where the whole would net to almost nothing', () => {
    const instructions = [
      call(market),
      ...buy(market, 500_000n, 400_000n),
      call(market),
      ...sell(market, 400_000n, 499_000n),
    ];
    expect(tradesOf(instructions, [[market, { base: 0n, quote: 1_000n }]])).toEqual([
      { ordinal: 1, side: 'buy', base: 400_000n, quote: 500_000n, source: 'call' },
      { ordinal: 4, side: 'sell', base: 400_000n, quote: 499_000n, source: 'call' },
    ]);
  });

  it('takes liquidity, fees and a failed transaction for no trade', () => {
    const add = [
      call(market),
      transfer(WALLET_BASE, market.baseVault, 10n),
      transfer(WALLET_QUOTE, market.quoteVault, 20n),
    ];
    expect(tradesOf(add, [[market, { base: 10n, quote: 20n }]])).toEqual([]);
    const fees = [call(market), transfer(market.quoteVault, WALLET_QUOTE, 5n)];
    expect(tradesOf(fees, [[market, { base: 0n, quote: -5n }]])).toEqual([]);
    const failed = [call(market), ...buy(market, 5_000n, 4_000n)];
    expect(tradesOf(failed, [[market, { base: 0n, quote: 0n }]], { failed: true })).toEqual([]);
  });

  it('finds the swap beside liquidity that is added in the same transaction', () => {
    const instructions = [
      call(market),
      transfer(WALLET_BASE, market.baseVault, 10_000n),
      transfer(WALLET_QUOTE, market.quoteVault, 20_000n),
      call(market),
      ...buy(market, 5_000n, 4_000n),
    ];
    expect(tradesOf(instructions, [[market, { base: 6_000n, quote: 25_000n }]])).toMatchObject([
      { ordinal: 4, side: 'buy', base: 4_000n, quote: 5_000n },
    ]);
  });

  it('judges each pool of one instruction by its own vaults, under a number of its own', () => {
    const second = buildMarket({
      id: 2,
      address: named('pool 2'),
      baseVault: named('b2'),
      quoteVault: named('q2'),
    });
    const twoHop: TapeInstruction = {
      ...call(market),
      accounts: [TRADER, market.address, second.address],
    };
    const instructions = [
      twoHop,
      transfer(WALLET_QUOTE, market.quoteVault, 9_000n),
      // The middle goes from vault to vault.
      transfer(market.baseVault, second.quoteVault, 8_000n),
      transfer(second.baseVault, WALLET_BASE, 7_000n),
    ];
    const changes = [
      [market, { base: -8_000n, quote: 9_000n }],
      [second, { base: -7_000n, quote: 8_000n }],
    ] as const;
    expect(tradesOf(instructions, changes)).toMatchObject([{ ordinal: 1, base: 8_000n, quote: 9_000n }]);
    expect(tradesOf(instructions, changes.toReversed())).toMatchObject([
      { ordinal: 2, base: 7_000n, quote: 8_000n },
    ]);
  });

  it('takes a program that calls itself for one call', () => {
    const inner = buy(market, 5_000n, 4_000n).map((one) => ({ ...one, height: 3 }));
    const instructions = [call(market), call(market, 2), ...inner];
    expect(tradesOf(instructions, [[market, { base: -4_000n, quote: 5_000n }]])).toEqual([
      { ordinal: 2, side: 'buy', base: 4_000n, quote: 5_000n, source: 'call' },
    ]);
  });

  it('opens a batch of transfers, which leaves no inner instructions', () => {
    const one = (amount: bigint) => bytes(3, 9, 3, u64(amount));
    const batch: TapeInstruction = {
      program: TOKEN_PROGRAM,
      accounts: [WALLET_QUOTE, market.quoteVault, TRADER, market.baseVault, WALLET_BASE, TRADER],
      data: bytes(255, one(6_000n), one(5_000n)),
      height: 2,
    };
    expect(tradesOf([call(market), batch], [[market, { base: -5_000n, quote: 6_000n }]])).toMatchObject([
      { side: 'buy', base: 5_000n, quote: 6_000n, source: 'call' },
    ]);
  });

  it('counts what arrived where the mint withholds a part, by the balance or by the schedule', () => {
    const one = [
      call(market),
      checked(WALLET_BASE, market.baseVault, 10_000n),
      transfer(market.quoteVault, WALLET_QUOTE, 7_000n),
    ];
    expect(tradesOf(one, [[market, { base: 9_900n, quote: -7_000n }]])).toMatchObject([
      { side: 'sell', base: 9_900n },
    ]);
    const rate = { bps: 100, maximum: 1_000_000n };
    const schedule = { authority: null, older: rate, newer: { ...rate, bps: 300 }, newerEpoch: 9n };
    const taxed = buildMarket({ transferFees: { base: schedule, quote: null } });
    const two = [
      call(taxed),
      checked(WALLET_BASE, taxed.baseVault, 10_000n),
      transfer(taxed.quoteVault, WALLET_QUOTE, 7_000n),
      call(taxed),
      checked(WALLET_BASE, taxed.baseVault, 20_000n),
      transfer(taxed.quoteVault, WALLET_QUOTE, 13_000n),
    ];
    expect(tradesOf(two, [[taxed, { base: 29_700n, quote: -20_000n }]])).toMatchObject([
      { base: 9_900n },
      { base: 19_800n },
    ]);
    // The mint's rate has changed since it was read: nobody divides by guessing.
    expect(faultOf(two, [[taxed, { base: 29_999n, quote: -20_000n }]])).toMatch(
      /base vault changed by 29999/,
    );
  });

  it('reads the fee that a Token-2022 transfer states', () => {
    const stated: TapeInstruction = {
      program: TOKEN_2022_PROGRAM,
      accounts: [WALLET_BASE, market.baseMint, market.baseVault, TRADER],
      data: bytes(26, 1, u64(10_000n), 6, u64(250n)),
      height: 2,
    };
    const instructions = [call(market), stated, transfer(market.quoteVault, WALLET_QUOTE, 4_000n)];
    expect(tradesOf(instructions, [[market, { base: 9_750n, quote: -4_000n }]])).toMatchObject([
      { base: 9_750n },
    ]);
  });

  it('does not let a gift beside the swap change it, however it is given', () => {
    const gifts: readonly TapeInstruction[] = [
      transfer(WALLET_BASE, market.baseVault, 77n, 1),
      checked(WALLET_BASE, market.baseVault, 77n, 1),
      { program: TOKEN_PROGRAM, accounts: [market.baseVault], data: bytes(17), height: 1 },
      {
        program: TOKEN_PROGRAM,
        accounts: [market.baseMint, market.baseVault, TRADER],
        data: bytes(7, u64(77n)),
        height: 1,
      },
    ];
    for (const gift of gifts) {
      const instructions = [gift, call(market), ...buy(market, 5_000n, 4_000n)];
      expect(tradesOf(instructions, [[market, { base: 77n - 4_000n, quote: 5_000n }]])).toMatchObject([
        { base: 4_000n, quote: 5_000n, source: 'call' },
      ]);
    }
  });

  it('takes the net of a single call where its instructions do not add up, and else nothing', () => {
    const strange: TapeInstruction = {
      program: named('new'),
      accounts: [market.baseVault],
      data: bytes(1),
      height: 2,
    };
    const one = [call(market), transfer(WALLET_QUOTE, market.quoteVault, 5_000n), strange];
    expect(tradesOf(one, [[market, { base: -4_000n, quote: 5_000n }]])).toEqual([
      { ordinal: 0, side: 'buy', base: 4_000n, quote: 5_000n, source: 'net' },
    ]);
    const two = [...one, call(market), ...buy(market, 2_000n, 1_000n)];
    expect(faultOf(two, [[market, { base: -5_000n, quote: 7_000n }]])).toBe(
      'the base vault changed by -5000, its instructions tell -1000',
    );
  });

  it('knows a pool without a program by the transaction that moves its vaults', () => {
    const desk = buildMarket({ programId: TOKEN_PROGRAM });
    const instructions = [
      { program: named('memo'), accounts: [], data: bytes(1), height: 1 },
      transfer(WALLET_QUOTE, desk.quoteVault, 5_000n, 1),
      transfer(desk.baseVault, WALLET_BASE, 4_000n, 1),
    ];
    expect(tradesOf(instructions, [[desk, { base: -4_000n, quote: 5_000n }]])).toEqual([
      { ordinal: 1, side: 'buy', base: 4_000n, quote: 5_000n, source: 'call' },
    ]);
  });

  it('names the signer whose holdings changed, not who paid the fee', () => {
    const relayer = named('relayer');
    const transaction = buildTransaction(
      [call(market), ...buy(market, 5_000n, 4_000n)],
      [[market, { base: -4_000n, quote: 5_000n }]],
      { signers: [relayer, market.address, TRADER] },
    );
    const held = { account: WALLET_BASE, owner: TRADER, mint: market.baseMint, before: 0n, after: 4_000n };
    const traders = [transaction, { ...transaction, tokens: [...transaction.tokens, held] }].map((one) => {
      const decoded = decodeTrades(one, market);
      return decoded.kind === 'trades' ? decoded.trades[0]?.trader : null;
    });
    // The pool signs too, and what changed in its vaults is not its own trade.
    expect(traders).toEqual([relayer, TRADER]);
  });

  it('records nothing under a number that does not fit', () => {
    const swap = [call(market), ...buy(market, 5_000n, 4_000n)];
    const change = [[market, { base: -4_000n, quote: 5_000n }]] as const;
    expect(faultOf(swap, change, { index: 40_000 })).toMatch(/make no trade id/);
    const filler = Array.from({ length: 70 }, () => ({
      program: named('x'),
      accounts: [],
      data: bytes(0),
      height: 1,
    }));
    expect(faultOf([...filler, ...swap], change)).toMatch(/make no trade id/);
  });

  it('adds up to the change of both vaults over any run of swaps, gifts and liquidity', () => {
    const amount = fc.bigInt(1n, 1_000_000n);
    const act = fc.oneof(
      fc.record({ kind: fc.constantFrom('buy', 'sell', 'add', 'gift'), base: amount, quote: amount }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
        const instructions: TapeInstruction[] = [];
        const change = { base: 0n, quote: 0n };
        const others = { base: 0n, quote: 0n };
        for (const { kind, base, quote } of acts) {
          const legs = {
            buy: [call(market), ...buy(market, quote, base)],
            sell: [call(market), ...sell(market, base, quote)],
            add: [
              call(market),
              transfer(WALLET_BASE, market.baseVault, base),
              transfer(WALLET_QUOTE, market.quoteVault, quote),
            ],
            gift: [transfer(WALLET_BASE, market.baseVault, base, 1)],
          }[kind];
          instructions.push(...legs);
          const sign = { buy: [-1n, 1n], sell: [1n, -1n], add: [1n, 1n], gift: [1n, 0n] }[kind];
          const moved = { base: base * (sign[0] ?? 0n), quote: quote * (sign[1] ?? 0n) };
          change.base += moved.base;
          change.quote += moved.quote;
          if (kind === 'add' || kind === 'gift') {
            others.base += moved.base;
            others.quote += moved.quote;
          }
        }
        const trades = tradesOf(instructions, [[market, change]]);
        const sum = (of: 'base' | 'quote'): bigint =>
          trades.reduce(
            (total, trade) => total + ((trade.side === 'buy') === (of === 'quote') ? trade[of] : -trade[of]),
            0n,
          );
        expect(sum('base') + others.base).toBe(change.base);
        expect(sum('quote') + others.quote).toBe(change.quote);
      }),
    );
  });
});
