export type Allowance = { readonly ratePerSecond: number; readonly burst: number };

/** The limits that a caller gets beside the answer. */
export type Verdict = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again, rounded up. */
  readonly resetSeconds: number;
  /** Whole seconds until one more request is allowed; 0 when it is. */
  readonly retrySeconds: number;
};

export type TokenBuckets = { take(key: string, allowance: Allowance): Verdict };

/**
 * Token buckets in this process's memory: `burst` at once, refilled at `ratePerSecond`; refused requests cost nothing. At
 * most `capacity` keys: a stream of made-up ones pushes out the longest unused, which are the fullest.
 */
export function createTokenBuckets(options: {
  /** Milliseconds of a clock that cannot be set. */
  readonly steadyMs: () => number;
  readonly capacity?: number;
}): TokenBuckets {
  const capacity = options.capacity ?? 100_000;
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return {
    take(key, { ratePerSecond, burst }) {
      const at = options.steadyMs();
      const known = buckets.get(key);
      const refilled =
        known === undefined
          ? burst
          : Math.min(burst, known.tokens + (Math.max(0, at - known.at) / 1_000) * ratePerSecond);
      // A hair of slack: refilling in doubles must not refuse a caller who waited exactly as long as the header said.
      const allowed = refilled >= 1 - 1e-9;
      const tokens = allowed ? Math.max(0, refilled - 1) : refilled;
      buckets.delete(key);
      buckets.set(key, { tokens, at });
      if (buckets.size > capacity) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      return {
        allowed,
        limit: burst,
        remaining: Math.floor(tokens + 1e-9),
        resetSeconds: Math.ceil((burst - tokens) / ratePerSecond),
        retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / ratePerSecond)),
      };
    },
  };
}
