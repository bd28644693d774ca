import { followMarkets } from '../../../services/market/follow-markets.ts';
import { ownerOf } from '../../../services/watch/shards.ts';
import type { IndexerDeps, Lane } from '../../lane.ts';

const ROUND_MS = 2_000;
/** An indexer that was silent for so long is taken for dead, and its markets move. */
const LIFE_MS = 10_000;
const SHARDS = 16;

/** Which markets there are, and which of them are this process's. */
export const followLane: Lane = {
  name: 'follow',
  hearsWakes: false,
  round: async (deps, state) => {
    const now = deps.clock.now();
    const owners = await deps.leases.beat({ owner: deps.owner, now, until: now + LIFE_MS });
    // Before the lists are read: what they lack was made after this slot.
    const listedAt = await deps.source.horizon('confirmed');
    await followMarkets(deps, await startOf(deps));
    const all = await deps.markets.all();
    state.markets = all.filter(({ id, followed }) => followed && ownerOf(id % SHARDS, owners) === deps.owner);
    state.listedAt = listedAt;
    return ROUND_MS;
  },
};

/**
 * The slot from which a market that is new to us is read. Where every pool is listed, one that was not there when the source
 * was sealed cannot have traded by then; elsewhere the tape of a market begins when it is taken up.
 */
async function startOf({ tape, source, fromStart }: IndexerDeps): Promise<bigint> {
  if (!fromStart) return source.horizon('finalized');
  const cursor = await tape.sourceCursor(SOURCE);
  return cursor?.slot ?? (await source.oldest()) - 1n;
}

/** All markets are listed and sealed up to the cursor of this name. */
export const SOURCE = 'all-markets';
