import { AppError } from '../../../core/errors/app-error.ts';
import { withLegs } from '../../../engine/intents/kinds/rules.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { createSpendingIntent } from '../../guard/use/guard-spending.ts';
import { assertMayAct, passGate } from '../../guard/use/pass-gate.ts';
import {
  type ConfirmTradeDeps,
  type ConfirmTradeInput,
  confirmTrade,
} from '../../trading/use/confirm-trade.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { OrderGroup } from '../rules/order.ts';
import { legsDraft } from './bracket.ts';
import { type BracketLegs, type DraftGroup, newGroup } from './draft.ts';
import { judgeOrders, type OrderJudge, type PinUse } from './judge-orders.ts';
import type { OrderDeps } from './order-deps.ts';
import { granted, judgeCount, judgedOf, viewLegs } from './place-orders.ts';

export type BuyWithLegsInput = ConfirmTradeInput & {
  readonly legs: BracketLegs & Pick<DraftGroup, 'slippageBps' | 'accepted'>;
  readonly pin?: PinUse;
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
  const { legs, pin = 'window', ...bought } = input;
  const { trade, userId, walletId, idemKey } = bought;
  const draft = legsDraft(
    { userId, walletId, placeKey: idemKey, mint: trade.mint, tier: trade.tier, ...legs },
    legs,
    '',
  );
  const { judge, ...made } = await judgeOnce(deps, { draft, trade, pin });
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
              newGroup({ ...draft, parentIntentId: intentId }, { ...made, id: () => deps.ids.ulid() }),
              judge,
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
  {
    draft,
    trade,
    pin,
  }: {
    readonly draft: DraftGroup;
    readonly trade: ConfirmTradeInput['trade'];
    readonly pin: PinUse;
  },
): Promise<{ readonly now: number; readonly depthLamports: null; readonly judge: OrderJudge }> {
  const made = { now: deps.clock.now(), depthLamports: null };
  // A repeat: what stands is found by its key, whatever would be said of it now.
  if ((await deps.db.orders.findByPlaceKey(draft.placeKey)) !== null)
    return { ...made, judge: async () => [] };
  await assertMayAct(deps.db, deps, { act: 'order-place', userId: draft.userId });
  if (trade.side !== 'buy') throw new AppError('ORDER_REFUSED', { kind: 'legs-invalid', reason: 'none' });
  const { amountIn, quotedOut } = trade.terms;
  const entry = { units: quotedOut, price: quotedOut > 0n ? { got: amountIn, given: quotedOut } : null };
  const { refusal, looks, solUsd } = await viewLegs(deps, draft, entry);
  if (refusal !== null) throw new AppError('ORDER_REFUSED', refusal);
  const { orders } = newGroup(draft, { ...made, id: () => '' });
  const wallet = (await ownWallet(deps.db.wallets, draft)).address;
  const judge = await judgeOrders(
    deps,
    { userId: draft.userId, wallet, pin, solUsd },
    judgedOf(orders, looks),
  );
  return { ...made, judge };
}

/** Takes the person's lock: by it numbers and counts are judged one placing after the other. */
async function insertLegs(
  deps: Pick<OrderDeps, 'clock' | 'ids' | 'guardRules'>,
  stores: Stores,
  group: OrderGroup,
  judge: OrderJudge,
): Promise<void> {
  const passed = await passGate(stores, deps, { act: 'order-place', userId: group.userId });
  const open = await stores.orders.countOpen(group.userId, group.mint);
  const tooMany = judgeCount(open, group.orders.length);
  if (tooMany !== null) throw new AppError('ORDER_REFUSED', tooMany);
  const grants = await judge(stores);
  if ((await stores.orders.insert(passed, granted(group, grants))) === null)
    throw new AppError('BUTTON_STALE', {});
}
