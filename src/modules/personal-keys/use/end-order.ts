import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { Order } from '../../orders/rules/order.ts';
import { type ChangeOrderDeps, changeOrder } from '../../orders/use/change-order.ts';
import { encodeKeyNotice } from '../rules/key-notice.ts';
import type { PersonalKey } from '../rules/personal-key.ts';

/** The effect of ending an order. `sent`: its fire was signed before, and cannot be recalled; the order ends with it. */
export type EndedOrder =
  | { readonly kind: 'ended'; readonly order: Order; readonly sent: boolean }
  /** It is of a token that the key may not trade. */
  | { readonly kind: 'token' };

/**
 * Cancels an order of the key's wallet, as the chat does, and owes its person a notice in the same commit. One that is over already stays
 * as it ended: asked again, the answer is the same, and no second notice is owed. Throws
 * ORDER_NOT_FOUND for one of another wallet or person.
 */
export async function endOrder(
  deps: ChangeOrderDeps & { readonly nudge: () => void },
  { id: keyId, userId, walletId, terms }: PersonalKey,
  orderId: string,
): Promise<EndedOrder> {
  const find = async (): Promise<Order | undefined> =>
    (await deps.db.orders.find(orderId))?.orders.find(({ id }) => id === orderId);
  const order = await find();
  if (order === undefined || order.userId !== userId || order.walletId !== walletId)
    throw new AppError('ORDER_NOT_FOUND', {});
  const { mint } = order;
  if (terms.tokens !== null && !terms.tokens.includes(mint)) return { kind: 'token' };
  try {
    const done = await changeOrder(
      deps,
      { userId, orderId },
      () => ({ kind: 'cancelled', orderId, reason: 'person' }),
      async (stores) => {
        const told = { keyId, event: 'order-ended' as const, trades: 0, orders: 1, lamports: 0n, mint };
        const payload = encodeKeyNotice(told);
        await addNotices(deps, stores, [{ userId, intentId: null, kind: 'personal-key', payload }]);
        return passFree('order-stop', userId);
      },
    );
    deps.nudge();
    return { kind: 'ended', order: done.order, sent: done.sent };
  } catch (error) {
    if (!hasCode(error, 'ORDER_NOT_CHANGEABLE')) throw error;
    return { kind: 'ended', order: (await find()) ?? order, sent: false };
  }
}
