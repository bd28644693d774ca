import type { Market } from '../core/market/market.ts';
import type { Contender } from '../core/market/primary-market.ts';
import type { RecordedTrade } from '../core/market/trade.ts';
import type { MarketCursor } from '../core/ports/tape-store.ts';

/** What the lanes of one process know of each other's work. Nothing in it must survive: cursors are in the tape. */
export type IndexerState = {
  /** Those that are followed and whose shard is this process's. */
  markets: readonly Market[];
  /** Slot at which the list of pools was known in full; null before the first look. */
  listedAt: bigint | null;
  /** Every market, as last read. */
  known: readonly Market[];
  /** The indexers that are alive, this one among them. */
  owners: readonly string[];
  /** When the list of markets was last read from the database, and this process last told the others that it is there. */
  knownAt: number;
  beatAt: number;
  /** As the last reader of cursors found them: the live lane goes on from them, whose repetitions change nothing. */
  readonly cursors: Map<number, MarketCursor>;
  /** Slot of the newest trade that is not sealed yet, and when the seal lane last looked. */
  unsealed: bigint | null;
  sealRoundAt: number;
  /** Read at `confirmed` up to here, by market. */
  readonly liveSlots: Map<number, bigint>;
  /** Markets that something may have happened to. */
  readonly woken: Set<number>;
  /** Epoch milliseconds of each market's last trade and of its last reads. */
  readonly tradedAt: Map<number, number>;
  readonly readAt: Map<number, number>;
  readonly sealedAt: Map<number, number>;
  /** Epoch milliseconds of the last look at each market's pool. */
  readonly lookedAt: Map<number, number>;
  /** By pair: the market that may take over its name. */
  contenders: ReadonlyMap<string, Contender>;
};

export function createIndexerState(): IndexerState {
  return {
    markets: [],
    listedAt: null,
    known: [],
    owners: [],
    knownAt: 0,
    beatAt: 0,
    cursors: new Map(),
    unsealed: null,
    sealRoundAt: 0,
    liveSlots: new Map(),
    woken: new Set(),
    tradedAt: new Map(),
    readAt: new Map(),
    sealedAt: new Map(),
    lookedAt: new Map(),
    contenders: new Map(),
  };
}

const HOUR_MS = 3_600_000;

/** How long a market may wait for its next look: one that trades is looked at often. */
export function paceOf(
  { tradedAt }: Pick<IndexerState, 'tradedAt'>,
  marketId: number,
  now: number,
  pace: { readonly busyMs: number; readonly idleMs: number },
): number {
  const last = tradedAt.get(marketId);
  return last !== undefined && now - last < HOUR_MS ? pace.busyMs : pace.idleMs;
}

export function noteTrades(state: Pick<IndexerState, 'tradedAt'>, trades: readonly RecordedTrade[]): void {
  for (const { marketId, at } of trades)
    state.tradedAt.set(marketId, Math.max(state.tradedAt.get(marketId) ?? 0, at * 1_000));
}
