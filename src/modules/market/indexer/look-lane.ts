import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import { lookAtMarkets } from '../use/look-at-markets.ts';
import { paceOf } from './indexer-state.ts';
import type { Lane } from './lane.ts';

const ROUND_MS = 3_000;
const TOGETHER_PACE = { busyMs: 15_000, idleMs: 30_000 };
/** Where each look costs calls to a node, a quiet market's price is shown as stale between two looks. */
const APART_PACE = { busyMs: 30_000, idleMs: 300_000 };
/** Some 100 accounts are one call. */
const AT_ONCE = { together: 1_000, apart: 20 };

/** The current worth of pools: dollar prices come from their states, not from the last trade in each. */
export const lookLane: Lane = {
  name: 'look',
  hearsWakes: false,
  round: async (deps, state) => {
    const now = deps.clock.now();
    const at = markOf(deps.clock);
    const pace = deps.source.reads === 'together' ? TOGETHER_PACE : APART_PACE;
    const hubs = new Set(deps.quoteMints);
    const due = state.markets.filter(({ id, baseMint, quoteMint }) => {
      const isHub = hubs.has(baseMint) && hubs.has(quoteMint);
      return (
        elapsedSince(state.lookedAt.get(id) ?? NEVER, deps.clock) >=
        (isHub ? pace.busyMs : paceOf(state, id, now, pace))
      );
    });
    const next = due
      .toSorted(
        (a, b) => (state.lookedAt.get(a.id)?.steadyMs ?? 0) - (state.lookedAt.get(b.id)?.steadyMs ?? 0),
      )
      .slice(0, AT_ONCE[deps.source.reads]);
    if (next.length === 0) return ROUND_MS;
    // Also when a venue is away: the others are not to wait behind it.
    for (const { id } of next) state.lookedAt.set(id, at);
    await lookAtMarkets(deps, next);
    return ROUND_MS;
  },
};
