import { type Address, maxBigint } from '@tradepost/solana';
import { hasCome } from '../../../core/time/span.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory, HistoryEntry } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import { type CreatorMove, creatorMoves } from '../rules/creator-moves.ts';
import type { OrderFeedStore } from '../store/order-feed-store-port.ts';

/** Between two looks at one creator. A transfer counts when it is final, so an earlier look would find little. */
const LOOK_MS = 4_000;
/** Creators of one look, and transactions that are read of each. */
const CREATORS = 5;
const READS = 20;
const FIRST_PAGE = 50;
const PAGE = 1_000;
const PAGES = 10;
/** A node may list a transaction a moment after its slot is final: so many slots are listed again. */
const OVERLAP = 64n;

export type CreatorReadDeps = {
  /** Final transactions alone: no fork takes one back. */
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly chain: Pick<Chain, 'landed'>;
  readonly orderFeed: Pick<OrderFeedStore, 'creatorPlace' | 'saveCreatorRead'>;
  readonly clock: Clock;
};

export type CreatorReader = {
  /**
   * Reads the transfers of these creators since their slots, and keeps them: the five that waited longest, each at most once in four seconds.
   * Creators that are not named are forgotten. Throws CHAIN_UNREACHABLE, DATABASE_UNREACHABLE; the next call reads on.
   */
  read(waiting: ReadonlyMap<Address, bigint>): Promise<void>;
};

/** Where the reading of a creator is: whole from one slot up to another. */
type Place = { readonly after: bigint; readonly slot: bigint };
type Known = { dueAt: number; place: Place | null; readonly read: Map<string, bigint> };

/**
 * A reader of creators' transfers. Of more than ten thousand transactions since the last look the oldest are left out: an attacker would have
 * to pay for each.
 */
export function createCreatorReader(deps: CreatorReadDeps): CreatorReader {
  const known = new Map<Address, Known>();
  return {
    read: async (waiting) => {
      for (const creator of known.keys()) if (!waiting.has(creator)) known.delete(creator);
      const now = deps.clock.now();
      const due = [...waiting]
        .map(([creator, since]) => ({ creator, since, dueAt: known.get(creator)?.dueAt ?? 0 }))
        .filter(({ dueAt }) => hasCome(dueAt, now))
        .toSorted((a, b) => a.dueAt - b.dueAt);
      for (const { creator, since } of due.slice(0, CREATORS)) {
        const one = known.get(creator) ?? { dueAt: 0, place: null, read: new Map() };
        known.set(creator, one);
        one.dueAt = now + LOOK_MS;
        await readOne(deps, creator, since, one);
      }
    },
  };
}

async function readOne(deps: CreatorReadDeps, creator: Address, since: bigint, one: Known): Promise<void> {
  const kept = one.place ?? (await deps.orderFeed.creatorPlace(creator));
  // An order of before the first reading begins it anew; a time in which no order waited is left out.
  const place =
    kept === null || since < kept.after || kept.slot < since ? { after: since, slot: since } : kept;
  if (place !== kept) one.read.clear();
  const floor = maxBigint(place.after, place.slot - OVERLAP);
  const listed = await entriesAfter(deps, creator, floor);
  const unread = listed.filter(({ signature, err }) => err === null && !one.read.has(signature));
  const moves: CreatorMove[] = [];
  let next: HistoryEntry | undefined = unread[READS];
  for (const entry of unread.slice(0, READS)) {
    const landed = await deps.chain.landed(entry.signature);
    if (landed === null) {
      next = entry;
      break;
    }
    one.read.set(entry.signature, entry.slot);
    moves.push(...creatorMoves(creator, landed));
  }
  const upTo = next === undefined ? (listed.at(-1)?.slot ?? place.slot) : next.slot - 1n;
  const slot = maxBigint(place.slot, upTo);
  if (place !== kept || slot > place.slot || moves.length > 0)
    await deps.orderFeed.saveCreatorRead({ creator, after: place.after, slot, moves, at: deps.clock.now() });
  one.place = { after: place.after, slot };
  for (const [signature, at] of one.read) if (at <= slot - OVERLAP) one.read.delete(signature);
}

/** Final transactions that name the creator after a slot, oldest first. */
async function entriesAfter(
  { history }: CreatorReadDeps,
  creator: Address,
  floor: bigint,
): Promise<readonly HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  for (let page = 0, before: string | null = null; page < PAGES; page += 1) {
    const limit = page === 0 ? FIRST_PAGE : PAGE;
    const entries: readonly HistoryEntry[] = await history.signatures(creator, { before, limit });
    found.push(...entries.filter(({ slot }) => slot > floor));
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit || last.slot <= floor) break;
    before = last.signature;
  }
  return found.toReversed();
}
