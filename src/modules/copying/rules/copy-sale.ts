import { ageAt } from '../../../core/time/age.ts';
import type { LeaderTrade } from '../../follows/rules/leader-trade.ts';
import { COPY_JUDGED } from './judge-copy.ts';

/** A leader's trade that no row of this copy decides on. */
export type OpenTrade = { readonly copyId: string; readonly trade: LeaderTrade };

/**
 * The trades that may be decided on now. A sale waits while an earlier purchase of its token by the same leader is undecided for its
 * copy: decided first, it would sell nothing, and the copy would then buy what the leader has left. Past `lateMs` no purchase is copied,
 * so no sale waits for one. `now`: epoch milliseconds.
 */
export function decidableOf<T extends OpenTrade>(open: readonly T[], now: number): readonly T[] {
  const purchases = open.filter(
    ({ trade }) => trade.side === 'buy' && ageAt(trade.at, now) <= Number(COPY_JUDGED.lateMs),
  );
  return open.filter(
    (sale) => sale.trade.side === 'buy' || !purchases.some((purchase) => isBefore(purchase, sale)),
  );
}

function isBefore(purchase: OpenTrade, sale: OpenTrade): boolean {
  const [one, other] = [purchase.trade, sale.trade];
  if (purchase.copyId !== sale.copyId || one.leader !== other.leader || one.mint !== other.mint) return false;
  return one.at < other.at || (one.at === other.at && one.tradeId < other.tradeId);
}

/** From this part on a leader has sold all: the rest is dust. In bps. */
const ALL_BPS = 9_500n;
const WHOLE = 10_000n;

/**
 * The units that follow a leader's sale: the same part of our rest, rounded down; the whole rest where the leader sold 95 % and more, and
 * where it is not known how much was held.
 */
export function unitsToSell(
  leader: { readonly sold: bigint; readonly heldBefore: bigint | null },
  rest: bigint,
): bigint {
  const { sold, heldBefore } = leader;
  if (rest <= 0n) return 0n;
  if (heldBefore === null || heldBefore <= 0n || sold >= heldBefore) return rest;
  if (sold * WHOLE >= heldBefore * ALL_BPS) return rest;
  return (sold * rest) / heldBefore;
}

/** The most that a sale may lose to a moving price. */
export const MOST_SALE_SLIPPAGE_BPS = 2_500;

/** The slippage of a sale by its try, the first being 0: the person's own, half more, then 25 %. */
export function saleSlippageBps(own: number, tries: number): number {
  if (tries >= 2) return MOST_SALE_SLIPPAGE_BPS;
  return Math.min(MOST_SALE_SLIPPAGE_BPS, tries === 0 ? own : Math.ceil(own * 1.5));
}

/** How long an owed sale rests after a try without effect: it doubles from two seconds to a minute. */
export function restAfter(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(tries, 10));
}
