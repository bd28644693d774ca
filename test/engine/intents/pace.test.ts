import { describe, expect, it } from 'vitest';
import { isRebroadcastDue, observePause, PACE } from '../../../src/engine/intents/rules/pace.ts';
import { buildAttempt, NOW } from './build.ts';

describe('the pace of watching', () => {
  it.each([
    [0, 150],
    [2_999, 150],
    [3_000, 400],
    [14_999, 400],
    [15_000, 1_000],
    [59_999, 1_000],
    [60_000, 2_000],
    [86_400_000, 2_000],
  ])('looks at an attempt of %i ms again after %i ms', (age, pause) => {
    expect(observePause(buildAttempt({ status: 'SEEN' }), NOW + age)).toBe(pause);
  });

  it('has its own pause once a result is confirmed, and falls back where its table ends', () => {
    expect(observePause(buildAttempt({ status: 'CONFIRMED' }), NOW)).toBe(500);
    expect(observePause(buildAttempt(), NOW + 10, { ...PACE, observe: [[10, 1]], retryMs: 77 })).toBe(77);
  });

  it('sends the same bytes again two seconds after the last time, at once when never sent', () => {
    expect(isRebroadcastDue(buildAttempt({ lastSentAt: null }), NOW)).toBe(true);
    expect(isRebroadcastDue(buildAttempt({ lastSentAt: NOW }), NOW + 1_999)).toBe(false);
    expect(isRebroadcastDue(buildAttempt({ lastSentAt: NOW }), NOW + 2_000)).toBe(true);
  });

  it('doubts an attempt before its bytes can have expired, and waits longer for a final receipt than for a first one', () => {
    expect(PACE.probeAfterMs).toBe(15_000);
    expect(PACE.retryMs).toBe(1_000);
    expect(PACE.receiptPatienceMs).toEqual({ confirmed: 15_000, finalized: 600_000 });
  });
});
