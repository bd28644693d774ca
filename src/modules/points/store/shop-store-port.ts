import type { Redemption } from '../rules/shop.ts';

export interface ShopStore {
  findByKey(idemKey: string): Promise<Redemption | null>;
  /** Throws when the key or id is taken. */
  insert(redemption: Redemption): Promise<void>;
  /** Everything a person ever redeemed, newest first. */
  listByUser(userId: string): Promise<readonly Redemption[]>;
  /** The remaining count, by name; names without a row are not limited and stay out. */
  stock(names: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  /** Takes `amount` away, or nothing when less is left: then `false`. `null` when there is no such row. Locks the row. */
  take(name: string, amount: bigint): Promise<boolean | null>;
  setStock(name: string, remaining: bigint): Promise<void>;
}
