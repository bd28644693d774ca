import { AppError } from '../../../core/errors/app-error.ts';
import { assertMayAct, passGate } from '../../guard/use/pass-gate.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { reduceOrders } from '../rules/machine.ts';
import { type ChangedByPerson, type ChangeOrderDeps, changeOrder } from './change-order.ts';
import { viewOrder } from './edit-order.ts';
import { judgeOrders, type PinUse } from './judge-orders.ts';
import type { OrderDeps } from './order-deps.ts';
import { judgedOf } from './place-orders.ts';

/**
 * Opens a paused order again, judged as a placing of it would be now, and grants it anew. An act that needs the PIN needs it typed for
 * this, however long trades are unlocked. Windows and highs start anew. Throws ORDER_NOT_FOUND for a stranger's, ORDER_NOT_CHANGEABLE for
 * one that is not paused, TRADE_PIN, the gate's errors for `order-resume`, and the errors of reading its market.
 */
export async function resumeOrder(
  deps: OrderDeps & ChangeOrderDeps,
  {
    userId,
    orderId,
    pin = 'must-type',
  }: {
    readonly userId: string;
    readonly orderId: string;
    readonly pin?: Exclude<PinUse, 'window'>;
  },
): Promise<ChangedByPerson> {
  const group = await deps.db.orders.find(orderId);
  const seen = group?.orders.find(({ id }) => id === orderId);
  if (group?.userId !== userId || seen === undefined) throw new AppError('ORDER_NOT_FOUND', {});
  const { number, status } = seen;
  if (status !== 'PAUSED') throw new AppError('ORDER_NOT_CHANGEABLE', { number, status });
  await assertMayAct(deps.db, deps, { act: 'order-resume', userId });
  const [wallet, view] = await Promise.all([ownWallet(deps.db.wallets, group), viewOrder(deps, group, seen)]);
  const asked = { userId, wallet: wallet.address, pin, solUsd: view.solUsd };
  const judge = await judgeOrders(deps, asked, judgedOf([seen], view.looks));
  const [grants = null] = judge.grants;
  const resumed = { kind: 'resumed', orderId, at: deps.clock.now(), grants } as const;
  const orders = reduceOrders(group, resumed).writes.map(({ order }) => order);
  if (orders.length === 0) throw new AppError('ORDER_NOT_CHANGEABLE', { number, status });
  const [certificate = ''] = await deps.vault.certifyOrders({ userId, orders });
  return changeOrder(
    deps,
    { userId, orderId },
    (order) => {
      // It was edited since its check: another order was judged.
      if (order.version !== seen.version) throw new AppError('BUTTON_STALE', {});
      return { ...resumed, certificate };
    },
    async (stores) => {
      const passed = await passGate(stores, deps, { act: 'order-resume', userId });
      await judge.again(stores);
      return passed;
    },
  );
}
