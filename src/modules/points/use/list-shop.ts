import type { Clock } from '../../../platform/ports/clock.ts';
import { REBATE_BUDGET, type ShopItem, shopAt } from '../rules/shop.ts';
import type { ShopStore } from '../store/shop-store-port.ts';

export type Offer = {
  readonly item: ShopItem;
  /** How many can still be had by anybody; null = any number. */
  readonly left: bigint | null;
  /** How many of them the person has. */
  readonly owned: number;
};

/** The shop as one person sees it now. */
export async function listShop(
  deps: { readonly db: { readonly shop: ShopStore }; readonly clock: Clock },
  userId: string,
): Promise<readonly Offer[]> {
  const items = shopAt(deps.clock.now());
  const [stock, redemptions] = await Promise.all([
    deps.db.shop.stock([REBATE_BUDGET, ...items.map(({ id }) => id)]),
    deps.db.shop.listByUser(userId),
  ]);
  return items.map((item) => ({
    item,
    left: leftOf(item, stock),
    owned: redemptions.filter((redemption) => redemption.item === item.id).length,
  }));
}

/** The item's own stock; a rebate also ends with the budget, which is nothing until an operator fills it. */
function leftOf(item: ShopItem, stock: ReadonlyMap<string, bigint>): bigint | null {
  const pieces = stock.get(item.id) ?? null;
  if (item.effect.kind !== 'sol-rebate') return pieces;
  const affordable = (stock.get(REBATE_BUDGET) ?? 0n) / item.effect.lamports;
  return pieces === null || affordable < pieces ? affordable : pieces;
}
