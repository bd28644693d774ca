import { createHash } from 'node:crypto';
import type { ConfirmedIntent } from '../../../src/engine/intents/rules/confirmation.ts';
import { fireKey } from '../../../src/modules/orders/rules/machine.ts';
import type { OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import type { OrderFacts } from '../../../src/modules/orders/rules/order-facts.ts';
import {
  factsOf,
  type KeyedOrder,
  keyedOrderId,
  keyedPlaceKey,
  ORDER_REQUEST,
} from '../../../src/modules/personal-keys/rules/keyed-order.ts';
import type { SignedText } from '../../../src/modules/personal-keys/rules/keyed-trade.ts';
import type { KeyTerms } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import { type Program, type Signing, signedHeaders } from '../../api/program.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { newId } from '../../conformance/store-rows.ts';
import { PASSED } from '../../support/passed.ts';
import { MINT, PARAMS } from '../intents/build.ts';
import { DAY, type keyedRig, SOL, TERMS } from './keyed-rig.ts';

type Rig = Awaited<ReturnType<typeof keyedRig>>;

export const ORDER_TERMS: KeyTerms = { ...TERMS, rights: ['place'] };

/** A purchase that a program waits for, and parts of it that a test changes. */
export const orderAt = (now: number, more: Partial<KeyedOrder> = {}): KeyedOrder => ({
  side: 'buy',
  type: 'LIMIT',
  mint: MINT,
  amount: { kind: 'fixed', units: SOL },
  trigger: { got: 1_000n, given: SOL },
  floor: null,
  toleranceBps: 0,
  partial: false,
  acceptedWarnings: [],
  priority: 'normal',
  expiresAt: now + 7 * DAY,
  idempotencyKey: 'one',
  ...more,
});

const rateText = (rate: KeyedOrder['floor']) =>
  rate === null ? null : { got: rate.got.toString(), given: rate.given.toString() };

/** The body as a program writes it. */
export function orderBody({ amount, trigger, floor, type, expiresAt, ...order }: KeyedOrder): string {
  const { toleranceBps, partial, ...rest } = order;
  return JSON.stringify({
    ...rest,
    type,
    ...(amount.kind === 'fixed' ? { amount: amount.units.toString() } : { shareBps: amount.bps }),
    trigger: rateText(trigger),
    floor: rateText(floor),
    ...(type === 'STOP_LOSS' ? {} : { toleranceBps, partial }),
    expiresAt: new Date(expiresAt).toISOString(),
  });
}

/** The name of the order of a request. */
export const orderIdOf = ({ key }: Program, { idempotencyKey }: KeyedOrder): string =>
  keyedOrderId(createHash('sha256').update(keyedPlaceKey(key.id, idempotencyKey)).digest());

/** The facts that an honest API makes of an order. */
export const honestFacts = (by: Program, order: KeyedOrder): OrderFacts =>
  factsOf(order, { id: orderIdOf(by, order), key: by.key, depthLamports: 5n * SOL });

export function signedOrder(
  { clock }: Pick<Rig, 'clock'>,
  by: Program,
  order: KeyedOrder,
  change: Partial<Signing> = {},
  body = orderBody(order),
): SignedText {
  const { method, path: url } = ORDER_REQUEST;
  const headers = signedHeaders(by, clock.now(), { method, url, body }, change);
  const { 'signature-input': signatureInput = '', signature = '' } = headers;
  return { signatureInput, signature, body: Buffer.from(body, 'utf8') };
}

/** Asks, is certified and stores, as the API does. */
export async function places(rig: Rig, by: Program, order: KeyedOrder): Promise<string> {
  const facts = honestFacts(by, order);
  const certificate = await rig.vault.certifyKeyedOrder({
    order: facts,
    signed: signedOrder(rig, by, order),
  });
  return storeOrder(rig, facts, certificate, keyedPlaceKey(by.key.id, order.idempotencyKey));
}

/** The rows of an order. Returns its id. */
export async function storeOrder(
  { db, clock }: Pick<Rig, 'db' | 'clock'>,
  facts: OrderFacts,
  certificate: string,
  placeKey: string,
): Promise<string> {
  const { userId, walletId, mint, amount } = facts;
  const group = { id: newId(), userId, walletId, mint };
  const rows: OrderGroup = {
    ...group,
    placeKey,
    parentIntentId: null,
    createdAt: clock.now(),
    kind: 'SINGLE',
    units: amount.kind === 'fixed' ? amount.units : null,
    sold: 0n,
    orders: [orderRow(group, { ...facts, certificate })],
    liveFires: [],
  };
  if ((await db.orders.insert(PASSED, rows)) === null) throw new Error('not stored');
  return facts.id;
}

/** The code of the next fire; see `fireOf`. */
export async function fires(rig: Pick<Rig, 'db' | 'vault'>, orderId: string): Promise<string> {
  return rig.vault.confirmFire(await fireOf(rig, orderId));
}

/** The next fire, as an honest worker asks for it of the row that it reads; at a price that is better than any. */
export async function fireOf({ db }: Pick<Rig, 'db'>, orderId: string): Promise<ConfirmedIntent> {
  const order = (await db.orders.find(orderId))?.orders.find(({ id }) => id === orderId);
  if (order === undefined) throw new Error('no such order');
  const { id, userId, walletId, side, mint, fires: before, amount } = order;
  const n = before + 1;
  const units = amount.kind === 'fixed' ? amount.units : 1_000n;
  const terms = { ...PARAMS.buy.terms, amountIn: units, quotedOut: 10n ** 18n, minOut: 10n ** 18n };
  const common = { mint, terms, tier: order.terms.tier, order: { id, n } };
  const params =
    side === 'buy'
      ? ({ kind: 'buy', lamportsIn: units, ...common } as const)
      : ({ kind: 'sell', amountIn: units, ...common } as const);
  return { id: newId(), idemKey: fireKey(id, n), userId, walletId, params };
}
