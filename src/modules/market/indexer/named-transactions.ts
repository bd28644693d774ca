import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { NamedTransaction } from '../../../platform/ports/transaction-source.ts';

/** Later the seal is the better reader: by then a fork took the transaction back, or the node does not serve it. */
const WAITS_MS = 60_000;
/** Of one market at once. Past it the pace of the lanes reads them. */
const KEPT = 1_000;

/** Transactions that a notice named and that no read has brought yet, by market. */
export type NamedTransactions = {
  /** Notes the transaction of a notice. One that is noted already keeps its time. */
  add(marketId: number, named: NamedTransaction): void;
  /** Forgets what a read has brought. */
  brought(marketId: number, signatures: ReadonlySet<string>): void;
  /** The oldest slot above `sealed` whose transaction is missing; null where none is. Those at or below it are forgotten. */
  missingFrom(marketId: number, sealed: bigint): bigint | null;
};

/** A node may list a transaction later than it tells of it, or cut its list: until a read has brought it, it counts as missing. */
export function createNamedTransactions(clock: Clock): NamedTransactions {
  const byMarket = new Map<number, Map<string, { readonly slot: bigint; readonly at: Mark }>>();
  return {
    add: (marketId, { signature, slot }) => {
      const missing = byMarket.get(marketId) ?? new Map();
      byMarket.set(marketId, missing);
      if (!missing.has(signature) && missing.size < KEPT) missing.set(signature, { slot, at: markOf(clock) });
    },
    brought: (marketId, signatures) => {
      const missing = byMarket.get(marketId);
      for (const signature of signatures) missing?.delete(signature);
    },
    missingFrom: (marketId, sealed) => {
      const missing = byMarket.get(marketId);
      let oldest: bigint | null = null;
      for (const [signature, { slot, at }] of missing ?? []) {
        if (slot <= sealed || elapsedSince(at, clock) > WAITS_MS) missing?.delete(signature);
        else if (oldest === null || slot < oldest) oldest = slot;
      }
      return oldest;
    },
  };
}
