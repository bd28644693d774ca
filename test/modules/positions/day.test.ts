import type { Address } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { DAY_MS, dayStart, todaysResult } from '../../../src/modules/positions/rules/day.ts';
import { foldEvents } from '../../../src/modules/positions/rules/fold-events.ts';
import type { PositionEvent } from '../../../src/modules/positions/rules/position.ts';

const mint = 'So11111111111111111111111111111111111111112' as Address;
const event = (slot: number, at: number) => ({
  walletId: 'main',
  mint,
  signature: `sig${slot}`,
  slot: BigInt(slot),
  at,
  final: true,
});

it('cuts days at midnight UTC', () => {
  expect(dayStart(DAY_MS * 3)).toBe(DAY_MS * 3);
  expect(dayStart(DAY_MS * 4 - 1)).toBe(DAY_MS * 3);
});

it('adds up what was realized and by how much the value grew beyond what was put in', () => {
  const events: PositionEvent[] = [
    { ...event(1, DAY_MS - 1), kind: 'buy', units: 10n, flowLamports: -100n },
    { ...event(2, DAY_MS), kind: 'sell', units: 5n, flowLamports: 80n },
    { ...event(3, DAY_MS + 1), kind: 'buy', units: 5n, flowLamports: -60n },
    { ...event(4, DAY_MS + 2), walletId: 'other', kind: 'airdrop', units: 5n },
  ];
  const result = (midnight: { day: number; units: bigint; lamports: bigint } | null, now: bigint | null) =>
    todaysResult({
      walletId: 'main',
      day: DAY_MS,
      events,
      positions: [...foldEvents(events).positions.values()].map((position) => ({
        ...position,
        stale: false,
        hiddenByPerson: null,
        odd: null,
        midnight,
      })),
      worthNow: new Map([[mint, now]]),
    });
  const midnight = { day: DAY_MS, units: 10n, lamports: 100n };
  // 100 at midnight, 120 now: sold for 80, bought for 60 since. So 120 + 80 − 60 − 100.
  expect(result(midnight, 120n)).toBe(40n);
  // Half of what is known to have been held by now was known at midnight.
  expect(result({ ...midnight, units: 5n, lamports: 50n }, 120n)).toBe(40n);
  expect(result(null, 120n)).toBeNull();
  expect(result({ ...midnight, day: 0 }, 120n)).toBeNull();
  expect(result(midnight, null)).toBeNull();
});
