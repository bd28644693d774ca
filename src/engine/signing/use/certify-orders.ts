import { isUnlocked } from '../../../modules/guard/rules/unlock.ts';
import { isClosed, type Order } from '../../../modules/orders/rules/order.ts';
import { type OrderFacts, orderFacts } from '../../../modules/orders/rules/order-facts.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { assertOrderCertified } from './order-certificate.ts';

type Deps = Pick<SignerDeps, 'db' | 'certifier' | 'clock'>;

/**
 * The certificates of orders as their person is about to place, edit or resume them. The person and the wallet are certified and belong
 * together. An order that is there already was certified, and keeps its side, kind, token and wallet. A grant is of an unlocked guard.
 * Nothing is stored. Throws ROW_FORGED, POLICY_DENIED.
 */
export async function certifyOrders(
  deps: Deps,
  { userId, orders }: Parameters<Vault['certifyOrders']>[0],
): Promise<readonly string[]> {
  if ((await deps.db.users.find(userId)) === null) denySignature('unknown-person');
  for (const walletId of new Set(orders.map((order) => order.walletId))) {
    const wallet = await deps.db.wallets.find(walletId);
    if (wallet?.userId !== userId) denySignature('foreign-wallet');
  }
  await Promise.all(orders.map((order) => assertMayCertify(deps, userId, order)));
  return orders.map((order) => deps.certifier.order(order));
}

async function assertMayCertify(deps: Deps, userId: string, order: OrderFacts): Promise<void> {
  if (order.userId !== userId) denySignature('order-foreign');
  const group = await deps.db.orders.find(order.id);
  const before = group?.orders.find(({ id }) => id === order.id);
  if (before !== undefined) assertContinues(deps, before, order);
  const { grants } = order.terms;
  if (grants === null || grants === undefined) return;
  const guard = await deps.db.guards.find(userId);
  if (grants.lockEpoch !== guard.lockEpoch || !isUnlocked(guard, deps.clock)) denySignature('order-grants');
}

/** A forged row must not become right by an edit of another part of it. */
function assertContinues(deps: Deps, before: Order, after: OrderFacts): void {
  assertOrderCertified(deps, before);
  const { userId, walletId, mint, side, type } = orderFacts(before);
  const isSame =
    after.userId === userId &&
    after.walletId === walletId &&
    after.mint === mint &&
    after.side === side &&
    after.type === type;
  if (!isSame || isClosed(before)) denySignature('order-foreign');
}
