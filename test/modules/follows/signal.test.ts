import { type Address, WSOL_MINT } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Follow } from '../../../src/modules/follows/rules/follow.ts';
import { readSpan, readWallets, spanText } from '../../../src/modules/follows/rules/read-signal.ts';
import {
  SIGNAL_LIMITS,
  signalWindows,
  type WeighedTrade,
} from '../../../src/modules/follows/rules/signal.ts';
import { followRow } from '../../conformance/follow-store.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const MIN = 60_000;
const [PUP, USD] = [newAddress(), newAddress()] as const;
const [A, B, C, D, E, F] = Array.from({ length: 6 }, newAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
/** Three wallets within half an hour. */
const SIGNAL = { wallets: 3, spanMs: 30 * MIN };
const START = 1_700_000_000_000;

/** A purchase so many minutes after the start. */
const buys = (leader: Address, minute: number, more: Partial<WeighedTrade> = {}): WeighedTrade => ({
  leader,
  mint: PUP,
  side: 'buy',
  at: START + minute * MIN,
  takenBack: false,
  lamports: 1_000n,
  ...more,
});

const follows = (more: Partial<Record<string, Partial<Follow>>> = {}): readonly Follow[] =>
  [A, B, C, D, E, F].map((leader) => followRow('u', { leader, createdAt: START, ...more[leader] }));

/** Each window as the minute of its beginning and its wallets. */
function told(
  trades: readonly WeighedTrade[],
  more: {
    readonly follows?: readonly Follow[];
    readonly toldUntil?: number | null;
    readonly wallets?: number;
  } = {},
) {
  return signalWindows(
    { ...SIGNAL, ...(more.wallets === undefined ? {} : { wallets: more.wallets }) },
    trades,
    {
      follows: more.follows ?? follows(),
      money: [WSOL_MINT, USD],
      toldUntil: more.toldUntil ?? null,
    },
  ).map(({ beganAt, until, leaders }) => {
    expect(until - beganAt).toBe(SIGNAL.spanMs);
    return [(beganAt - START) / MIN, ...leaders];
  });
}

const three = [buys(A, 0), buys(B, 10), buys(C, 20)];

describe('the windows of a signal', () => {
  it.each<[string, readonly WeighedTrade[], unknown]>([
    ['three wallets in time are one', three, [[0, A, B, C]]],
    ['in whatever order they come', three.toReversed(), [[0, A, B, C]]],
    ['two wallets are none', three.slice(0, 2), []],
    ['one wallet counts once', [buys(A, 0), buys(A, 1), buys(B, 2)], []],
    [
      'and does not count against the others',
      [buys(A, 0), buys(A, 1), buys(B, 2), buys(C, 3)],
      [[0, A, B, C]],
    ],
    ['the last millisecond belongs to it', [buys(A, 0), buys(B, 1), buys(C, 30)], [[0, A, B, C]]],
    [
      'and the one after it does not',
      [buys(A, 0), buys(B, 1), buys(C, 30, { at: START + 30 * MIN + 1 })],
      [],
    ],
    [
      'a later beginning is found where the first is too early',
      [buys(A, 0), buys(B, 20), buys(C, 40), buys(D, 45)],
      [[20, B, C, D]],
    ],
    ['a fourth purchase in it is no window of its own', [...three, buys(D, 25)], [[0, A, B, C, D]]],
    [
      'two windows are two, with the same wallets',
      [...three, buys(A, 31), buys(B, 40), buys(C, 61)],
      [
        [0, A, B, C],
        [31, A, B, C],
      ],
    ],
    ['a purchase of one is none of the next', [...three, buys(D, 31), buys(E, 32)], [[0, A, B, C]]],
    ['taken back by a fork, it does not count', [...three.slice(0, 2), buys(C, 20, { takenBack: true })], []],
    ['a sale does not count', [...three.slice(0, 2), buys(C, 20, { side: 'sell' })], []],
    ['SOL is no token of a signal', three.map((one) => ({ ...one, mint: WSOL_MINT })), []],
    ['nor is a dollar', three.map((one) => ({ ...one, mint: USD })), []],
    ['a wallet that is not followed does not count', [...three.slice(0, 2), buys(newAddress(), 20)], []],
  ])('%s', (_what, trades, windows) => {
    expect(told(trades)).toEqual(windows);
  });

  it('a window that was told hides what lies up to its end, and nothing after it', () => {
    expect(told(three, { toldUntil: START + 20 * MIN })).toEqual([]);
    expect(told([...three, buys(D, 25)], { toldUntil: START + 10 * MIN })).toEqual([]);
    expect(told([...three, buys(D, 25), buys(E, 26)], { toldUntil: START + 10 * MIN })).toEqual([
      [20, C, D, E],
    ]);
    expect(told(three, { toldUntil: START - 1 })).toEqual([[0, A, B, C]]);
  });

  it('a wallet without notices counts; its bar and the moment of following hold', () => {
    expect(told(three, { follows: follows({ [C]: { notices: false } }) })).toHaveLength(1);
    expect(told(three, { follows: follows({ [C]: { minLamports: 1_000n } }) })).toHaveLength(1);
    expect(told(three, { follows: follows({ [C]: { minLamports: 1_001n } }) })).toEqual([]);
    const swap = [...three.slice(0, 2), buys(C, 20, { lamports: null })];
    expect(told(swap)).toHaveLength(1);
    expect(told(swap, { follows: follows({ [C]: { minLamports: 1n } }) })).toEqual([]);
    const since = (ms: number) => told(three, { follows: follows({ [C]: { createdAt: START + ms } }) });
    expect([since(20 * MIN).length, since(20 * MIN + 1).length]).toEqual([1, 0]);
  });

  it('are those of a slow count, for any purchases and signal', () => {
    const one = fc.record({ who: fc.integer({ min: 0, max: 5 }), minute: fc.integer({ min: 0, max: 200 }) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 25 }), fc.integer({ min: 2, max: 5 }), (parts, wallets) => {
        const trades = parts.map(({ who, minute }) => buys([A, B, C, D, E, F][who] ?? A, minute));
        const found = told(trades, { wallets });
        let from = 0;
        for (const [began, ...leaders] of found) {
          const at = Number(began);
          // No earlier beginning had enough wallets.
          for (let minute = from; minute < at; minute += 1) {
            const early = parts.filter((part) => part.minute >= minute && part.minute <= minute + 30);
            if (early.some((part) => part.minute === minute))
              expect(new Set(early.map(({ who }) => who)).size).toBeLessThan(wallets);
          }
          expect(leaders.length).toBeGreaterThanOrEqual(wallets);
          expect(new Set(leaders).size).toBe(leaders.length);
          from = at + 31;
        }
        const rest = parts.filter(({ minute }) => minute >= from);
        for (const { minute } of rest) {
          const inside = rest.filter((part) => part.minute >= minute && part.minute <= minute + 30);
          expect(new Set(inside.map(({ who }) => who)).size).toBeLessThan(wallets);
        }
      }),
    );
  });
});

describe('what a person types', () => {
  it.each([
    ['2', 2],
    ['10', 10],
    [' 3 ', 3],
    ['٣', 3],
    ['３', 3],
  ])('%s is a number of wallets', (text, wallets) => {
    expect(readWallets(text)).toBe(wallets);
  });

  it.each(['1', '0', '11', '-3', '2.5', '2,5', 'three', '', '3 wallets', '1e1', '9999999999', '²', '٣3'])(
    '%s is none',
    (text) => {
      expect(() => readWallets(text)).toThrowError(
        expect.objectContaining({ code: 'SIGNAL_REFUSED', details: { kind: 'wallets', least: 2, most: 10 } }),
      );
    },
  );

  it.each([
    ['1 min', 1],
    ['30 min', 30],
    ['30min', 30],
    ['30', 30],
    ['30 m', 30],
    ['30 minutos', 30],
    ['90 MIN', 90],
    ['120 s', 2],
    ['2h', 120],
    ['2 hours', 120],
    ['2 horas', 120],
    ['1 hr.', 60],
    ['1d', 1_440],
    ['1 día', 1_440],
    ['1 day', 1_440],
    ['24 h', 1_440],
    ['1440', 1_440],
  ])('%s is a time', (text, minutes) => {
    expect(readSpan(text)).toBe(minutes * MIN);
    expect(readSpan(spanText(minutes * MIN))).toBe(minutes * MIN);
  });

  it.each([
    ['0'],
    ['0 min'],
    ['59 s'],
    ['90 s'],
    ['1441'],
    ['25h'],
    ['2d'],
    ['1.5 h'],
    ['1,5 h'],
    ['-5 min'],
    ['half an hour'],
    ['min'],
    ['1 week'],
    ['1 h 30 min'],
    ['3 in 30 min'],
    ['999999999 d'],
    [''],
  ])('%s is none', (text) => {
    expect(() => readSpan(text)).toThrowError(
      expect.objectContaining({ code: 'SIGNAL_REFUSED', details: { kind: 'span' } }),
    );
  });

  it('is written in whole hours where it can be', () => {
    expect(
      [SIGNAL_LIMITS.spanMs.least, 59 * MIN, 60 * MIN, 90 * MIN, SIGNAL_LIMITS.spanMs.most].map(spanText),
    ).toEqual(['1 min', '59 min', '1 h', '90 min', '24 h']);
  });
});
