import { AppError } from '../../../core/errors/app-error.ts';
import { redeemTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import { rebateTransfer } from '../../../engine/ledger/rules/postings.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { User } from '../../settings/rules/user.ts';
import { effectSpan } from '../rules/holdings.ts';
import { REBATE_BUDGET, type Redemption, type ShopItem, shopAt } from '../rules/shop.ts';
import { assertHasTraded } from './assert-has-traded.ts';
import { oweLamports } from './owe-lamports.ts';
import { spendPoints } from './spend-points.ts';

export type RedeemDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Wakes the relay after a rebate; may be lost without harm. */
  readonly nudge?: () => void;
};

export type RedeemInput = {
  readonly userId: string;
  readonly itemId: string;
  /** The price that the confirm screen showed. */
  readonly points: bigint;
  /** Minted before the confirm button was shown. */
  readonly idemKey: string;
  readonly buttonId: string;
};

/**
 * Gives points for an item: balance, stock, budget, the entitlement and, for a rebate, the debt in ONE commit. A repeat with the
 * same key comes back with the first one's redemption and `created: false`. Under the person's lock, so that a limit per person
 * holds; stock and budget are rows with their own locks, always taken in this order. Throws BUTTON_STALE, OFFER_CHANGED,
 * SHOP_LIMIT, SHOP_NEEDS_TRADE, SOLD_OUT, POINTS_SHORT.
 */
export async function redeem(
  deps: RedeemDeps,
  input: RedeemInput,
): Promise<{ readonly redemption: Redemption; readonly created: boolean }> {
  const result = await deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const known = await stores.shop.findByKey(input.idemKey);
    if (known !== null) {
      if (known.userId !== user.id) throw new AppError('BUTTON_STALE', {});
      return { redemption: known, created: false };
    }
    if ((await stores.buttons.consume(input.buttonId, user.id, deps.clock.now())) === null) {
      throw new AppError('BUTTON_STALE', {});
    }
    return { redemption: await take(deps, stores, user, input), created: true };
  });
  if (result.created && result.redemption.effect.kind === 'sol-rebate') deps.nudge?.();
  return result;
}

async function take(deps: RedeemDeps, stores: Stores, user: User, input: RedeemInput): Promise<Redemption> {
  const { ids } = deps;
  const now = deps.clock.now();
  const item = shopAt(now).find(({ id }) => id === input.itemId);
  if (item === undefined || item.points !== input.points) throw new AppError('OFFER_CHANGED', {});
  const before = await stores.shop.listByUser(user.id);
  await assertMayHave(stores, user, item, before);
  if ((await stores.shop.take(item.id, 1n)) === false) throw new AppError('SOLD_OUT', {});
  const { effect } = item;
  if (effect.kind === 'sol-rebate' && (await stores.shop.take(REBATE_BUDGET, effect.lamports)) !== true) {
    throw new AppError('SOLD_OUT', {});
  }
  const redemption: Redemption = {
    id: ids.ulid(),
    userId: user.id,
    idemKey: input.idemKey,
    item: item.id,
    points: item.points,
    effect,
    ...effectSpan(effect, before, now),
    createdAt: now,
  };
  const stamp = () => ({ id: ids.ulid(), createdAt: now });
  await spendPoints(
    stores,
    user.id,
    item.points,
    redeemTransfer(stamp(), {
      userId: user.id,
      redemptionId: redemption.id,
      item: item.id,
      points: item.points,
    }),
  );
  await stores.shop.insert(redemption);
  if (effect.kind === 'sol-rebate') {
    const { lamports } = effect;
    const { id, userId, createdAt } = redemption;
    const transfer = rebateTransfer(stamp(), { redemptionId: id, userId, lamports });
    await oweLamports(ids, stores, { source: 'rebate', name: id, userId, lamports, createdAt, transfer });
  }
  return redemption;
}

async function assertMayHave(
  stores: Stores,
  user: User,
  item: ShopItem,
  before: readonly Redemption[],
): Promise<void> {
  const owned = before.filter((redemption) => redemption.item === item.id).length;
  if (item.perPerson !== null && owned >= item.perPerson) {
    throw new AppError('SHOP_LIMIT', { max: item.perPerson });
  }
  if (item.needsTrade) await assertHasTraded(stores, user.id);
}
