import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { isSameValue } from '../../../engine/intents/rules/confirmation.ts';
import type { SignatureChecks } from '../../../platform/ports/signature-checks.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { Order, OrderGroup } from '../../orders/rules/order.ts';
import { orderFacts } from '../../orders/rules/order-facts.ts';
import type { OrderDeps } from '../../orders/use/order-deps.ts';
import { type PlaceOrdersInput, placeOrders } from '../../orders/use/place-orders.ts';
import type { TokenSafety } from '../../tokens/rules/safety.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import {
  countedOfOrder,
  factsOf,
  KEYED_SLIPPAGE_BPS,
  type KeyedOrder,
  keyedOrderId,
  keyedPlaceKey,
  orderMisfit,
} from '../rules/keyed-order.ts';
import type { SignedText } from '../rules/keyed-trade.ts';
import { KEY_LIMITS, type PersonalKey } from '../rules/personal-key.ts';

export type KeyOrderDeps = Omit<OrderDeps, 'vault'> & {
  readonly vault: OrderDeps['vault'] & Pick<Vault, 'certifyKeyedOrder'>;
  readonly signatureChecks: Pick<SignatureChecks, 'sha256'>;
  /** See `safetyNow`. */
  readonly safety: (asked: { readonly mint: Address; readonly wallet: Address }) => Promise<TokenSafety>;
};

/**
 * The order of a request. `token`, `order-cap`, `day-cap`: the bound of the key that it passes. `conflict`: its key is another order's.
 * `warned`: warnings of the bought token that the request does not accept; the order would pause as soon as its price came.
 */
export type KeyOrder =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'token' | 'order-cap' | 'day-cap' | 'conflict' | 'blocked' }
  | { readonly kind: 'warned'; readonly codes: readonly string[] };

/** A request as its body says it, and the bytes that were signed. */
export type AskedOrder = { readonly order: KeyedOrder; readonly signed: SignedText };

/**
 * Places a standing order of the key's wallet, once for each idempotency key: asked again, it gives the order that exists, open or over.
 * It is judged as a placing in the chat. An earlier PIN unlocks nothing: an order for which the chat asks one is refused. Nothing is
 * locked and nothing is signed. Throws ORDER_REFUSED, TRADE_PIN, SPENDING_LIMIT, INSUFFICIENT_TOKENS, the errors of `placeOrders` and of
 * `Vault.certifyKeyedOrder`; then nothing is stored.
 */
export async function placeByKey(deps: KeyOrderDeps, key: PersonalKey, asked: AskedOrder): Promise<KeyOrder> {
  const { order } = asked;
  const placeKey = keyedPlaceKey(key.id, order.idempotencyKey);
  const id = keyedOrderId(deps.signatureChecks.sha256(Buffer.from(placeKey, 'utf8')));
  const known = await deps.db.orders.findByPlaceKey(placeKey);
  if (known !== null) return knownOrder(known, { id, key, order });
  const passed = orderMisfit(key.terms, order) ?? (await passesDay(deps, key, order));
  if (passed !== null) return { kind: passed };
  const { address: wallet } = await ownWallet(deps.db.wallets, key);
  const doubtful = order.side === 'buy' ? await judgeBought(deps, order, wallet) : null;
  if (doubtful !== null) return doubtful;
  if (order.side === 'sell') await assertHeld(deps, order, wallet);
  const group = await placeOrders(deps, inputOf(key, order, placeKey), {
    certify: (drafted) => certified(deps, drafted, { id, key, signed: asked.signed }),
    again: (stores) => assertStillOpen(stores, key),
  });
  // Another request with this key may have been first.
  return knownOrder(group, { id, key, order });
}

type Named = { readonly id: string; readonly key: PersonalKey; readonly order: KeyedOrder };

/** The order that has this idempotency key. One that its person edited or resumed since is the same one; the signer judges its fires. */
function knownOrder(group: OrderGroup, { id, key, order: asked }: Named): KeyOrder {
  const order = group.orders.find((one) => one.id === id);
  if (order === undefined) return { kind: 'conflict' };
  const { depthLamports, agreedAt } = order.terms;
  const facts = factsOf(asked, { id, key, depthLamports });
  const given = orderFacts(order);
  const isSame =
    agreedAt === undefined
      ? isSameValue(given, facts)
      : [given.userId, given.walletId, given.mint, given.side, given.type].join() ===
        [facts.userId, facts.walletId, facts.mint, facts.side, facts.type].join();
  return isSame ? { kind: 'order', order } : { kind: 'conflict' };
}

/** By the rows, for an early answer; the signer counts by its journal. */
async function passesDay(
  { db, clock }: Pick<KeyOrderDeps, 'db' | 'clock'>,
  { id, terms }: PersonalKey,
  order: KeyedOrder,
): Promise<'day-cap' | null> {
  const lamports = countedOfOrder(order);
  if (lamports === 0n) return null;
  const uses = await db.personalKeys.uses(id, windowStart(KEY_LIMITS.dayMs, clock));
  const used = uses.reduce((sum, use) => sum + use.lamports, 0n);
  return used + lamports > terms.dayLamports ? 'day-cap' : null;
}

/** A blocked token is bought in the chat alone; a warning that the request does not accept would pause the order at its fire. */
async function judgeBought(
  { safety }: Pick<KeyOrderDeps, 'safety'>,
  { mint, acceptedWarnings }: KeyedOrder,
  wallet: Address,
): Promise<KeyOrder | null> {
  const { level, warnings } = await safety({ mint, wallet });
  if (level === 'BLOCK') return { kind: 'blocked' };
  const codes = warnings
    .filter(({ code, severity }) => severity !== 'NOTE' && !acceptedWarnings.includes(code))
    .map(({ code }) => code);
  return codes.length === 0 ? null : { kind: 'warned', codes };
}

/** A sale is of units that are there. Throws INSUFFICIENT_TOKENS. */
async function assertHeld(
  { market }: Pick<KeyOrderDeps, 'market'>,
  { mint, amount }: KeyedOrder,
  wallet: Address,
): Promise<void> {
  const { units, elsewhere } = await market.sellable(wallet, mint);
  const available = units + elsewhere;
  if (amount.kind === 'fixed' && amount.units > available)
    throw new AppError('INSUFFICIENT_TOKENS', { needed: amount.units, available, decimals: 0 });
}

function inputOf({ userId, walletId }: PersonalKey, order: KeyedOrder, placeKey: string): PlaceOrdersInput {
  const { side, type, mint, amount, trigger, floor, toleranceBps, partial } = order;
  return {
    userId,
    walletId,
    mint,
    placeKey,
    // A share joins the other exits of the position: the fill of one cuts the others.
    kind: amount.kind === 'share' ? 'OCO' : 'SINGLE',
    units: amount.kind === 'fixed' ? amount.units : null,
    drafts: [
      {
        side,
        type,
        amount,
        unit: 'SOL',
        trigger,
        request: '',
        toleranceBps,
        floor: floor ?? 'default',
        trailing: null,
        hold: 'normal',
        partial,
        schedule: null,
        sellsOnExpiry: false,
      },
    ],
    expiresAt: order.expiresAt,
    slippageBps: KEYED_SLIPPAGE_BPS,
    tier: order.priority,
    accepted: order.acceptedWarnings,
    supply: null,
    pin: 'must-type',
  };
}

/** The group as the signer certifies it, under the name that the request gives its order. */
async function certified(
  { vault }: Pick<KeyOrderDeps, 'vault'>,
  group: OrderGroup,
  { id, key, signed }: { readonly id: string; readonly key: PersonalKey; readonly signed: SignedText },
): Promise<OrderGroup> {
  const [drafted] = group.orders;
  if (drafted === undefined) throw new RangeError('orders: a request is one order');
  const program = { keyId: key.id, lockEpoch: key.lockEpoch };
  const order: Order = { ...drafted, id, terms: { ...drafted.terms, grants: null, program } };
  const certificate = await vault.certifyKeyedOrder({ order, signed });
  return { ...group, orders: [{ ...order, certificate }] };
}

/** Under the person's lock: a lock of trades, or the end of the key, came before this order or finds it. Throws KEY_REQUEST_REFUSED. */
async function assertStillOpen(
  { guards, personalKeys }: Pick<Stores, 'guards' | 'personalKeys'>,
  { id, userId, lockEpoch }: PersonalKey,
): Promise<void> {
  const [guard, key] = await Promise.all([guards.lock(userId), personalKeys.find(id)]);
  if (guard.lockEpoch !== lockEpoch || key === null || key.endedAt !== null)
    throw new AppError('KEY_REQUEST_REFUSED', { why: 'ended' });
}
