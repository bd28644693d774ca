import type { Address } from '../../../core/address/address.ts';
import { MAX_U64 } from '../../../core/amounts/lamports.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { RecognizedPool, Venue } from '../../../platform/ports/venue.ts';
import type { PoolCatalogue } from '../store/pool-catalogue-port.ts';

export type BelievePoolsDeps = {
  readonly venues: readonly Venue[];
  readonly chain: Pick<Chain, 'accounts'>;
  readonly catalogue: Pick<PoolCatalogue, 'add' | 'saveSeen'>;
  readonly log: Pick<Logger, 'warn'>;
};

/**
 * Puts those of the addresses into the catalogue that are pools by their venue's own decoder, with their depth; with `asked` only
 * pools that hold all of these mints. Anybody may have named the addresses: nothing else of them is believed. Returns the number of pools. A
 * venue that fails costs its own pools. Throws CHAIN_UNREACHABLE where the accounts cannot be read.
 */
export async function believePools(
  deps: BelievePoolsDeps,
  ids: readonly Address[],
  {
    asked,
    now,
    askedAt,
  }: { readonly asked: readonly Address[]; readonly now: number; readonly askedAt: number },
): Promise<number> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return 0;
  const { accounts } = await deps.chain.accounts(unique);
  const named = unique.flatMap((address, index) => {
    const account = accounts[index] ?? null;
    return account === null ? [] : [{ address, account }];
  });
  let believed = 0;
  for (const { name, programId, upkeep } of deps.venues) {
    const own = named.filter(({ account }) => account.owner === programId);
    if (upkeep === undefined || own.length === 0) continue;
    try {
      const addresses = new Set(own.map(({ address }) => address));
      const pools = (await upkeep.recognize(asked, own)).filter((one) => isCredible(one, addresses));
      await deps.catalogue.add(
        name,
        pools.map(({ pool }) => pool),
        now,
        askedAt,
      );
      await deps.catalogue.saveSeen(
        pools.map(({ pool, slot, reserves }) => ({ id: pool.id, slot, reserves })),
        now,
      );
      believed += pools.length;
    } catch (err) {
      deps.log.warn({ err, venue: name }, 'a venue could not look at pools that were named to it');
    }
  }
  return believed;
}

function isCredible({ pool, reserves }: RecognizedPool, addresses: ReadonlySet<Address>): boolean {
  return addresses.has(pool.id) && reserves.every((units) => units >= 0n && units <= MAX_U64);
}
