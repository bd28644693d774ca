import { slotOfTrade } from '@tradepost/tape';
import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import { readLive } from '../use/read-live.ts';
import { noteTrades, paceOf } from './indexer-state.ts';
import type { Lane } from './lane.ts';

const PACE = { busyMs: 30_000, idleMs: 300_000 };
const ROUND_MS = 1_000;
/** Where a node did not answer for a market, or not with the transaction of a notice: the node is left alone for a moment. */
const AGAIN_MS = 2_000;

/** Freshness: confirmed trades are in the tape at once, not sealed. */
export const liveLane: Lane = {
  name: 'live',
  hearsWakes: true,
  round: async (deps, state) => {
    const now = deps.clock.now();
    const at = markOf(deps.clock);
    const due = state.markets.filter(
      ({ id }) =>
        state.woken.has(id) ||
        elapsedSince(state.readAt.get(id) ?? NEVER, deps.clock) >= paceOf(state, id, now, PACE),
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
      const read = maxSlot(cursor.liveSlot, state.liveSlots.get(market.id) ?? 0n);
      const missing = state.named.missingFrom(market.id, cursor.sealedSlot);
      const liveSlot = missing !== null && missing <= read ? missing - 1n : read;
      return [{ market, cursor: { ...cursor, liveSlot } }];
    });
    const { upTo, signatures, added } = await readLive(deps, wanted).catch((error: unknown) => {
      for (const { market } of wanted) state.woken.add(market.id);
      throw error;
    });
    for (const [id, brought] of signatures) {
      state.liveSlots.set(id, upTo);
      state.readAt.set(id, at);
      state.named.brought(id, brought);
    }
    const unread = wanted.filter(
      ({ market, cursor }) =>
        !signatures.has(market.id) || state.named.missingFrom(market.id, cursor.sealedSlot) !== null,
    );
    for (const { market } of unread) state.woken.add(market.id);
    noteTrades(state, added);
    for (const { id } of added) state.unsealed = maxSlot(state.unsealed, slotOfTrade(id));
    return unread.length > 0 ? AGAIN_MS : ROUND_MS;
  },
};

const maxSlot = (a: bigint | null, b: bigint): bigint => (a === null || a < b ? b : a);
