import { beforeEach, expect, it } from 'vitest';
import type { ApiLimiter } from '../../src/platform/ports/api-limiter.ts';

const NOON = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

/** The rules of the limiter. `make` gives several processes' limiters over one count. */
export function describeApiLimiter(make: () => Promise<readonly [ApiLimiter, ApiLimiter]>): void {
  let one: ApiLimiter;
  let other: ApiLimiter;
  let account = '';
  let serial = 0;
  beforeEach(async () => {
    [one, other] = await make();
    serial += 1;
    account = `account ${process.pid} ${serial}`;
  });

  it('grants a burst and then the rate, over all processes', async () => {
    const allowance = { ratePerSecond: 2, burst: 4, dayQuota: null };
    const takes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).take(account, allowance, NOON)),
    );
    expect(takes.filter(({ refusedBy }) => refusedBy === null)).toHaveLength(4);
    expect(takes.filter(({ refusedBy }) => refusedBy === 'rate')).toHaveLength(16);
    expect((await one.take(account, allowance, NOON + 499)).refusedBy).toBe('rate');
    expect((await one.take(account, allowance, NOON + 500)).refusedBy).toBeNull();
    expect((await other.take(account, allowance, NOON + 500)).refusedBy).toBe('rate');
    // A clock that goes back refills nothing, and takes nothing away.
    expect((await other.take(account, allowance, NOON - 60_000)).refusedBy).toBe('rate');
    const rested = await one.take(account, allowance, NOON + 60_000);
    expect([rested.refusedBy, Math.round(rested.tokens)]).toEqual([null, 3]);
  });

  it('counts the day, and begins anew at midnight UTC', async () => {
    const allowance = { ratePerSecond: 100, burst: 100, dayQuota: 3 };
    for (let n = 1; n <= 3; n += 1) {
      expect(await one.take(account, allowance, NOON)).toMatchObject({ refusedBy: null, usedToday: n });
    }
    const refused = await other.take(account, allowance, NOON + 1_000);
    expect(refused).toMatchObject({ refusedBy: 'quota', usedToday: 3 });
    // A refusal costs nothing of either.
    expect(refused.tokens).toBe(100);
    const midnight = Date.UTC(2026, 1, 1);
    expect((await one.take(account, allowance, midnight - 1)).refusedBy).toBe('quota');
    expect(await one.take(account, allowance, midnight)).toMatchObject({ refusedBy: null, usedToday: 1 });
    // A process whose clock is behind does not get yesterday's back.
    await one.take(account, allowance, midnight);
    await one.take(account, allowance, midnight);
    expect((await other.take(account, allowance, midnight - 1)).refusedBy).toBe('quota');
  });

  it('keeps accounts apart', async () => {
    const allowance = { ratePerSecond: 1, burst: 1, dayQuota: 1 };
    await one.take(account, allowance, NOON);
    expect((await one.take(`${account} b`, allowance, NOON)).refusedBy).toBeNull();
    expect((await one.take(account, allowance, NOON + DAY_MS)).refusedBy).toBeNull();
  });
}
