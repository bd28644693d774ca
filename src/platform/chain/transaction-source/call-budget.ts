/** Lets calls through at a rate. Those of the first rank go before those of the second, which get every fourth turn at least. */
export type CallBudget = {
  take(rank: 'live' | 'seal'): Promise<void>;
  /** The node asked for fewer calls: half the rate from now on, one a second at least, and the whole of it again a minute later. */
  ease(): void;
};

/** Part of the whole rate that comes back each second. */
const REGAIN = 1 / 60;

const SEAL_TURN = 4;

/** At most `perSecond` calls in any second, `perSecond` at once after a pause; null lets everything through. */
export function createCallBudget(
  perSecond: number | null,
  { now, sleep }: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
): CallBudget {
  if (perSecond === null) return { take: async () => undefined, ease: () => undefined };
  const waiting: Record<'live' | 'seal', (() => void)[]> = { live: [], seal: [] };
  let rate = perSecond;
  let tokens = perSecond;
  let filledAt = now();
  let turn = 0;
  let isRunning = false;

  const next = (): (() => void) | undefined => {
    turn += 1;
    const ranks = turn % SEAL_TURN === 0 ? (['seal', 'live'] as const) : (['live', 'seal'] as const);
    return waiting[ranks[0]].shift() ?? waiting[ranks[1]].shift();
  };
  const run = async (): Promise<void> => {
    while (waiting.live.length + waiting.seal.length > 0) {
      const at = now();
      const seconds = (at - filledAt) / 1_000;
      rate = Math.min(perSecond, rate + seconds * perSecond * REGAIN);
      tokens = Math.min(rate, tokens + seconds * rate);
      filledAt = at;
      if (tokens >= 1) {
        tokens -= 1;
        next()?.();
      } else await sleep(Math.ceil(((1 - tokens) / rate) * 1_000));
    }
    isRunning = false;
  };
  return {
    ease: () => {
      rate = Math.max(Math.min(1, perSecond), rate / 2);
      tokens = Math.min(tokens, 0);
    },
    take: (rank) =>
      new Promise((resolve, reject) => {
        waiting[rank].push(resolve);
        if (isRunning) return;
        isRunning = true;
        run().catch(reject);
      }),
  };
}
