import { hasCode } from '../../../core/errors/app-error.ts';
import { isOver } from '../../../core/time/due.ts';
import { PLACEMENT } from '../../../modules/orders/rules/placement.ts';
import {
  countedOfOrder,
  isOrderOf,
  type KeyedOrder,
  keyedOrderId,
  keyedPlaceKey,
  ORDER_REQUEST,
  orderMisfit,
  readKeyedOrder,
} from '../../../modules/personal-keys/rules/keyed-order.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import { readSigned } from './keyed-request.ts';

type Deps = Pick<SignerDeps, 'db' | 'clock' | 'certifier' | 'signatureChecks' | 'signing' | 'log'>;

const ORDERS: Parameters<typeof readSigned<KeyedOrder>>[1] = {
  request: ORDER_REQUEST,
  right: 'place',
  read: readKeyedOrder,
  fits: (terms, order) => orderMisfit(terms, order) === null,
};

/**
 * The certificate of an order that a person's own program asked for: its signed request speaks for the person. Everything is checked here
 * from the bytes that were signed: signature, key, rights, caps and time, and that the order is that of the body in every fact, its name
 * too. The journal takes the nonce, and counts the whole purchase for the key's day; the use gets a row, of which the person hears. An
 * order that is over stays over: the journal knows its end. Throws ROW_FORGED, POLICY_DENIED, KEY_REQUEST_REFUSED, ACCOUNT_FROZEN.
 */
export async function certifyKeyedOrder(
  deps: Deps,
  { order, signed }: Parameters<Vault['certifyKeyedOrder']>[0],
): Promise<string> {
  try {
    const { key, signature, asked } = await readSigned(deps, ORDERS, signed);
    const placeKey = keyedPlaceKey(key.id, asked.idempotencyKey);
    const id = keyedOrderId(deps.signatureChecks.sha256(Buffer.from(placeKey, 'utf8')));
    if (!isOrderOf(order, asked, { id, key })) denySignature('personal-key');
    assertTimely(deps, asked);
    const { nonce } = signature;
    const lamports = countedOfOrder(asked);
    const use = { keyId: key.id, nonce, intentId: id, idemKey: placeKey, lamports };
    await deps.signing.takeUse(use, key.terms.dayLamports);
    const { side, mint } = asked;
    await deps.db.personalKeys.addUse({
      keyId: key.id,
      nonce,
      userId: key.userId,
      ...({ what: 'order', subject: id, side, mint, lamports } as const),
      at: deps.clock.now(),
      toldAt: null,
    });
    return deps.certifier.order(order);
  } catch (error) {
    if (hasCode(error, 'ROW_FORGED') || hasCode(error, 'POLICY_DENIED'))
      deps.log.error({ orderId: order.id, ...error.details }, 'an order of a personal key was not certified');
    throw error;
  }
}

/** Clocks of two processes differ by less. */
const CLOCKS_MS = 60_000;

/** An order ends within the longest time that one may wait. */
function assertTimely({ clock }: Pick<Deps, 'clock'>, { expiresAt }: Pick<KeyedOrder, 'expiresAt'>): void {
  if (isOver(expiresAt, clock) || expiresAt > clock.now() + PLACEMENT.expiryMs + CLOCKS_MS)
    denySignature('personal-key');
}
