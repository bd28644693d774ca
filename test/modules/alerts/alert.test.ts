import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { type Alert, afterStep, directionTo, stepAlert } from '../../../src/modules/alerts/rules/alert.ts';
import { decodeAlertNotice, encodeAlertNotice } from '../../../src/modules/alerts/rules/alert-notice.ts';
import type { HoldWindow } from '../../../src/modules/orders/rules/hold-window.ts';

const HOUR = 3_600_000;
const ALERT: Alert = {
  id: 'a',
  userId: 'u',
  mint: 'm' as Address,
  unit: 'SOL',
  price: { got: 100n, given: 1n },
  direction: 'above',
  request: '+10%',
  repeats: false,
  status: 'OPEN',
  armed: true,
  told: 0,
  restsUntil: null,
  version: 1,
  placeKey: 'k',
  expiresAt: 30 * 24 * HOUR,
  createdAt: 0,
};

/** Prices as they are looked at, one each 400 ms; null = not known. The moments at which it was told. */
function tellings(alert: Alert, prices: readonly (number | null)[], stepMs = 400): readonly number[] {
  const told: number[] = [];
  let row = alert;
  let window: HoldWindow | null = null;
  for (const [look, price] of prices.entries()) {
    const at = look * stepMs;
    const rate = price === null ? null : { got: BigInt(price), given: 1n };
    const step = stepAlert(row, window, { slot: BigInt(look), at, rate });
    window = step.window;
    if (step.does !== null) row = afterStep(row, step.does, at);
    if (step.does === 'tell') told.push(look);
  }
  return told;
}

describe('an alert', () => {
  it('is told once when its price was crossed and held for two slots', () => {
    expect(tellings(ALERT, [90, 95, 100, 101, 102, 103, 90, 90, 90, 110, 110, 110])).toEqual([4]);
    const below = { ...ALERT, direction: 'below' } as const;
    expect(tellings(below, [110, 100, 99, 98, 97])).toEqual([3]);
  });

  it('is not told of one odd price, nor of a time that nobody saw', () => {
    expect(tellings(ALERT, [90, 100, 90, 100, 101, 99, 120, 90])).toEqual([]);
    expect(tellings(ALERT, [90, 100, null, 100, null, 100, 100])).toEqual([]);
    // Looks eleven seconds apart know nothing of what was between them.
    expect(tellings(ALERT, [90, 100, 100, 100, 100], 11_000)).toEqual([]);
  });

  it('that is past already waits until the price was on the other side', () => {
    const late = { ...ALERT, armed: false };
    expect(tellings(late, [120, 120, 120, 120, 120, 120])).toEqual([]);
    expect(tellings(late, [120, 90, 120, 120, 120, 120])).toEqual([]);
    expect(tellings(late, [120, 90, 90, 90, 120, 120, 120])).toEqual([6]);
  });

  it('that repeats rests for an hour, and only a new crossing is told', () => {
    const every = { ...ALERT, repeats: true };
    expect(tellings(every, [90, 100, 100, 100, 90, 90, 90, 100, 100, 100])).toEqual([3]);
    const hourLong = Array.from({ length: 9_010 }, () => 90);
    expect(tellings(every, [90, 100, 100, 100, ...hourLong, 100, 100, 100])).toEqual([3, 9_016]);
    const stays = Array.from({ length: 9_100 }, () => 100);
    expect(tellings(every, [90, ...stays])).toEqual([3]);
  });

  it('is silent once it is over', () => {
    for (const status of ['TOLD', 'REMOVED', 'EXPIRED'] as const) {
      expect(tellings({ ...ALERT, status }, [90, 100, 100, 100, 100])).toEqual([]);
    }
    expect(tellings({ ...ALERT, expiresAt: 1_200 }, [90, 100, 100, 100, 100])).toEqual([]);
  });

  it('faces the side from which its price would be crossed', () => {
    expect(directionTo({ got: 11n, given: 1n }, { got: 10n, given: 1n })).toBe('above');
    expect(directionTo({ got: 9n, given: 1n }, { got: 10n, given: 1n })).toBe('below');
  });

  it('is told with a price that its notice can hold', () => {
    const seen = { got: 123n * 10n ** 50n, given: 10n ** 52n };
    const notice = decodeAlertNotice(encodeAlertNotice({ alertId: 'a', n: 1, seen }));
    expect(notice).toMatchObject({ alertId: 'a', n: 1 });
    expect(notice.seen.got * seen.given).toBe(seen.got * notice.seen.given);
  });
});
