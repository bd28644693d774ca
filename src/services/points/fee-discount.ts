import type { Address } from '../../core/address/address.ts';
import { type Bps, bps } from '../../core/amounts/bps.ts';
import { discountAt } from '../../core/points/holdings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database } from '../../core/ports/stores.ts';

/** What the owner of a deposit wallet is let off the platform fee now; 0 for wallets that are nobody's. */
export async function feeDiscount(
  deps: { readonly db: Pick<Database, 'wallets' | 'shop'>; readonly clock: Clock },
  wallet: Address,
): Promise<Bps> {
  const known = await deps.db.wallets.findByAddress(wallet);
  if (known === null || known.userId === null) return bps(0);
  return discountAt(await deps.db.shop.listByUser(known.userId), deps.clock.now());
}
