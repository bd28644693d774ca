import { describe, expect, it } from 'vitest';
import { type Answered, afterAnswer, NOT_ANSWERED } from '../../../src/modules/groups/rules/answers.ts';
import {
  afterReading,
  type GroupCall,
  median,
  readDays,
  STAKE_LAMPORTS,
  standings,
} from '../../../src/modules/groups/rules/group-call.ts';
import { groupCallRow } from '../../conformance/group-store.ts';
import { NOW } from '../../conformance/store-rows.ts';

const read = (call: GroupCall, lamports: bigint, slot: bigint | null, now = NOW): GroupCall =>
  afterReading(call, { lamports, slot, now });
const entered = (): GroupCall => groupCallRow({ units: 5n });

describe('the result of a call', () => {
  it('is the newest reading, and the best is what held for six slots', () => {
    const first = read(entered(), 900n, 10n);
    expect(first).toMatchObject({ lamports: 900n, bestLamports: null, high: { lamports: 900n, slot: 10n } });
    const soon = read(first, 950n, 15n);
    expect(soon).toMatchObject({ lamports: 950n, bestLamports: null, high: { lamports: 900n, slot: 10n } });
    const held = read(soon, 940n, 16n);
    expect(held).toMatchObject({ lamports: 940n, bestLamports: 900n, high: null });
  });

  it('is no wick: a worth that fell before it held is the lower one, or none', () => {
    const held = read(read(entered(), 900n, 10n), 900n, 16n);
    const wick = read(held, 9_000n, 100n);
    expect(read(wick, 800n, 106n)).toMatchObject({ lamports: 800n, bestLamports: 900n, high: null });
    const dip = read(read(wick, 1_000n, 103n), 5_000n, 106n);
    expect(dip.bestLamports).toBe(1_000n);
  });

  it('takes two readings far apart for no proof of the time between them', () => {
    const first = read(entered(), 900n, 10n);
    expect(read(first, 900n, 161n)).toMatchObject({
      bestLamports: null,
      high: { lamports: 900n, slot: 161n },
    });
    expect(read(first, 900n, 160n).bestLamports).toBe(900n);
    // A node that lags says nothing new.
    expect(read(first, 950n, 9n).bestLamports).toBeNull();
  });

  it('is nothing where nothing buys the token, and the best stays', () => {
    const held = read(read(entered(), 900n, 10n), 900n, 16n);
    expect(read(held, 0n, null)).toMatchObject({ lamports: 0n, bestLamports: 900n, high: null });
  });

  it('is read often while it is young, and soon while a worth waits for its proof', () => {
    const call = { ...entered(), bestLamports: 1_000n };
    const next = (ageMs: number) => read(call, 900n, 10n, NOW + ageMs).dueAt - NOW - ageMs;
    expect([next(0), next(3_600_000), next(86_400_000)]).toEqual([60_000, 600_000, 7_200_000]);
    expect(read(call, 1_001n, 10n).dueAt).toBe(NOW + 3_000);
  });
});

describe('the list of callers', () => {
  const calls = (callerId: bigint, results: readonly (bigint | null)[]): readonly GroupCall[] =>
    results.map((lamports) =>
      groupCallRow({ callerId, callerName: `caller ${callerId}`, units: 5n, lamports }),
    );

  it('goes by the median, so one great call or one dead one decides nothing', () => {
    const one = STAKE_LAMPORTS;
    const lucky = calls(1n, [100n * one, 0n, 0n, 0n, 0n]);
    const steady = calls(2n, [2n * one, 2n * one, 0n, 3n * one, 2n * one]);
    expect(
      standings([...lucky, ...steady]).map(({ callerId, medianLamports }) => [callerId, medianLamports]),
    ).toEqual([
      [2n, 2n * one],
      [1n, 0n],
    ]);
  });

  it('has callers with five valued calls alone, and nobody who is forgotten', () => {
    expect(standings(calls(1n, [1n, 1n, 1n, 1n, null]))).toEqual([]);
    expect(standings(calls(1n, [1n, 1n, 1n, 1n, 0n]))).toMatchObject([{ calls: 5 }]);
    const forgotten = calls(1n, [1n, 1n, 1n, 1n, 1n]).map((call) => ({
      ...call,
      callerId: null,
      callerName: null,
    }));
    expect(standings(forgotten)).toEqual([]);
  });

  it('takes the middle, rounded down between two', () => {
    expect([median([]), median([3n]), median([4n, 1n]), median([9n, 1n, 5n])]).toEqual([0n, 3n, 2n, 5n]);
  });

  it('reads its days', () => {
    expect(['', '7d', '1D', '30 d', '0d', '31d', '7', '-7d', 'x'].map(readDays)).toEqual([
      30,
      7,
      1,
      30,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('answers in a group', () => {
  it('are ten a minute, and one for each mint in half of one', () => {
    let state: Answered = NOT_ANSWERED;
    const ask = (now: number, mint: string | null): boolean => {
      const after = afterAnswer(state, now, mint);
      state = after ?? state;
      return after !== null;
    };
    expect([ask(0, 'A'), ask(29_999, 'A'), ask(29_999, 'B'), ask(30_000, 'A')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    for (let n = 0; n < 7; n += 1) expect(ask(31_000, null)).toBe(true);
    expect(ask(59_999, 'C')).toBe(false);
    expect(ask(60_000, 'C')).toBe(true);
  });
});
