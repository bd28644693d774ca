import type { Address } from '../../../core/address/address.ts';
import { hasAged } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import { firstIdOfSlot } from '../../market/rules/trade-id.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import { type Sandwich, sandwichOf } from '../rules/sandwich.ts';

export type SandwichDeps = {
  readonly tape: Pick<TapeStore, 'trades'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly clock: Clock;
};

/** The tape has a slot's trades by then. */
const SETTLED_MS = 60_000;
/** A slot holds fewer trades of one market; where it holds more, nothing is said. */
const MOST_TRADES = 2_000;

/**
 * The dearest sandwich around a landed trade, over the followed markets of its token; null where there is none, where the trade is
 * younger than a minute, and where the tape has gaps there or does not keep it any more. Source of truth: the tape. Throws
 * DATABASE_UNREACHABLE.
 */
export async function findSandwich(
  { tape, markets, clock }: SandwichDeps,
  trade: {
    readonly mint: Address;
    readonly signature: string;
    readonly slot: bigint;
    /** Epoch milliseconds; null where the block has no time. */
    readonly landedAt: number | null;
  },
): Promise<Sandwich | null> {
  if (trade.landedAt === null || !hasAged(trade.landedAt, SETTLED_MS, clock)) return null;
  const { slot, signature } = trade;
  const followed = (await markets.ofMint(trade.mint)).filter(
    ({ followed: isRead, gapSince }) => isRead && (gapSince === null || gapSince > slot + 1n),
  );
  const found = await Promise.all(
    followed.map(async ({ id }) => {
      const around = await tape.trades(id, {
        after: firstIdOfSlot(slot - 1n) - 1n,
        before: firstIdOfSlot(slot + 2n),
        limit: MOST_TRADES,
      });
      return around.length < MOST_TRADES ? sandwichOf(around, signature) : null;
    }),
  );
  return found.reduce((most, one) => ((one?.costBps ?? -1) > (most?.costBps ?? -1) ? one : most), null);
}
