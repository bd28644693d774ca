import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { readSol } from '../../../platform/telegram/ui/read-amount.ts';
import { readTokenAmount } from '../../../platform/telegram/ui/token-amounts.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { Order, OrderGroup } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import { paidFor } from './draft-answers.ts';
import type { EditState } from './edit-state.ts';
import { tokenOf } from './manage.ts';

/** A person's own order as it is now. Throws ORDER_NOT_FOUND. */
export async function ownOrder(
  { db }: Pick<FeatureDeps, 'db'>,
  { userId, orderId }: { readonly userId: string; readonly orderId: string },
): Promise<{ readonly group: OrderGroup; readonly order: Order }> {
  const group = await db.orders.find(orderId);
  const order = group?.orders.find(({ id }) => id === orderId);
  if (group?.userId !== userId || order === undefined) throw new AppError('ORDER_NOT_FOUND', {});
  return { group, order };
}

/**
 * The change with a price that was typed. A percentage is of the price paid; for a buy it is of the price that the order's own size gets
 * now. Throws the errors of `resolvePrice`.
 */
export async function withPrice(
  deps: FeatureDeps,
  userId: string,
  state: EditState,
  text: string,
): Promise<EditState> {
  const { group, order } = await ownOrder(deps, { userId, orderId: state.orderId });
  const wallet = await ownWallet(deps.db.wallets, { userId, walletId: group.walletId });
  const { unit, trigger, request, supply } = await deps.orders.resolvePrice({
    text,
    side: order.side,
    mint: order.mint,
    wallet: wallet.address,
    amount: await sizeOf(deps, state, order, wallet.address),
    ...(order.side === 'sell'
      ? { reference: await paidFor(deps.orders, { userId, walletId: group.walletId, mint: order.mint }) }
      : {}),
  });
  const [got, given] = [trigger.got.toString(), trigger.given.toString()];
  return { ...state, price: { unit, request, got, given, supply: supply?.toString() ?? null } };
}

/** The change with a floor that was typed; a percentage is of the trigger. Throws ORDER_REFUSED for one in another unit. */
export async function withFloor(
  deps: FeatureDeps,
  userId: string,
  state: EditState,
  text: string,
): Promise<EditState> {
  const { group, order } = await ownOrder(deps, { userId, orderId: state.orderId });
  const { address: wallet } = await ownWallet(deps.db.wallets, { userId, walletId: group.walletId });
  const unit = state.price?.unit ?? order.unit;
  const trigger =
    state.price === null ? order.trigger : { got: BigInt(state.price.got), given: BigInt(state.price.given) };
  const { side, mint } = order;
  const found = await deps.orders.resolvePrice({
    text,
    side,
    mint,
    wallet,
    amount: await sizeOf(deps, state, order, wallet),
    ...(trigger === null ? {} : { reference: { unit, price: priceOf(side, trigger) } }),
  });
  if (found.unit !== unit) throw new AppError('ORDER_REFUSED', { kind: 'floor-unit', unit });
  return { ...state, floor: { got: found.trigger.got.toString(), given: found.trigger.given.toString() } };
}

/** The units it would give: its own amount, or its share of those held now. */
async function sizeOf(
  { chain }: Pick<FeatureDeps, 'chain'>,
  state: EditState,
  { amount, mint }: Order,
  wallet: Order['mint'],
): Promise<bigint> {
  if (state.amount !== null) return BigInt(state.amount);
  if (amount.kind === 'fixed') return amount.units;
  const { amount: held } = await chain.holding(wallet, mint);
  return amount.kind === 'share' ? (held * BigInt(amount.bps)) / 10_000n : held;
}

/** The change with an amount that was typed. Throws for a text that is no number. */
export async function withAmount(
  deps: FeatureDeps,
  userId: string,
  state: EditState,
  text: string,
): Promise<EditState> {
  const { order } = await ownOrder(deps, { userId, orderId: state.orderId });
  const token = await tokenOf(deps, order.mint);
  const read = order.side === 'buy' ? readSol(text) : readTokenAmount(text, token);
  if (read.kind !== 'exact') throw new AppError('ORDER_REFUSED', { kind: 'amount-invalid' });
  return { ...state, amount: read.units.toString() };
}
