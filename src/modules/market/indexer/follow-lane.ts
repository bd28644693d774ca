import type { MarketKeys } from '@tradepost/tape';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import { ownerOf } from '../../../engine/watch/use/shards.ts';
import { followMarkets, type Starts, startForgotten } from '../use/follow-markets.ts';
import type { IndexerDeps, Lane } from './lane.ts';

/** Where every pool is listed a list costs nothing; elsewhere each venue is asked for the markets that people requested. */
const LISTED_MS = 2_000;
const ASKED_MS = 5_000;
/** An indexer that was silent for so long is taken for dead, and its markets move. */
const LIFE_MS = 25_000;
const BEAT_MS = 10_000;
/** Changes by other processes and by an operator are seen within this time. */
const KNOWN_MS = 30_000;
const SHARDS = 16;

/** Which markets there are, and which of them are this process's. */
export const followLane: Lane = {
  name: 'follow',
  hearsWakes: false,
  round: async (deps, state) => {
    const now = deps.clock.now();
    if (elapsedSince(state.beatAt, deps.clock) >= BEAT_MS) {
      state.owners = await deps.leases.beat({ owner: deps.owner, now, until: now + LIFE_MS });
      state.beatAt = markOf(deps.clock);
    }
    // Before the lists are read: a market that they lack was made after this slot.
    const listedAt = await deps.source.horizon('confirmed');
    const isOld = elapsedSince(state.knownAt, deps.clock) >= KNOWN_MS;
    const known = isOld ? await deps.markets.all() : state.known;
    if (isOld) await startForgotten(deps, known);
    const added = await followMarkets(deps, known, (markets) => startsOf(deps, markets));
    if (isOld || added > 0) {
      state.known = added > 0 ? await deps.markets.all() : known;
      state.knownAt = markOf(deps.clock);
    }
    state.markets = state.known.filter(
      ({ id, followed }) => followed && ownerOf(id % SHARDS, state.owners) === deps.owner,
    );
    state.listedAt = listedAt;
    return deps.fromStart ? LISTED_MS : ASKED_MS;
  },
};

/**
 * The places from which new markets are read. Where every pool is listed, one that was not there when the source was sealed cannot have
 * traded by then. Elsewhere the tape of a market begins when it is taken up, with the balances of its vaults.
 */
async function startsOf(
  { tape, source, fromStart }: IndexerDeps,
  markets: readonly MarketKeys[],
): ReturnType<Starts> {
  if (fromStart) {
    const cursor = await tape.sourceCursor(SOURCE);
    const slot = cursor?.slot ?? (await source.oldest()) - 1n;
    return markets.map(() => ({ slot, post: null }));
  }
  const held = await source.held(markets);
  if (held !== null) return held.map(({ slot, base, quote }) => ({ slot, post: { base, quote } }));
  const slot = await source.horizon('finalized');
  return markets.map(() => ({ slot, post: null }));
}

/** All markets are listed and sealed up to the cursor of this name. */
export const SOURCE = 'all-markets';
