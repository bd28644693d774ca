import { firstIdOfSlot, slotOfTrade } from '@tradepost/tape';
import type { Mismatch } from '../../../platform/ports/operations.ts';
import type { EventFire, OrderBooks } from '../../../platform/ports/order-books.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import { type Recipient, recipientsAfter } from '../../orders/rules/creator-moves.ts';
import {
  type DevSells,
  devSold,
  type EventMarket,
  type EventTrade,
  isDevSale,
  leastLiquidity,
} from '../../orders/rules/event-trigger.ts';
import type { OrderFeedStore } from '../../orders/store/order-feed-store-port.ts';

const PAGE = 200;
const TRADES = 1_000;

export type EventsVerdict = {
  readonly mismatches: readonly Mismatch[];
  /** Fires whose event was compared. */
  readonly compared: number;
};

export type EventTape = {
  readonly tape: Pick<TapeStore, 'tradesAfter'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly orderFeed: Pick<OrderFeedStore, 'creatorMoves'>;
};

/**
 * Compares each fire of an order that waits for an event with that event. The figure that the fire wrote down must meet the agreed terms.
 * The sales of a creator, and of wallets that it gave tokens to, must be on the tape. Where the tape has a gap, or begins after the placing,
 * it proves nothing and is not asked. A sale at the order's end, one that gives what an earlier sale left, and one from before an edit need
 * no event of these terms.
 */
export async function verifyEvents({
  books,
  tape,
}: {
  readonly books: Pick<OrderBooks, 'eventFires'>;
  /** Null: the figures of the fires alone. */
  readonly tape: EventTape | null;
}): Promise<EventsVerdict> {
  const mismatches: Mismatch[] = [];
  let compared = 0;
  for (let after = ''; ; ) {
    const page = await books.eventFires(after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return { mismatches, compared };
    after = last.intentId;
    for (const fire of page) {
      if (!needsEvent(fire)) continue;
      compared += 1;
      const detail = judgeFigure(fire) ?? (tape === null ? null : await judgeTape(tape, fire));
      if (detail !== null) mismatches.push({ rule: 'order-event', subject: fire.intentId, detail });
    }
  }
}

function needsEvent({ terms, firedAt, expiresAt, follows, seen }: EventFire): boolean {
  if (terms.agreedAt !== undefined && firedAt < terms.agreedAt) return false;
  if (terms.sellsOnExpiry && firedAt >= expiresAt) return false;
  return !(follows && seen === null);
}

/** Why the figure of the fire is no reason to sell; null where it is one. */
function judgeFigure({ terms: { event }, seen }: EventFire): string | null {
  if (event === undefined) return 'its order has no event';
  if (seen === null) return 'fired without a figure of its event';
  if (event.kind === 'dev-sells')
    return isDevSale(event, seen)
      ? null
      : `fired when the creator had sold ${seen} of ${event.supply} units, and held ${event.held} at first`;
  const most = leastLiquidity(event);
  return seen <= most ? null : `fired at a liquidity of ${seen}, agreed were ${most} or less`;
}

/** Why the tape does not show the creator's sales; null where it does, or cannot say. */
async function judgeTape(
  deps: EventTape,
  { mint, terms: { event }, slot }: EventFire,
): Promise<string | null> {
  if (event?.kind !== 'dev-sells') return null;
  const markets = await deps.markets.ofMint(mint);
  const moves = await deps.orderFeed.creatorMoves(mint, event.creator, event.sinceSlot);
  const recipients = recipientsAfter(
    moves.filter((move) => move.slot <= slot),
    event.sinceSlot,
  );
  const trades = await salesOf(deps, markets, { event, recipients });
  const sold = devSold(
    event,
    mint,
    markets,
    trades.filter(({ id }) => slotOfTrade(id) <= slot),
    recipients,
  );
  if (isDevSale(event, sold)) return null;
  if (markets.some(({ gapSince }) => gapSince !== null) || !(await reachesBack(deps, markets, event)))
    return null;
  return `the tape has ${sold} units that the creator sold until slot ${slot}: too few. A fork may have taken a sale back`;
}

async function salesOf(
  { tape }: EventTape,
  markets: readonly EventMarket[],
  { event, recipients }: { readonly event: DevSells; readonly recipients: readonly Recipient[] },
): Promise<readonly EventTrade[]> {
  const ids = markets.map(({ id }) => id);
  const found: EventTrade[] = [];
  for (const wallet of [event.creator, ...recipients.map((one) => one.wallet)])
    for (let after = firstIdOfSlot(event.sinceSlot + 1n) - 1n; ids.length > 0; ) {
      const page = await tape.tradesAfter(ids, after, TRADES, wallet);
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < TRADES) break;
      after = last.id;
    }
  return found;
}

/** Whether the tape still has a trade from before the placing: then none of the time since has been dropped. */
async function reachesBack(
  { tape }: EventTape,
  markets: readonly EventMarket[],
  { sinceSlot }: DevSells,
): Promise<boolean> {
  if (markets.length === 0) return false;
  const [oldest] = await tape.tradesAfter(
    markets.map(({ id }) => id),
    0n,
    1,
  );
  return oldest !== undefined && slotOfTrade(oldest.id) <= sinceSlot;
}
