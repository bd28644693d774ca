import { type Address, minBigint } from '@tradepost/solana';
import { isAppError } from '../../../core/errors/app-error.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { PoolChanges, PoolFeed, PoolsOfToken } from '../../../platform/ports/pool-feed.ts';
import type { FoundPools } from '../../market/use/load-pools.ts';

/** How often a token is looked at, by how near its nearest trigger is. While a window is open, each slot counts. */
const PERIODS: readonly (readonly [nearBps: number, periodMs: number])[] = [
  [0, 200],
  [200, 400],
  [1_000, 1_000],
];
const FAR_MS = 5_000;
/** The least time between looks at a far token whose pools change in each slot. A nearer one is looked at in each of those slots. */
const FAR_CHANGED_MS = 1_000;
const TICK_MS = 50;

export type PollDeps = {
  /** The pools of a token against SOL as they are now. */
  readonly load: (mint: Address) => Promise<FoundPools>;
  readonly clock: Clock;
  /** Looks per second at most; the nearest orders come first, and the others wait longer. */
  readonly perSecond: number;
  /** Absent: no pool is followed, and looks come by their periods alone. */
  readonly changes?: PoolChanges;
  readonly onProblem: (mint: Address, error: unknown) => void;
};

type Watched = {
  near: number;
  lastAt: number;
  busy: boolean;
  /** The pools of the last look. */
  pools: readonly Address[];
  /** Whether one of them changed since that look began. */
  isChanged: boolean;
};

/** The period of a token, as `PERIODS` says. */
export function periodOf(nearBps: number): number {
  return PERIODS.find(([most]) => nearBps <= most)?.[1] ?? FAR_MS;
}

/**
 * Pools by looking at them: the nearest trigger most often, under a budget of looks. Where the chain's adapter follows accounts
 * by subscription a look costs no request, for a pool that is looked at so often is followed.
 */
export function createPollFeed(deps: PollDeps): PoolFeed {
  const watched = new Map<Address, Watched>();
  const running = new Set<Promise<void>>();
  let tell: (told: PoolsOfToken) => void = () => undefined;
  let timer: NodeJS.Timeout | null = null;
  const steadyMs = steadyOf(deps.clock);
  const mayLook = createBudget(deps.perSecond, steadyMs());

  const look = async (mint: Address, one: Watched): Promise<void> => {
    one.busy = true;
    one.lastAt = steadyMs();
    one.isChanged = false;
    try {
      const { pools } = await deps.load(mint);
      one.pools = pools.map(({ id }) => id);
      const [first] = pools;
      if (first === undefined || watched.get(mint) !== one) return;
      const slot = pools.reduce((oldest, pool) => minBigint(oldest, pool.slot), first.slot);
      tell({ mint, pools, slot, at: deps.clock.now(), how: 'polled' });
    } catch (error) {
      if (!isAppError(error)) deps.onProblem(mint, error);
    } finally {
      one.busy = false;
    }
  };

  const tick = (): void => {
    const at = steadyMs();
    for (const [mint, one] of dueAt(watched, at)) {
      if (!mayLook(at)) return;
      const mine = look(mint, one).finally(() => running.delete(mine));
      running.add(mine);
    }
  };

  deps.changes?.onChange((changed) => {
    for (const one of watched.values()) one.isChanged ||= one.pools.some((pool) => changed.has(pool));
    tick();
  });

  return {
    watch: (wanted) => {
      watchOnly(watched, wanted);
      if (watched.size === 0 && timer !== null) {
        clearInterval(timer);
        timer = null;
      }
      if (watched.size > 0) timer ??= setInterval(tick, TICK_MS).unref();
    },
    onPools: (listener) => {
      tell = listener;
    },
    stop: async () => {
      watched.clear();
      if (timer !== null) clearInterval(timer);
      timer = null;
      await Promise.all(running);
    },
  };
}

/** Counts one look where the budget of a second still allows it, and says whether it does. */
function createBudget(perSecond: number, since: number): (at: number) => boolean {
  let left = perSecond;
  let filledAt = since;
  return (at) => {
    left = Math.min(perSecond, left + ((at - filledAt) * perSecond) / 1_000);
    filledAt = at;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** Watches the wanted pools and no others; a pool from before keeps the time of its last check. */
function watchOnly(watched: Map<Address, Watched>, wanted: ReadonlyMap<Address, number>): void {
  for (const mint of watched.keys()) if (!wanted.has(mint)) watched.delete(mint);
  for (const [mint, near] of wanted) {
    const known = watched.get(mint);
    if (known === undefined)
      watched.set(mint, { near, lastAt: Number.NEGATIVE_INFINITY, busy: false, pools: [], isChanged: false });
    else known.near = near;
  }
}

function waitOf({ near, isChanged }: Watched): number {
  const period = periodOf(near);
  if (!isChanged) return period;
  return period === FAR_MS ? FAR_CHANGED_MS : 0;
}

/** The orders to check: the nearest first, and of two as near the one that waited longer. */
function dueAt(watched: ReadonlyMap<Address, Watched>, at: number): readonly (readonly [Address, Watched])[] {
  return [...watched]
    .filter(([, one]) => !one.busy && at - one.lastAt >= waitOf(one))
    .toSorted(([, a], [, b]) => a.near - b.near || a.lastAt - b.lastAt);
}
