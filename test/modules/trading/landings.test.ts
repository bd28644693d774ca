import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { percentOf, percentThatPasses } from '../../../src/modules/trading/rules/allowed-slippage.ts';
import { autoSlippage } from '../../../src/modules/trading/rules/auto-slippage.ts';
import {
  landingTime,
  type OwnLanding,
  raisedAfterFailure,
  raisedByLandings,
} from '../../../src/modules/trading/rules/landings.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const MINT = newAddress();
const WALLET = newAddress();
const NOW = 1_800_000_000_000;

const landing = (more: Partial<OwnLanding> = {}): OwnLanding => ({
  mint: MINT,
  wallet: WALLET,
  isCurve: false,
  slippageBps: 500,
  failed: false,
  at: NOW - 600_000,
  ...more,
});
const many = (n: number, failed: number, more: Partial<OwnLanding> = {}): readonly OwnLanding[] =>
  Array.from({ length: n }, (_, index) => landing({ failed: index < failed, ...more }));
const raised = (wanted: number, landings: readonly OwnLanding[], isCurve = false) =>
  raisedByLandings(wanted, { mint: MINT, isCurve }, landings);

describe('what own landings make of a slippage', () => {
  it('is nothing where they are few, or where none or a single one failed', () => {
    expect(raised(100, many(19, 19))).toEqual({ factor: 1, record: null });
    expect(raised(100, many(20, 0))).toEqual({ factor: 1, record: { tried: 20, failed: 0 } });
    expect(raised(100, many(40, 1))).toEqual({ factor: 1, record: { tried: 40, failed: 1 } });
    expect(raised(100, many(400, 4)).factor).toBe(1);
  });

  it('is the first step at which at most one of a hundred failed, and never more than twice as much', () => {
    // All took 500: what fails at 500 fails with every smaller one.
    expect(raised(100, many(100, 10)).factor).toBe(2);
    expect(raised(240, many(100, 10)).factor).toBe(2);
    // Above 500 too few tried: nothing more is known.
    expect(raised(400, many(100, 10))).toEqual({ factor: 1.25, record: { tried: 100, failed: 10 } });
    // Those that took 150 do not fail.
    const wide = many(100, 0, { slippageBps: 150 });
    expect(raised(100, [...many(30, 30, { slippageBps: 120 }), ...wide]).factor).toBe(1.25);
    expect(raised(100, many(100, 100)).factor).toBeLessThanOrEqual(2);
  });

  it('counts no failure of a narrower slippage', () => {
    expect(raised(500, many(100, 100, { slippageBps: 10 }))).toEqual({ factor: 1, record: null });
  });

  it('takes the token’s own trades where there are enough, else those of its class', () => {
    const others = many(100, 50, { mint: newAddress() });
    expect(raised(100, others).factor).toBe(2);
    expect(raised(100, others, true)).toEqual({ factor: 1, record: null });
    expect(raised(100, [...others, ...many(20, 0)])).toEqual({ factor: 1, record: { tried: 20, failed: 0 } });
  });

  it('is half as much again after a failure of the same wallet and token within five minutes', () => {
    const of = { mint: MINT, wallet: WALLET };
    const failed = landing({ failed: true, at: NOW - 299_000 });
    expect(raisedAfterFailure(of, [failed], NOW)).toBe(1.5);
    expect(raisedAfterFailure(of, [{ ...failed, at: NOW - 300_000 }], NOW)).toBe(1);
    expect(raisedAfterFailure(of, [failed, landing({ at: NOW - 1 })], NOW)).toBe(1);
    expect(raisedAfterFailure({ ...of, wallet: newAddress() }, [failed], NOW)).toBe(1);
    expect(raisedAfterFailure({ ...of, mint: newAddress() }, [failed], NOW)).toBe(1);
  });

  it('raises what the tape asks for, within the cap, and says what it wanted', () => {
    const learned = (tapeBps: number) => raised(tapeBps, many(100, 10));
    const young = { trades: [], losesUp: true, isWhole: false, age: 'old' } as const;
    expect(autoSlippage([young], 1n, bps(1_000), learned)).toEqual({
      bps: 400,
      wantedBps: 400,
      capBps: 1_000,
      own: { tried: 100, failed: 10 },
      movesBps: null,
      landing: null,
    });
    expect(autoSlippage([young], 1n, bps(300), learned)).toMatchObject({ bps: 300, wantedBps: 400 });
  });
});

describe('how long own trades take to land', () => {
  const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, n) => n + 1);

  it('is half of them, and nine of ten, whatever their order', () => {
    expect(landingTime(upTo(20).toReversed())).toEqual({ p50: 10, p90: 18 });
    expect(landingTime([...upTo(10), ...upTo(10).map(() => 25)])).toEqual({ p50: 10, p90: 25 });
  });

  it('is nothing where fewer than 20 were measured, and no measure is negative', () => {
    expect(landingTime(upTo(19))).toBeNull();
    expect(landingTime([-1, ...upTo(19)])).toBeNull();
  });

  it('is from 2 to 30 slots', () => {
    expect(landingTime(upTo(20).map(() => 0))).toEqual({ p50: 2, p90: 2 });
    expect(landingTime(upTo(20).map(() => 400))).toEqual({ p50: 30, p90: 30 });
  });
});

describe('the slippage that would have let a trade pass', () => {
  const terms = { quotedOut: 1_000n, slippageBps: 500 };

  it('is rounded up to whole percents', () => {
    expect(percentThatPasses(terms, 830n)).toBe(17);
    expect(percentThatPasses(terms, 829n)).toBe(18);
    expect(percentThatPasses(terms, 500n)).toBe(50);
  });

  it('is not said where the agreed one is enough, where the amount is not known, and above half of it', () => {
    expect(percentThatPasses(terms, 950n)).toBeNull();
    expect(percentThatPasses(terms, 1_200n)).toBeNull();
    expect(percentThatPasses(terms, 0n)).toBeNull();
    expect(percentThatPasses(terms, 499n)).toBeNull();
    expect(percentThatPasses(terms, 949n)).toBe(6);
  });

  it('of a wanted one is at least one percent and at most half', () => {
    expect([12, 100, 101, 1_631, 5_000, 5_001].map(percentOf)).toEqual([1, 1, 2, 17, 50, null]);
  });
});
