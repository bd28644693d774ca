import { type Address, addressFromBytes } from '../../core/address/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WSOL_MINT } from '../../core/address/programs.ts';
import type { Pool, Venue } from '../../core/ports/venue.ts';
import { loadPools } from '../trade/load-pools.ts';

export type WantedDeps = {
  readonly venues: readonly Venue[];
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  /** Accounts of our own that transactions name: where fees go. */
  readonly own: readonly Address[];
};

/** Sizes that a concentrated pool may need different accounts for. */
const AMOUNTS = [1_000_000n, 1_000_000_000n, 100_000_000_000n];
/** Per mint, beside the hubs. */
const MAX_COUNTERPARTS = 6;
const standIn = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const TRADERS = [
  { owner: standIn(1), source: standIn(2), destination: standIn(3) },
  { owner: standIn(4), source: standIn(5), destination: standIn(6) },
] as const;

/**
 * What repeats in trades of these mints against the hubs and what else they are traded against, most frequent first: the programs that instructions name as
 * accounts, the venues' constants, the pools' own accounts, mints, and our own fee account. Nothing that belongs to one
 * trader, nothing that signs, and no program that is called (those may not be looked up). Found by building each pool's swap
 * for two different traders: what both name is the pool's. Throws as `loadPools` when no venue can be asked.
 */
export async function wantedEntries(
  deps: WantedDeps,
  mints: readonly Address[],
): Promise<readonly Address[]> {
  const pairs = new Map<string, readonly [Address, Address]>();
  for (const mint of [...deps.hubs, ...mints]) {
    // Nobody is asked what trades against a hub: that list is endless.
    const near = deps.hubs.includes(mint) ? [] : await counterparts(deps.venues, mint);
    for (const other of [...deps.hubs, ...near]) {
      if (mint !== other) pairs.set([other, mint].toSorted().join(' '), [other, mint]);
    }
  }
  const pools = new Map<Address, Pool>();
  for (const [a, b] of pairs.values()) {
    // One pair after the other: this is an operator's errand, and nodes count requests.
    for (const pool of await loadPools(deps.venues, a, b)) pools.set(pool.id, pool);
  }
  const counts = new Map<Address, number>();
  const count = (address: Address): void => void counts.set(address, (counts.get(address) ?? 0) + 1);
  for (const pool of pools.values()) for (const address of accountsOf(pool)) count(address);
  const always = [SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, WSOL_MINT, ...deps.own, ...deps.hubs];
  const rest = [...mints, ...counts.keys()].toSorted(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  return [...new Set([...always, ...rest])];
}

async function counterparts(venues: readonly Venue[], mint: Address): Promise<readonly Address[]> {
  const answers = await Promise.allSettled(venues.map((venue) => venue.counterparts(mint)));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return [...new Set(found)].slice(0, MAX_COUNTERPARTS);
}

/** The accounts that swapping on this pool names whoever trades. A pool that builds nothing gives nothing. */
function accountsOf(pool: Pool): ReadonlySet<Address> {
  const found = new Set<Address>();
  for (const mintIn of pool.mints) {
    for (const amountIn of AMOUNTS) {
      const [first, second] = TRADERS.map((trader) => namedBy(pool, mintIn, amountIn, trader));
      for (const address of first ?? []) if (second?.has(address)) found.add(address);
    }
  }
  return found;
}

function namedBy(
  pool: Pool,
  mintIn: Address,
  amountIn: bigint,
  trader: (typeof TRADERS)[number],
): ReadonlySet<Address> {
  try {
    const swap = pool.swap({ ...trader, mintIn, amountIn, amountOut: 0n, minOut: 0n, destinationHolds: 0n });
    const barred = new Set<Address>();
    for (const { programId, accounts } of swap) {
      barred.add(programId);
      for (const { address, signer } of accounts) if (signer) barred.add(address);
    }
    return new Set(
      swap.flatMap(({ accounts }) =>
        accounts.flatMap(({ address }) => (barred.has(address) ? [] : [address])),
      ),
    );
  } catch {
    return new Set();
  }
}
