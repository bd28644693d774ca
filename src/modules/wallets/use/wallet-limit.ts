import { countOf } from '../../points/rules/holdings.ts';
import type { ShopStore } from '../../points/store/shop-store-port.ts';

/** How many deposit wallets a person can keep: the operator's limit, and one more for each slot they redeemed. */
export async function walletLimit(
  shop: Pick<ShopStore, 'listByUser'>,
  maxWallets: number,
  userId: string,
): Promise<number> {
  return maxWallets + countOf(await shop.listByUser(userId), 'wallet-slot');
}
