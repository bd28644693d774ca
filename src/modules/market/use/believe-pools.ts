import { type Address, MAX_U64 } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { NamedAccount, RecognizedPool, Venue } from '../../../platform/ports/venue.ts';
import type { PoolCatalogue } from '../store/pool-catalogue-port.ts';

export type LookAtNamedDeps = {
  readonly venues: readonly Venue[];
  readonly chain: Pick<Chain, 'accounts'>;
  readonly log: Pick<Logger, 'warn'>;
};

export type BelievePoolsDeps = LookAtNamedDeps & {
  readonly catalogue: Pick<PoolCatalogue, 'add' | 'saveSeen'>;
};

/** The verdict on an address that a person named as a pool. */
export type NamedLook =
  /** A pool that its venue prices now. */
  | { readonly kind: 'pool'; readonly id: Address; readonly venue: string; readonly seen: RecognizedPool }
  /** There is no such account. */
  | { readonly kind: 'absent'; readonly id: Address }
  /** No venue of this service owns the account. */
  | { readonly kind: 'foreign'; readonly id: Address; readonly owner: Address }
  /** The venue's decoder refuses it, or does not find the asked mints in it. */
  | { readonly kind: 'refused'; readonly id: Address; readonly venue: string }
  /** The venue could not look. */
  | { readonly kind: 'unread'; readonly id: Address; readonly venue: string };

/**
 * Looks at addresses that anybody may have named, each once and in the order named: pools are those by their venue's own decoder, and with
 * `asked` only those that hold all of these mints. Writes nothing. A venue that fails costs its own addresses. Throws CHAIN_UNREACHABLE where
 * the accounts cannot be read.
 */
export async function lookAtNamed(
  { venues, chain, log }: LookAtNamedDeps,
  ids: readonly Address[],
  asked: readonly Address[],
): Promise<readonly NamedLook[]> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return [];
  const { accounts } = await chain.accounts(unique);
  const looks = new Map<Address, NamedLook>();
  const named: NamedAccount[] = [];
  for (const [index, id] of unique.entries()) {
    const account = accounts[index] ?? null;
    if (account === null) looks.set(id, { kind: 'absent', id });
    else {
      looks.set(id, { kind: 'foreign', id, owner: account.owner });
      named.push({ address: id, account });
    }
  }
  for (const { name, programId, upkeep } of venues) {
    const own = named.filter(({ account }) => account.owner === programId);
    if (upkeep === undefined || own.length === 0) continue;
    for (const { address: id } of own) looks.set(id, { kind: 'refused', id, venue: name });
    try {
      for (const seen of await upkeep.recognize(asked, own)) {
        const { id } = seen.pool;
        if (own.some(({ address }) => address === id) && isCredible(seen))
          looks.set(id, { kind: 'pool', id, venue: name, seen });
      }
    } catch (err) {
      for (const { address: id } of own) looks.set(id, { kind: 'unread', id, venue: name });
      log.warn({ err, venue: name }, 'a venue could not look at pools that were named to it');
    }
  }
  return unique.flatMap((id) => looks.get(id) ?? []);
}

/**
 * Puts those of the addresses into the catalogue that are pools by `lookAtNamed`, with their depth. Anybody may have named the addresses:
 * nothing else of them is believed. Returns the number of pools. Throws CHAIN_UNREACHABLE where the accounts cannot be read.
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
  return catalogueNamed(deps, await lookAtNamed(deps, ids, asked), { now, askedAt });
}

/** Writes the pools among these looks into the catalogue, with their depth, as asked for at `askedAt`. Returns their number. */
export async function catalogueNamed(
  { catalogue }: Pick<BelievePoolsDeps, 'catalogue'>,
  looks: readonly NamedLook[],
  { now, askedAt }: { readonly now: number; readonly askedAt: number },
): Promise<number> {
  const pools = looks.flatMap((look) => (look.kind === 'pool' ? [look] : []));
  for (const venue of new Set(pools.map((one) => one.venue))) {
    const own = pools.filter((one) => one.venue === venue).map(({ seen }) => seen);
    await catalogue.add(
      venue,
      own.map(({ pool }) => pool),
      now,
      askedAt,
    );
    await catalogue.saveSeen(
      own.map(({ pool, slot, reserves }) => ({ id: pool.id, slot, reserves })),
      now,
    );
  }
  return pools.length;
}

function isCredible({ reserves }: RecognizedPool): boolean {
  return reserves.every((units) => units >= 0n && units <= MAX_U64);
}
