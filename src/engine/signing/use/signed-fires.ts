import { AppError } from '../../../core/errors/app-error.ts';
import type { Order } from '../../../modules/orders/rules/order.ts';
import { judgeSignedFires } from '../../../modules/orders/rules/sealed-fire.ts';
import type { FireNote } from '../rules/order-notes.ts';
import { type EndDeps, endOfIntent } from './end-of-intent.ts';

/** A fire of an order as it is about to be signed or confirmed. */
export type SigningFire = {
  readonly order: Pick<Order, 'id' | 'amount' | 'expiresAt'>;
  readonly n: number;
  readonly units: bigint;
};

/**
 * Why the fire does not fit beside the other fires of its order that this signer signed; null where it does. One that is in the way
 * is looked for on the chain: without effect, it is void for good. `waiting`: that is not decided yet. Rows have no say.
 */
export async function fitsSignedFires(
  deps: EndDeps,
  intentId: string,
  { order, n, units }: SigningFire,
): Promise<'fired' | 'units' | 'waiting' | null> {
  const others = (): readonly FireNote[] =>
    deps.book.orders.of(order.id).fires.filter((fire) => fire.intentId !== intentId);
  let misfit = judgeSignedFires(order, others(), { n, units });
  if (misfit === null) return null;
  let isOpen = false;
  for (const fire of others()) {
    const end = await endOfIntent(deps, fire.intentId);
    if (end === 'void') await deps.write({ kind: 'fire-void', orderId: order.id, intentId: fire.intentId });
    isOpen ||= end === 'undecided';
  }
  misfit = judgeSignedFires(order, others(), { n, units });
  return misfit !== null && isOpen ? 'waiting' : misfit;
}

/** Throws ATTEMPT_UNDECIDED for a fire that must wait for another one, ROW_FORGED for one that rows allow and the journal does not. */
export async function assertFitsSigned(deps: EndDeps, intentId: string, fire: SigningFire): Promise<void> {
  const misfit = await fitsSignedFires(deps, intentId, fire);
  if (misfit === 'waiting') throw new AppError('ATTEMPT_UNDECIDED', { attempt: null });
  if (misfit !== null) throw new AppError('ROW_FORGED', { table: 'orders', row: fire.order.id });
}
