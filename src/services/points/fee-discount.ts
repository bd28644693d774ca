import type { Address } from '../../core/address/address.ts';
import { type Bps, bps } from '../../core/amounts/bps.ts';
import { discountAt } from '../../core/points/holdings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database } from '../../core/ports/stores.ts';

/** Owners that are remembered: whose a wallet is never changes. */
const REMEMBERED = 10_000;

/** What the owner of a deposit wallet is let off the platform fee now; 0 for wallets that are nobody's. */
export function createFeeDiscount(deps: {
  readonly db: Pick<Database, 'wallets' | 'shop'>;
  readonly clock: Clock;
}): (wallet: Address) => Promise<Bps> {
  const owners = new Map<Address, string>();
  /** Reads under way: a card that prices both sides at once asks once. */
  const asked = new Map<string, Promise<Bps>>();

  async function ownerOf(wallet: Address): Promise<string | null> {
    const known = owners.get(wallet);
    if (known !== undefined) return known;
    const userId = (await deps.db.wallets.findByAddress(wallet))?.userId ?? null;
    if (userId === null) return null;
    owners.set(wallet, userId);
    const [oldest] = owners.keys();
    if (owners.size > REMEMBERED && oldest !== undefined) owners.delete(oldest);
    return userId;
  }

  async function read(owner: string): Promise<Bps> {
    return discountAt(await deps.db.shop.listByUser(owner), deps.clock.now());
  }

  return async (wallet) => {
    const owner = await ownerOf(wallet);
    if (owner === null) return bps(0);
    const known = asked.get(owner);
    if (known !== undefined) return known;
    const reading = read(owner).finally(() => asked.delete(owner));
    asked.set(owner, reading);
    return reading;
  };
}
