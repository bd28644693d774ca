import type { Address } from '@tradepost/solana';
import { firstIdOfSlot } from '@tradepost/tape';
import { hasAged } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import { type Sandwich, sandwichOf, type Verdict } from '../rules/sandwich.ts';

export type SandwichDeps = {
  readonly tape: Pick<TapeStore, 'trades'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly clock: Clock;
};

/** The tape has a slot's trades by then. */
const SETTLED_MS = 60_000;
/** A slot holds fewer trades of one market; where it holds more, nothing is said. */
const MOST_TRADES = 2_000;

export type LandedTrade = {
  readonly mint: Address;
  readonly signature: string;
  readonly slot: bigint;
  /** Epoch milliseconds; null where the block has no time. */
  readonly landedAt: number | null;
};

/**
 * The dearest sandwich around a landed trade, over the followed markets of its token, or none. Not known where the trade is younger
 * than a minute, where the tape has gaps there, and where it does not keep the trade. Source of truth: the tape. Throws
 * DATABASE_UNREACHABLE.
 */
export async function judgeLanded(
  { tape, markets, clock }: SandwichDeps,
  trade: LandedTrade,
): Promise<Verdict> {
  if (trade.landedAt === null || !hasAged(trade.landedAt, SETTLED_MS, clock)) return NOT_KNOWN;
  const { slot, signature } = trade;
  const followed = (await markets.ofMint(trade.mint)).filter(({ followed: isRead }) => isRead);
  const found = await Promise.all(
    followed.map(async ({ id, gapSince }): Promise<Verdict | null> => {
      const around = await tape.trades(id, {
        after: firstIdOfSlot(slot - 1n) - 1n,
        before: firstIdOfSlot(slot + 2n),
        limit: MOST_TRADES,
      });
      const isWhole = around.length < MOST_TRADES && (gapSince === null || gapSince > slot + 1n);
      if (!isWhole) return NOT_KNOWN;
      return around.some((one) => one.signature === signature)
        ? (sandwichOf(around, signature) ?? NONE)
        : null;
    }),
  );
  const touched = found.filter((verdict) => verdict !== null);
  return (
    touched.reduce<Verdict | null>((most, one) => (weightOf(one) > weightOf(most) ? one : most), null) ??
    NOT_KNOWN
  );
}

const NOT_KNOWN: Verdict = { certainty: 'not-known' };
const NONE: Verdict = { certainty: 'none' };

/** The dearest sandwich of a trade over several markets counts; without one, a market that is not known does. */
function weightOf(verdict: Verdict | null): number {
  if (verdict === null) return -1;
  if ('costBps' in verdict) return 2 + verdict.costBps;
  return verdict.certainty === 'none' ? 0 : 1;
}

/** The dearest sandwich around a landed trade; null where there is none, and where that is not known. Throws as `judgeLanded`. */
export async function findSandwich(deps: SandwichDeps, trade: LandedTrade): Promise<Sandwich | null> {
  const verdict = await judgeLanded(deps, trade);
  return 'costBps' in verdict ? verdict : null;
}
