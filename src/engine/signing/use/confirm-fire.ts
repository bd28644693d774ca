import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { fireKey } from '../../../modules/orders/rules/machine.ts';
import type { Order } from '../../../modules/orders/rules/order.ts';
import { judgeSealedFire } from '../../../modules/orders/rules/sealed-fire.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { orderOf, rulesOf, tradeOf } from '../../intents/kinds/rules.ts';
import { type ConfirmedIntent, confirmationText } from '../../intents/rules/confirmation.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { assertOrderCertified } from './order-certificate.ts';
import type { SigningFire } from './signed-fires.ts';

/** More than an order has: its own count is a column that others write. */
const MOST_FIRES = 10_000;

type Deps = Pick<SignerDeps, 'db' | 'clock' | 'seals' | 'certifier' | 'log' | 'signing'>;

/**
 * The code of a fire, which no person is there to confirm: the order speaks for them. Its row is as this signer certified it; person and
 * wallet are certified and belong together. It is open, and this is its next fire. Side, token, priority, units, time and least outcome are
 * within the agreed terms, and within what the journal knows of the order: no older agreement, no stopped one, no fire twice. One that a
 * program placed is from after the last lock. The operator hears of each refusal, but for a fire that another process began. Throws ROW_FORGED, POLICY_DENIED, ORDER_NOT_CHANGEABLE.
 */
export async function confirmFire(deps: Deps, request: Parameters<Vault['confirmFire']>[0]): Promise<string> {
  try {
    await assertWithinOrder(deps, request);
    return deps.seals.seal(confirmationText(request));
  } catch (error) {
    if (hasCode(error, 'ROW_FORGED') || hasCode(error, 'POLICY_DENIED'))
      deps.log.error({ orderId: orderOf(request.params)?.id, ...error.details }, 'a fire was not confirmed');
    throw error;
  }
}

async function assertWithinOrder(
  deps: Deps,
  { params, id: intentId, ...request }: ConfirmedIntent,
): Promise<void> {
  const { db } = deps;
  const [child, trade] = [orderOf(params), tradeOf(params)];
  if (child === null || trade === null || request.idemKey !== fireKey(child.id, child.n))
    denySignature('order-fire');
  const group = await db.orders.find(child.id);
  const order = group?.orders.find(({ id }) => id === child.id);
  if (order === undefined) denySignature('order-foreign');
  assertOrderCertified(deps, order);
  await assertNotLocked(deps, order);
  const { userId, walletId, number, status } = order;
  if (userId !== request.userId || walletId !== request.walletId) denySignature('order-foreign');
  const [person, wallet, fires] = await Promise.all([
    db.users.find(userId),
    db.wallets.find(walletId),
    db.orders.fires(order.id, MOST_FIRES),
  ]);
  if (person === null) denySignature('unknown-person');
  if (wallet?.userId !== userId) denySignature('foreign-wallet');
  const last = fires.reduce((most, { n }) => Math.max(most, n), order.fires);
  if (status !== 'OPEN' || child.n !== last + 1)
    throw new AppError('ORDER_NOT_CHANGEABLE', { number, status });
  const { amountIn: units, quotedOut: quoted, minOut } = trade.terms;
  const tier = rulesOf(params.kind).policy.tierOf(params);
  const { side, mint } = trade;
  const misfit = judgeSealedFire(order, fires, { side, mint, tier, units, quoted, minOut }, deps.clock);
  if (misfit !== null) denySignature(`order-${misfit}`);
  await assertWithinJournal(deps, intentId, { order, n: child.n, units });
}

/** A lock since then ends an order that rests on a program's key. Its row has no say. */
async function assertNotLocked(
  { db }: Pick<Deps, 'db'>,
  { userId, terms: { program } }: Order,
): Promise<void> {
  if (program === undefined) return;
  const { lockEpoch } = await db.guards.find(userId);
  if (lockEpoch !== program.lockEpoch) denySignature('order-locked');
}

/**
 * The row may be an older copy, and the rows of fires may be gone: the journal has the last word on void agreements, stops and
 * signatures. Throws ROW_FORGED, and ATTEMPT_UNDECIDED while an earlier fire is not decided.
 */
async function assertWithinJournal(
  deps: Pick<Deps, 'signing'>,
  intentId: string,
  fire: SigningFire & { readonly order: Order },
): Promise<void> {
  const { order } = fire;
  const agreedAt = order.terms.agreedAt ?? 0;
  const { agreedAt: newest, stoppedAt } = deps.signing.orderNote(order.id);
  if (agreedAt < newest || agreedAt <= stoppedAt)
    throw new AppError('ROW_FORGED', { table: 'orders', row: order.id });
  if (agreedAt > newest) {
    const seen = { orderId: order.id, agreedAt, stopped: false, until: order.expiresAt };
    await deps.signing.write({ kind: 'order', ...seen });
  }
  await deps.signing.assertFireFits(intentId, fire);
}
