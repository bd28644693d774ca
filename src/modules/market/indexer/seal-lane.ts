import { minBigint } from '@tradepost/solana';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import { type Sealable, sealMarkets } from '../use/seal-markets.ts';
import { skipLost } from '../use/skip-lost.ts';
import { SOURCE } from './follow-lane.ts';
import { type IndexerState, noteTrades, paceOf } from './indexer-state.ts';
import type { IndexerDeps, Lane } from './lane.ts';

const TOGETHER_MS = 4_000;
/** Where no trade waits for its seal, a look this often finds trades that the live lane missed. */
const QUIET_MS = 60_000;
const PACE = { busyMs: 20_000, idleMs: 300_000 };
/** A market that could not be sealed is tried again after this: the efforts of a broken one are dear. */
const AGAIN_MS = 30_000;

/** Truth: final transactions are proved and sealed, in one commit. */
export const sealLane: Lane = {
  name: 'seal',
  hearsWakes: false,
  round: async (deps, state) => {
    if (state.listedAt === null) return 500;
    const now = deps.clock.now();
    const at = markOf(deps.clock);
    if (state.unsealed === null && elapsedSince(state.sealRoundAt, deps.clock) < QUIET_MS) return TOGETHER_MS;
    const due = await dueOf(deps, state, now);
    if (due.length === 0) {
      state.sealRoundAt = at;
      return TOGETHER_MS;
    }
    const final = await deps.source.horizon('finalized');
    // Markets made after the lists were read are missing here: past that slot nothing is sealed for all of them.
    const horizon = deps.fromStart ? minBigint(final, state.listedAt) : final;
    const sealed = await sealMarkets(deps, await skipLost(deps, due), horizon, () => {
      const tip = deps.fromStart ? deps.source.tip() : null;
      // A stretch that was read further for another reason is not sealed for all.
      return tip === null || tip.slot > horizon
        ? null
        : { name: SOURCE, slot: tip.slot, blockHash: tip.hash };
    });
    const moved = new Set(sealed.movedMarketIds);
    for (const { market, cursor } of due) {
      const isStuck = !moved.has(market.id) && cursor.sealedSlot < horizon;
      state.sealedAt.set(market.id, { at, restMs: isStuck ? AGAIN_MS : 0 });
    }
    noteTrades(state, sealed.added);
    if (sealed.more) return 0;
    state.sealRoundAt = at;
    if (state.unsealed !== null && state.unsealed <= horizon) state.unsealed = null;
    return TOGETHER_MS;
  },
};

/** Faults wait for newer code (`ops market refault`); the others for their turn. */
async function dueOf(deps: IndexerDeps, state: IndexerState, now: number): Promise<readonly Sealable[]> {
  const [cursors, faults, all] = await Promise.all([
    deps.tape.cursors(),
    deps.tape.faults(),
    deps.markets.all(),
  ]);
  // As they are now: a gap that was marked in the last round is cleared by the read that fills it, or never.
  const current = new Map(all.map((market) => [market.id, market]));
  const byMarket = new Map(cursors.map((cursor) => [cursor.marketId, cursor]));
  for (const cursor of cursors) state.cursors.set(cursor.marketId, cursor);
  const waiting = new Set(faults.map(({ marketId }) => marketId));
  const isTogether = deps.source.reads === 'together';
  return state.markets.flatMap((known) => {
    const market = current.get(known.id) ?? known;
    const cursor = byMarket.get(market.id);
    const wait = isTogether ? 0 : paceOf(state, market.id, now, PACE);
    const last = state.sealedAt.get(market.id);
    const isDue = last === undefined || elapsedSince(last.at, deps.clock) >= wait + last.restMs;
    return cursor === undefined || waiting.has(market.id) || !isDue ? [] : [{ market, cursor }];
  });
}
