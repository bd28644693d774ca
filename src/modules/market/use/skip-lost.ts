import {
  firstIdOfSlot,
  type TapeTrade,
  type VaultBalances,
  type VaultSide,
  vaultChange,
} from '@tradepost/tape';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { TransactionSource } from '../../../platform/ports/transaction-source.ts';
import type { Market } from '../rules/market.ts';
import type { Sealable } from './seal-markets.ts';
import { vaultsNow } from './vaults-now.ts';

export type SkipLostDeps = {
  readonly source: Pick<TransactionSource, 'oldest' | 'read' | 'horizon'>;
  readonly chain: Pick<Chain, 'accounts'>;
  readonly tape: Pick<TapeStore, 'seal' | 'markGap' | 'trades' | 'cursor'>;
  readonly log: Pick<Logger, 'error'>;
};

const KEPT_TRADES = 10_000;

/**
 * Where the node no longer has the transactions after a market's seal, the market is marked as a gap. It goes on from the oldest slot that
 * there is; live trades in between stay. Returns the markets with the cursors that hold now.
 */
export async function skipLost(
  deps: SkipLostDeps,
  wanted: readonly Sealable[],
): Promise<readonly Sealable[]> {
  const upTo = (await deps.source.oldest()) - 1n;
  return Promise.all(
    wanted.map(async (one) => {
      const { market, cursor } = one;
      const after = cursor.sealedSlot;
      if (after >= upTo) return one;
      deps.log.error({ market: market.address, after, upTo }, 'the node has forgotten blocks of a market');
      await deps.tape.markGap(market.id, after + 1n);
      const trades: readonly TapeTrade[] = await deps.tape.trades(market.id, {
        after: firstIdOfSlot(after + 1n) - 1n,
        before: firstIdOfSlot(upTo + 1n),
        limit: KEPT_TRADES,
      });
      await deps.tape.seal({
        trades,
        ranges: [{ marketId: market.id, after, upTo, post: await heldAfter(deps, market, upTo) }],
      });
      return { market, cursor: (await deps.tape.cursor(market.id)) ?? cursor };
    }),
  );
}

/** The vaults' balances at the end of a slot: those before the first transaction after it, or the present ones where there is none. */
async function heldAfter(
  { source, chain }: SkipLostDeps,
  market: Market,
  after: bigint,
): Promise<VaultBalances> {
  const upTo = await source.horizon('finalized');
  const later = await source.read(market, { after, upTo, level: 'finalized', effort: 'vaults' });
  const now = await vaultsNow({ chain }, market);
  const found = (side: VaultSide): bigint | undefined =>
    later.map((transaction) => vaultChange(transaction, market, side)).find((change) => change !== null)
      ?.before;
  return { base: found('base') ?? now.base, quote: found('quote') ?? now.quote };
}
