import type { Address } from '@tradepost/solana';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { discountAt } from '../rules/holdings.ts';
import type { Redemption } from '../rules/shop.ts';

/** Owners that are remembered: whose a wallet is never changes. */
const REMEMBERED = 10_000;
/** A card, its quote and the request that follows ask within a moment. A redeemed discount counts this much later. */
const MOMENT_MS = 2_000;

/** The present discount on the platform fee for the owner of a deposit wallet; 0 for wallets without an owner. */
export function createFeeDiscount(deps: {
  readonly db: Pick<Database, 'wallets' | 'shop'>;
  readonly clock: Clock;
}): (wallet: Address) => Promise<Bps> {
  const owners = new Map<Address, string>();
  const asked = new Map<
    string,
    { readonly at: Mark; readonly redemptions: Promise<readonly Redemption[]> }
  >();

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

  function redemptionsOf(owner: string): Promise<readonly Redemption[]> {
    for (const [known, { at }] of asked) {
      if (elapsedSince(at, deps.clock) < MOMENT_MS) break;
      asked.delete(known);
    }
    const known = asked.get(owner);
    if (known !== undefined) return known.redemptions;
    const redemptions = deps.db.shop.listByUser(owner);
    asked.set(owner, { at: markOf(deps.clock), redemptions });
    // A failed read is repeated.
    redemptions.catch(() => asked.delete(owner));
    return redemptions;
  }

  return async (wallet) => {
    const owner = await ownerOf(wallet);
    if (owner === null) return bps(0);
    // Judged by the moment of the question: a discount that ended is none.
    return discountAt(await redemptionsOf(owner), deps.clock.now());
  };
}
