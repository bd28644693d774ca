import { slotOfTrade } from '../../../core/market/trade-id.ts';
import { readLive } from '../../../services/market/read-live.ts';
import { noteTrades, paceOf } from '../../indexer-state.ts';
import type { Lane } from '../../lane.ts';

const PACE = { busyMs: 30_000, idleMs: 300_000 };
const ROUND_MS = 1_000;

/** Freshness: what is confirmed stands in the tape at once, not sealed. */
export const liveLane: Lane = {
  name: 'live',
  hearsWakes: true,
  round: async (deps, state) => {
    const now = deps.clock.now();
    const due = state.markets.filter(
      ({ id }) => state.woken.has(id) || now - (state.readAt.get(id) ?? 0) >= paceOf(state, id, now, PACE),
    );
    if (due.length === 0) return ROUND_MS;
    // A notice that comes while they are read counts for the next round.
    for (const { id } of due) state.woken.delete(id);
    // A notice comes with every slot of the local chain: nothing is asked of the database while nothing trades.
    if (due.some(({ id }) => !state.cursors.has(id)))
      for (const cursor of await deps.tape.cursors()) state.cursors.set(cursor.marketId, cursor);
    const wanted = due.flatMap((market) => {
      const cursor = state.cursors.get(market.id);
      if (cursor === undefined) return [];
      const read = state.liveSlots.get(market.id) ?? 0n;
      return [{ market, cursor: read > cursor.liveSlot ? { ...cursor, liveSlot: read } : cursor }];
    });
    const { upTo, readIds, added } = await readLive(deps, wanted);
    for (const id of readIds) {
      state.liveSlots.set(id, upTo);
      state.readAt.set(id, now);
    }
    noteTrades(state, added);
    for (const { id } of added) state.unsealed = maxSlot(state.unsealed, slotOfTrade(id));
    return ROUND_MS;
  },
};

const maxSlot = (a: bigint | null, b: bigint): bigint => (a === null || a < b ? b : a);
