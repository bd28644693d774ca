import type { TapeTrade } from '../../core/market/trade.ts';
import { firstIdOfSlot } from '../../core/market/trade-id.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { TapeStore } from '../../core/ports/tape-store.ts';
import type { TransactionSource } from '../../core/ports/transaction-source.ts';
import type { Sealable } from './seal-markets.ts';

export type SkipLostDeps = {
  readonly source: Pick<TransactionSource, 'oldest'>;
  readonly tape: Pick<TapeStore, 'seal' | 'markGap' | 'trades' | 'cursor'>;
  readonly log: Pick<Logger, 'error'>;
};

const KEPT_TRADES = 10_000;

/**
 * Where the node no longer has what comes after a market's seal, the market is marked as a gap and goes on from the oldest slot
 * that there is; what was read live in between stays. Returns the markets with the cursors that hold now.
 */
export async function skipLost(
  deps: SkipLostDeps,
  wanted: readonly Sealable[],
): Promise<readonly Sealable[]> {
  const oldest = await deps.source.oldest();
  return Promise.all(
    wanted.map(async ({ market, cursor }) => {
      const { sealedSlot: after } = cursor;
      const upTo = oldest - 1n;
      if (after >= upTo) return { market, cursor };
      deps.log.error({ market: market.address, after, oldest }, 'the node has forgotten blocks of a market');
      await deps.tape.markGap(market.id, after + 1n);
      const trades: readonly TapeTrade[] = await deps.tape.trades(market.id, {
        after: firstIdOfSlot(after + 1n) - 1n,
        before: firstIdOfSlot(oldest),
        limit: KEPT_TRADES,
      });
      // What the vaults hold is unknown on the other side.
      await deps.tape.seal({ trades, ranges: [{ marketId: market.id, after, upTo, post: null }] });
      return { market, cursor: (await deps.tape.cursor(market.id)) ?? cursor };
    }),
  );
}
