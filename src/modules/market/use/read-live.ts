import type { RecordedTrade } from '@tradepost/tape';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { MarketCursor, TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../rules/market.ts';
import { decodable, decodeAll, type ReadMarketDeps } from './read-market.ts';

export type ReadLiveDeps = ReadMarketDeps & {
  readonly tape: Pick<TapeStore, 'append'>;
  readonly log: Pick<Logger, 'warn'>;
};

/** Slots that one read covers at most: further back the seal lane is the better reader. */
const MAX_SLOTS = 300n;

/**
 * Reads these markets at `confirmed` from where each was read to, and writes new trades down, not sealed. A fault or a hole is left to the
 * seal lane: this one makes the tape fresh, that one true. Returns how far each market is read now, and the signatures of each one that the
 * node answered for.
 */
export async function readLive(
  deps: ReadLiveDeps,
  wanted: readonly {
    readonly market: Market;
    readonly cursor: Pick<MarketCursor, 'liveSlot' | 'sealedSlot'>;
  }[],
): Promise<{
  readonly upTo: bigint;
  readonly signatures: ReadonlyMap<number, ReadonlySet<string>>;
  readonly added: readonly RecordedTrade[];
}> {
  const upTo = await deps.source.horizon('confirmed');
  const signatures = new Map<number, ReadonlySet<string>>();
  const reads = await Promise.all(
    wanted.map(async ({ market, cursor }) => {
      try {
        const from = cursor.liveSlot > cursor.sealedSlot ? cursor.liveSlot : cursor.sealedSlot;
        const after = upTo - from > MAX_SLOTS ? upTo - MAX_SLOTS : from;
        const transactions = await deps.source.read(market, {
          after,
          upTo,
          level: 'confirmed',
          effort: 'usual',
        });
        const { trades } = decodeAll(transactions, await decodable(deps, market));
        signatures.set(market.id, new Set(transactions.map(({ signature }) => signature)));
        return trades;
      } catch (err) {
        deps.log.warn({ market: market.address, err }, 'a market could not be read live');
        return [];
      }
    }),
  );
  const trades = reads.flat();
  if (trades.length === 0) return { upTo, signatures, added: [] };
  const traded = [...new Set(trades.map(({ marketId }) => marketId))];
  const live = traded.map((marketId) => ({ marketId, slot: upTo }));
  return { upTo, signatures, added: await deps.tape.append({ trades, live }) };
}
