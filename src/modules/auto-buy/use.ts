import type { Address } from '@tradepost/solana';
import { windowStart } from '../../core/time/age.ts';
import { tradeOf } from '../../engine/intents/kinds/rules.ts';
import type { IntentStore } from '../../engine/intents/store/intent-store-port.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import type { OrderStore } from '../orders/store/order-store-port.ts';
import { AUTO_BUY_PREFIX, AUTO_BUY_WINDOW_MS } from './rules.ts';

/** Purchases that moved nothing are none. */
const MOVED_NOTHING = new Set(['REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED']);
const PAGE = 100;

export type BoughtLately = {
  readonly boughtBefore: boolean;
  readonly spentToday: bigint;
  readonly spentUnasked: bigint;
};

/** A person's purchases within 24 hours: of this token at all, without a tap by pasting, and without a tap in any way. */
export async function boughtLately(
  deps: {
    readonly db: {
      readonly intents: Pick<IntentStore, 'listByUser'>;
      readonly orders: Pick<OrderStore, 'spentSince'>;
    };
    readonly clock: Clock;
  },
  { userId, mint }: { readonly userId: string; readonly mint: Address },
): Promise<BoughtLately> {
  const since = windowStart(AUTO_BUY_WINDOW_MS, deps.clock);
  let boughtBefore = false;
  let spentToday = 0n;
  let before: string | undefined;
  for (;;) {
    const page = await deps.db.intents.listByUser(userId, {
      limit: PAGE,
      kinds: ['buy'],
      ...(before === undefined ? {} : { before }),
    });
    for (const { params, createdAt, status, idemKey } of page) {
      const trade = tradeOf(params);
      if (trade === null || createdAt <= since || MOVED_NOTHING.has(status)) continue;
      boughtBefore ||= trade.mint === mint;
      if (idemKey.startsWith(AUTO_BUY_PREFIX)) spentToday += trade.amountIn;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || last.createdAt <= since) break;
    before = last.id;
  }
  return { boughtBefore, spentToday, spentUnasked: await deps.db.orders.spentSince(userId, since) };
}
