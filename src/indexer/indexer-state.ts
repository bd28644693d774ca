import type { Market } from '../core/market/market.ts';
import type { Contender } from '../core/market/primary-market.ts';
import type { RecordedTrade } from '../core/market/trade.ts';

/** What the lanes of one process know of each other's work. Nothing in it must survive: cursors are in the tape. */
export type IndexerState = {
  /** Those that are followed and whose shard is this process's. */
  markets: readonly Market[];
  /** Slot at which the list of pools was known in full; null before the first look. */
  listedAt: bigint | null;
  /** Read at `confirmed` up to here, by market. */
  readonly liveSlots: Map<number, bigint>;
  /** Markets that something may have happened to. */
  readonly woken: Set<number>;
  /** Epoch milliseconds of each market's last trade and of its last reads. */
  readonly tradedAt: Map<number, number>;
  readonly readAt: Map<number, number>;
  readonly sealedAt: Map<number, number>;
  /** By pair: the market that may take over its name. */
  contenders: ReadonlyMap<string, Contender>;
};

export function createIndexerState(): IndexerState {
  return {
    markets: [],
    listedAt: null,
    liveSlots: new Map(),
    woken: new Set(),
    tradedAt: new Map(),
    readAt: new Map(),
    sealedAt: new Map(),
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
