import { AppError } from '../../../core/errors/app-error.ts';
import type { Order } from '../../../modules/orders/rules/order.ts';
import type { SignerDeps } from './deps.ts';

/** Throws ROW_FORGED unless the row's certificate is this signer's over all that was agreed. */
export function assertOrderCertified({ certifier }: Pick<SignerDeps, 'certifier'>, order: Order): void {
  if (order.certificate === null || order.certificate !== certifier.order(order))
    throw new AppError('ROW_FORGED', { table: 'orders', row: order.id });
}
