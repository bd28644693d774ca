import { firstIdOfSlot } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import {
  type CohortTrade,
  cohorts,
  earlyIds,
  shareBps,
  worstOf,
} from '../../../src/modules/launches/rules/cohort.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const [DEV, ANA, BEN, CLO] = [newAddress(), newAddress(), newAddress(), newAddress()] as const;
const SUPPLY = 1_000_000n;
const LAUNCH = { creator: DEV, createdSlot: 100n };
const SPAN = { after: 99n, upTo: 500n, gapSince: null };

let serial = 0n;
const trade = (
  slot: bigint,
  trader: CohortTrade['trader'],
  side: 'buy' | 'sell',
  base: bigint,
): CohortTrade => {
  serial += 1n;
  return { id: firstIdOfSlot(slot) + serial, at: 1, side, base, quote: 1n, trader, signature: `s${serial}` };
};
const TRADES = [
  trade(100n, DEV, 'buy', 50_000n),
  trade(100n, ANA, 'buy', 100_000n),
  trade(100n, ANA, 'sell', 10_000n),
  trade(101n, BEN, 'buy', 20_001n),
  trade(103n, ANA, 'buy', 30_000n),
  trade(104n, CLO, 'buy', 500_000n),
  trade(200n, DEV, 'sell', 40_000n),
  trade(300n, BEN, 'sell', 30_000n),
];
const of = (
  trades: readonly CohortTrade[] | null,
  span: Parameters<typeof cohorts>[1]['span'] = SPAN,
  supply = SUPPLY,
) => {
  const { after, before } = earlyIds(LAUNCH);
  const early = trades?.filter(({ id }) => id > after && id < before) ?? null;
  return cohorts(LAUNCH, { supply, span, early, trades });
};

describe('the early wallets of a launch', () => {
  it('are those who bought beside its creation, and in the three slots after it, without the creator', () => {
    const { dev, bundle, snipers } = of(TRADES);
    expect(dev).toMatchObject({ boughtBps: 500, soldBps: 400 });
    expect(bundle).toMatchObject({ bps: 1_000, wallets: [ANA] });
    expect(bundle?.trades).toEqual([TRADES[1]]);
    // Rounded up: 5.0001 % is not 5 %.
    expect(snipers).toMatchObject({ bps: 501, wallets: [BEN, ANA] });
    expect(snipers?.trades).toEqual([TRADES[3], TRADES[4]]);
  });

  it('hold what they bought less what they sold; nobody holds less than nothing', () => {
    const { bundle, snipers } = of(TRADES);
    expect(bundle?.heldBps).toBe(1_200);
    // Ben sold more than the tape saw him buy.
    expect(snipers?.heldBps).toBe(1_200);
  });

  it('are none where the tape shows that none bought: that is 0 and no unknown', () => {
    expect(of([])).toEqual({
      dev: { boughtBps: 0, soldBps: 0, trades: [] },
      bundle: { bps: 0, wallets: [], trades: [], heldBps: 0 },
      snipers: { bps: 0, wallets: [], trades: [], heldBps: 0 },
    });
  });

  it('are not known where the tape began later, has a gap, is not that far, or is too long to read', () => {
    const none = { dev: null, bundle: null, snipers: null };
    expect(of(TRADES, null)).toEqual(none);
    expect(of(TRADES, { ...SPAN, after: 100n })).toEqual(none);
    expect(of(TRADES, SPAN, 0n)).toEqual(none);
    expect(of(TRADES, { ...SPAN, gapSince: 100n })).toEqual(none);
    expect(of(TRADES, { ...SPAN, gapSince: 102n })).toMatchObject({
      dev: null,
      bundle: { bps: 1_000, heldBps: null },
      snipers: null,
    });
    expect(of(TRADES, { ...SPAN, upTo: 102n })).toMatchObject({ bundle: { bps: 1_000 }, snipers: null });
    expect(of(null)).toEqual(none);
  });
});

it('the gravest figure of a row is the largest that is known, the first among equals', () => {
  expect(worstOf({ devBps: 400, bundleBps: 3_100, snipersBps: null })).toEqual({
    kind: 'bundle',
    bps: 3_100,
  });
  expect(worstOf({ devBps: 0, bundleBps: 0, snipersBps: 0 })).toEqual({ kind: 'dev', bps: 0 });
  expect(worstOf({ devBps: null, bundleBps: null, snipersBps: null })).toBeNull();
});

it('a share is rounded up, and one that is even is left alone', () => {
  expect([
    shareBps(1n, SUPPLY),
    shareBps(100n, SUPPLY),
    shareBps(0n, SUPPLY),
    shareBps(101n, SUPPLY),
  ]).toEqual([1, 1, 0, 2]);
});
