import type { RecordedTrade } from '@tradepost/tape';
import { isYoung } from '../../../core/time/age.ts';
import { NEVER } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { MarketCursor } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../rules/market.ts';
import type { Contender } from '../rules/primary-market.ts';
import { createNamedTransactions, type NamedTransactions } from './named-transactions.ts';

/** The knowledge that the lanes of one process share. Nothing in it must survive: cursors are in the tape. */
export type IndexerState = {
  /** Those that are followed and whose shard is this process's. */
  markets: readonly Market[];
  /** Slot at which the list of pools was known in full; null before the first look. */
  listedAt: bigint | null;
  /** Every market, as last read. */
  known: readonly Market[];
  /** The indexers that are alive, this one among them. */
  owners: readonly string[];
  /** When the list of markets was last read from the database, and when this process last announced itself to the others. */
  knownAt: Mark;
  beatAt: Mark;
  /** As the last reader of cursors found them: the live lane goes on from them, whose repetitions change nothing. */
  readonly cursors: Map<number, MarketCursor>;
  /** Slot of the newest trade that is not sealed yet, and when the seal lane last looked. */
  unsealed: bigint | null;
  sealRoundAt: Mark;
  /** Read at `confirmed` up to here, by market. */
  readonly liveSlots: Map<number, bigint>;
  /** Markets that something may have happened to. */
  readonly woken: Set<number>;
  /** Transactions that notices named. */
  readonly named: NamedTransactions;
  /** Epoch milliseconds of each market's last trade. */
  readonly tradedAt: Map<number, number>;
  /** When each market was last read. */
  readonly readAt: Map<number, Mark>;
  /** When each market was last sealed, and how much longer than others it waits for the next try. */
  readonly sealedAt: Map<number, { readonly at: Mark; readonly restMs: number }>;
  /** When each market's pool was last looked at. */
  readonly lookedAt: Map<number, Mark>;
  /** By pair: the market that may take over its name. */
  contenders: ReadonlyMap<string, Contender>;
};

export function createIndexerState(clock: Clock): IndexerState {
  return {
    markets: [],
    listedAt: null,
    known: [],
    owners: [],
    knownAt: NEVER,
    beatAt: NEVER,
    cursors: new Map(),
    unsealed: null,
    sealRoundAt: NEVER,
    liveSlots: new Map(),
    woken: new Set(),
    named: createNamedTransactions(clock),
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
  return last !== undefined && isYoung(last, HOUR_MS, now) ? pace.busyMs : pace.idleMs;
}

export function noteTrades(state: Pick<IndexerState, 'tradedAt'>, trades: readonly RecordedTrade[]): void {
  for (const { marketId, at } of trades)
    state.tradedAt.set(marketId, Math.max(state.tradedAt.get(marketId) ?? 0, at * 1_000));
}
