import type { ApiLimiter } from '../../../src/platform/ports/api-limiter.ts';

type Counted = { readonly tokens: number; readonly at: number; readonly day: number; readonly used: number };

const DAY_MS = 86_400_000;

/** Limits in memory, by the rules of the statement in Postgres. */
export function fakeApiLimiter(): ApiLimiter {
  const accounts = new Map<string, Counted>();
  return {
    take: async (account, { ratePerSecond, burst, dayQuota }, now) => {
      const today = Math.floor(now / DAY_MS);
      const known = accounts.get(account) ?? { tokens: burst, at: now, day: today, used: 0 };
      const refilled = Math.min(burst, known.tokens + (Math.max(0, now - known.at) / 1_000) * ratePerSecond);
      const used = known.day >= today ? known.used : 0;
      const refusedBy = refilled < 1 - 1e-9 ? 'rate' : dayQuota !== null && used >= dayQuota ? 'quota' : null;
      const tokens = refusedBy === null ? Math.max(0, refilled - 1) : refilled;
      const usedToday = refusedBy === null ? used + 1 : used;
      accounts.set(account, {
        tokens,
        at: Math.max(known.at, now),
        day: Math.max(known.day, today),
        used: usedToday,
      });
      return { refusedBy, tokens, usedToday };
    },
  };
}
