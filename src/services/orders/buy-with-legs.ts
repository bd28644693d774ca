import { AppError } from '../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../core/guard/freeze.ts';
import type { OrderGroup } from '../../core/orders/order.ts';
import type { Stores } from '../../core/ports/stores.ts';
import { withLegs } from '../../intents/rules.ts';
import type { createSpendingIntent } from '../guard/guard-spending.ts';
import { assertNotPaused } from '../switches/assert-not-paused.ts';
import { type ConfirmTradeDeps, type ConfirmTradeInput, confirmTrade } from '../trading/confirm-trade.ts';
import { legsDraft } from './bracket.ts';
import { type BracketLegs, type DraftGroup, newGroup } from './draft.ts';
import type { OrderDeps } from './order-deps.ts';
import { judgeCount, viewLegs } from './place-orders.ts';

export type BuyWithLegsInput = ConfirmTradeInput & {
  readonly legs: BracketLegs & Pick<DraftGroup, 'slippageBps' | 'accepted'>;
};

/** What a confirmed purchase is made with, but for its intent, which carries the orders. */
export type BuyWithLegsDeps = OrderDeps & {
  readonly confirming: Omit<ConfirmTradeDeps, 'createIntent'>;
  readonly createSpendingIntent: (
    input: Parameters<typeof createSpendingIntent>[1],
  ) => ReturnType<typeof createSpendingIntent>;
};

/**
 * Confirms a purchase as `confirmTrade` does, and in its commit places the orders that sell what it brings: there is no moment
 * at which the token is bought and its stop is not there. They wake in the commit that sees the purchase confirmed, with the units
 * that arrived, and end with a purchase that ends without effect. Throws what `confirmTrade` throws, and ORDER_REFUSED with the
 * reason; then nothing is bought.
 */
export async function buyWithLegs(
  deps: BuyWithLegsDeps,
  input: BuyWithLegsInput,
): ReturnType<typeof confirmTrade> {
  const { legs, ...bought } = input;
  const { trade, userId, walletId, idemKey } = bought;
  const draft = legsDraft(
    { userId, walletId, placeKey: idemKey, mint: trade.mint, tier: trade.tier, ...legs },
    legs,
    '',
  );
  const judged = await judgeOnce(deps, { draft, trade });
  const placed = await confirmTrade(
    {
      ...deps.confirming,
      createIntent: ({ params, ...request }) =>
        deps.createSpendingIntent({
          ...request,
          params: withLegs(params),
          beside: (stores, intentId) =>
            insertLegs(
              deps,
              stores,
              newGroup({ ...draft, parentIntentId: intentId }, { ...judged, id: () => deps.ids.ulid() }),
            ),
        }),
    },
    bought,
  );
  deps.ordersChanged();
  return placed;
}

async function judgeOnce(
  deps: BuyWithLegsDeps,
  { draft, trade }: { readonly draft: DraftGroup; readonly trade: ConfirmTradeInput['trade'] },
): Promise<{ readonly now: number; readonly depthLamports: null }> {
  const made = { now: deps.clock.now(), depthLamports: null };
  // A repeat: what stands is found by its key, whatever would be said of it now.
  if ((await deps.db.orders.findByPlaceKey(draft.placeKey)) !== null) return made;
  await assertNotPaused(deps.db.flags, ['orders']);
  if (trade.side !== 'buy') throw new AppError('ORDER_REFUSED', { kind: 'legs-invalid', reason: 'none' });
  const { amountIn, quotedOut } = trade.terms;
  const entry = { units: quotedOut, price: quotedOut > 0n ? { got: amountIn, given: quotedOut } : null };
  const { refusal } = await viewLegs(deps, draft, entry);
  if (refusal !== null) throw new AppError('ORDER_REFUSED', refusal);
  return made;
}

/** The person's lock is held: by it numbers and counts are judged one placing after the other. */
async function insertLegs(
  { clock }: Pick<OrderDeps, 'clock'>,
  stores: Stores,
  group: OrderGroup,
): Promise<void> {
  assertNotFrozen(await stores.guards.lock(group.userId), clock.now());
  const open = await stores.orders.countOpen(group.userId, group.mint);
  const tooMany = judgeCount(open, group.orders.length);
  if (tooMany !== null) throw new AppError('ORDER_REFUSED', tooMany);
  if ((await stores.orders.insert(group)) === null) throw new AppError('BUTTON_STALE', {});
}
