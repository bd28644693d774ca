import { expect, it } from 'vitest';
import type { Address } from '../../../src/core/address/address.ts';
import { DAY_MS, dayStart, daysOf, todaysResult } from '../../../src/core/positions/day.ts';
import { foldEvents } from '../../../src/core/positions/fold-events.ts';
import type { PositionEvent } from '../../../src/core/positions/position.ts';

const event = (slot: number, at: number) => ({
  walletId: 'main',
  mint: 'So11111111111111111111111111111111111111112' as Address,
  signature: `sig${slot}`,
  slot: BigInt(slot),
  at,
  final: true,
});

it('cuts days at midnight UTC', () => {
  expect(dayStart(DAY_MS * 3)).toBe(DAY_MS * 3);
  expect(dayStart(DAY_MS * 4 - 1)).toBe(DAY_MS * 3);
});

it('adds up what was realized and what was put in, day by day', () => {
  const events: PositionEvent[] = [
    { ...event(1, DAY_MS - 1), kind: 'buy', units: 10n, flowLamports: -100n },
    { ...event(2, DAY_MS), kind: 'sell', units: 5n, flowLamports: 80n },
    { ...event(3, DAY_MS + 1), kind: 'buy', units: 5n, flowLamports: -60n },
    { ...event(4, DAY_MS + 2), walletId: 'other', kind: 'airdrop', units: 5n },
  ];
  const days = daysOf(foldEvents(events).entries);
  expect(days).toEqual(
    new Map([
      [0, { realized: 0n, netDeposits: 100n }],
      [DAY_MS, { realized: 30n, netDeposits: 10n }],
    ]),
  );
  // 100 at midnight, 120 now: sold for 80, bought for 60 since. So 120 + 80 − 60 − 100.
  const today = days.get(DAY_MS);
  if (today === undefined) throw new Error('no day');
  expect(todaysResult(today, { atMidnight: 100n, now: 120n })).toBe(40n);
  expect(todaysResult(today, { atMidnight: null, now: 120n })).toBeNull();
});
