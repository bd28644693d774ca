import { hasCode } from '../../../core/errors/app-error.ts';
import type { Copy } from '../../../modules/copying/rules/copy.ts';
import { exitGrants } from '../../../modules/copying/rules/copy-grants.ts';
import { isEventType, type OrderEvent } from '../../../modules/orders/rules/event-trigger.ts';
import { ANY_PRICE, defaultFloor } from '../../../modules/orders/rules/fire-terms.ts';
import type { OrderType } from '../../../modules/orders/rules/order.ts';
import type { OrderFacts } from '../../../modules/orders/rules/order-facts.ts';
import type { Rate } from '../../../modules/orders/rules/rate.ts';
import { exitDrafts } from '../../../modules/orders/use/exit-drafts.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { tradeOf } from '../../intents/kinds/rules.ts';
import { confirmationText, isSameValue } from '../../intents/rules/confirmation.ts';
import { assertCopyMandate, type MandateDeps } from './copy-mandate.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

type Deps = MandateDeps & Pick<SignerDeps, 'seals' | 'log'>;

/** Longer than exits stay open. */
const MOST_EXITS_MS = 8 * 86_400_000;

/**
 * The code of a copied trade, which no person is there to confirm: the copy's mandate speaks for them. With a purchase come the
 * certificates of its exits, which are those that were agreed to. The operator hears of each refusal. Throws ROW_FORGED, POLICY_DENIED.
 */
export async function confirmCopy(
  deps: Deps,
  { request, orders }: Parameters<Vault['confirmCopy']>[0],
): ReturnType<Vault['confirmCopy']> {
  try {
    const copy = await assertCopyMandate(deps, request);
    if (copy === null) denySignature('copy-mandate');
    const [person, wallet] = await Promise.all([
      deps.db.users.find(request.userId),
      deps.db.wallets.find(request.walletId),
    ]);
    if (person === null) denySignature('unknown-person');
    if (wallet?.userId !== request.userId) denySignature('foreign-wallet');
    const trade = tradeOf(request.params);
    if (trade === null || copy.status === 'ENDED') denySignature('copy-mandate');
    if (trade.side === 'buy') {
      if (copy.status !== 'ON') denySignature('copy-mandate');
      assertExits(deps, copy, { trade, orders });
    } else if (orders.length > 0) denySignature('copy-mandate');
    return {
      confirmation: deps.seals.seal(confirmationText(request)),
      certificates: orders.map((order) => deps.certifier.order(order)),
    };
  } catch (error) {
    if (hasCode(error, 'ROW_FORGED') || hasCode(error, 'POLICY_DENIED'))
      deps.log.error({ key: request.idemKey, ...error.details }, 'a copied trade was not confirmed');
    throw error;
  }
}

/** Where a sale beside a purchase ends: an event's has no floor, and a trail's follows its high. */
function floorOf(type: OrderType | undefined, trigger: Rate | null | undefined): Rate | null {
  if (type !== undefined && isEventType(type)) return ANY_PRICE;
  return type === 'STOP_LOSS' && trigger ? defaultFloor(trigger) : null;
}

/** Of its own kind, and with the agreed fall. The state that it is measured from is the market's: no one agreed to it. */
function isEventOf(
  event: OrderEvent | undefined,
  type: OrderType | undefined,
  fallBps: number | undefined,
): boolean {
  if (type === 'DEV_SELLS') return event?.kind === 'dev-sells';
  if (type === 'LIQUIDITY_FALLS') return event?.kind === 'liquidity-falls' && event.fallBps === fallBps;
  return event === undefined;
}

/** Each is one of the agreed exits, at the price of this purchase, of its token and wallet; none is missing and none more. */
function assertExits(
  { clock }: Pick<Deps, 'clock'>,
  copy: Copy,
  {
    trade,
    orders,
  }: {
    readonly trade: NonNullable<ReturnType<typeof tradeOf>>;
    readonly orders: readonly OrderFacts[];
  },
): void {
  const { amountIn, quotedOut } = trade.terms;
  const wanted = quotedOut <= 0n ? [] : exitDrafts(copy.rules.exits, { got: amountIn, given: quotedOut });
  if (wanted.length !== orders.length) denySignature('copy-mandate');
  for (const [n, order] of orders.entries()) {
    const { side, type, amount, unit, trigger, partial, trailing, fallBps } = wanted[n] ?? {};
    const { terms } = order;
    const fits =
      order.userId === copy.userId &&
      order.walletId === copy.walletId &&
      order.mint === trade.mint &&
      order.side === side &&
      order.type === type &&
      order.unit === unit &&
      order.partial === partial &&
      isSameValue(order.amount, amount) &&
      isSameValue(order.trigger, trigger) &&
      isSameValue(terms.trailing, trailing) &&
      isSameValue(terms.floor, floorOf(type, trigger)) &&
      isEventOf(terms.event, type, fallBps) &&
      terms.schedule === null &&
      !terms.sellsOnExpiry &&
      isSameValue(terms.grants ?? null, exitGrants(copy, order)) &&
      order.expiresAt <= clock.now() + MOST_EXITS_MS;
    if (!fits) denySignature('copy-mandate');
  }
}
