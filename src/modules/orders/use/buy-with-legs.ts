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
import { certified, draftsOf, granted, judgeCount, judgedOf, viewLegs } from './place-orders.ts';

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
  const { judge, group } = await judgeOnce(deps, { draft, trade, pin });
  const placed = await confirmTrade(
    {
      ...deps.confirming,
      createIntent: ({ params, ...request }) =>
        deps.createSpendingIntent({
          ...request,
          params: withLegs(params),
          beside: (stores, intentId) =>
            insertLegs(deps, stores, { ...group, parentIntentId: intentId }, judge),
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
): Promise<{ readonly group: OrderGroup; readonly judge: OrderJudge }> {
  const made = { now: deps.clock.now(), depthLamports: null, id: () => deps.ids.ulid() };
  // A repeat: what stands is found by its key, whatever would be said of it now.
  if ((await deps.db.orders.findByPlaceKey(draft.placeKey)) !== null)
    return { group: newGroup(draft, made), judge: { grants: [], again: async () => undefined } };
  await assertMayAct(deps.db, deps, { act: 'order-place', userId: draft.userId });
  if (trade.side !== 'buy') throw new AppError('ORDER_REFUSED', { kind: 'legs-invalid', reason: 'none' });
  const { amountIn, quotedOut } = trade.terms;
  const entry = { units: quotedOut, price: quotedOut > 0n ? { got: amountIn, given: quotedOut } : null };
  const { refusal, looks, solUsd } = await viewLegs(deps, draft, entry);
  if (refusal !== null) throw new AppError('ORDER_REFUSED', refusal);
  const group = newGroup({ ...draft, drafts: draftsOf(looks) }, made);
  const wallet = (await ownWallet(deps.db.wallets, draft)).address;
  const judge = await judgeOrders(
    deps,
    { userId: draft.userId, wallet, pin, solUsd },
    judgedOf(group.orders, looks),
  );
  return { group: await certified(deps, granted(group, judge.grants)), judge };
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
  await judge.again(stores);
  if ((await stores.orders.insert(passed, group)) === null) throw new AppError('BUTTON_STALE', {});
}
