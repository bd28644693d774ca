import {
  type Address,
  addressFromBytes,
  type Instruction,
  ROUTER_EVENT_AUTHORITY,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import type { LaunchOffer, Launchpad, Pool } from '@tradepost/venues';
import { loadPools } from '../../../modules/market/use/load-pools.ts';
import { variantOf } from '../../../modules/trading/rules/router-program/step-variants.ts';
import type { Venue } from '../../../platform/ports/venue.ts';

export type WantedDeps = {
  readonly venues: readonly Venue[];
  /** Those that people may launch at. */
  readonly launchpads: readonly Launchpad[];
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  /** Accounts of our own that transactions name: where fees go. */
  readonly own: readonly Address[];
  /** True where routes may go through the public router program. */
  readonly routerProgram?: boolean;
};

/** Sizes that a concentrated pool may need different accounts for. */
const AMOUNTS = [1_000_000n, 1_000_000_000n, 100_000_000_000n] as const;
/** Per mint, beside the hubs. */
const MAX_COUNTERPARTS = 6;
const standIn = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const TRADERS = [
  { owner: standIn(1), source: standIn(2), destination: standIn(3) },
  { owner: standIn(4), source: standIn(5), destination: standIn(6) },
] as const;

/** Its size changes no account. */
const FIRST_BUY = { lamports: 1_000_000n, minTokens: 1n };
/** As long as an intent's id. */
const SEED = '0'.repeat(26);

/**
 * The accounts that repeat: in launches, and in trades of these mints against the hubs and their other counterparts, most frequent first.
 * The programs that instructions name as accounts, the pads' and venues' constants, the pools' own accounts, mints, and our own fee
 * account. Nothing that belongs to one trader, nothing that signs, and no program that is called (those may not be looked up). Found by
 * building each launch and each pool's swap for two different people: accounts that both name are the pad's or the pool's. A pad that
 * offers nothing now gives nothing. Throws as `loadPools` when no venue can be asked, and the errors of a pad's `offer`.
 */
export async function wantedEntries(
  deps: WantedDeps,
  mints: readonly Address[],
): Promise<readonly Address[]> {
  const pairs = new Map<string, readonly [Address, Address]>();
  for (const mint of [...deps.hubs, ...mints]) {
    // The counterparts of a hub are not asked for: that list is endless.
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
  // The router program is called in the venues' place, so their own programs may be looked up beside it.
  const steps = deps.routerProgram === true ? [...pools.values()].flatMap(stepPrograms) : [];
  const always = [SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, WSOL_MINT, ...deps.own, ...deps.hubs];
  if (deps.routerProgram === true) always.push(ROUTER_EVENT_AUTHORITY, ...steps);
  // Few, and a first buy does not fit without them, so no pool's account comes before them.
  for (const pad of deps.launchpads) {
    // Launches that the common programs carry out name no accounts of a pad's own.
    const offer = pad.program === null ? null : await pad.offer();
    if (offer !== null) always.push(...(await launchAccounts(offer)));
  }
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

/** The accounts that a swap on this pool names for every trader. A pool that builds nothing gives nothing. */
function accountsOf(pool: Pool): ReadonlySet<Address> {
  const found = new Set<Address>();
  for (const mintIn of pool.mints) {
    for (const amountIn of AMOUNTS) {
      const [first, second] = TRADERS.map((trader) => swapOf(pool, mintIn, amountIn, trader));
      for (const address of namedByBoth(first, second)) found.add(address);
    }
  }
  return found;
}

/** The venue's program, where the router program has a step for this pool. */
function stepPrograms(pool: Pool): readonly Address[] {
  return pool.mints.flatMap((mintIn) =>
    swapOf(pool, mintIn, AMOUNTS[1], TRADERS[0]).flatMap((swap) => variantOf(swap)?.variant.program ?? []),
  );
}

/** The accounts that a launch with a first buy names for every launcher. */
async function launchAccounts(offer: LaunchOffer): Promise<ReadonlySet<Address>> {
  const [first, second] = await Promise.all(
    TRADERS.map(({ owner, source, destination }) =>
      offer.build({
        name: '-',
        symbol: '-',
        uri: '-',
        creator: owner,
        mint: source,
        holding: destination,
        firstBuy: FIRST_BUY,
        seed: SEED,
      }),
    ),
  );
  return namedByBoth(first, second);
}

function swapOf(
  pool: Pool,
  mintIn: Address,
  amountIn: bigint,
  trader: (typeof TRADERS)[number],
): readonly Instruction[] {
  try {
    const nothing = { amountOut: 0n, minOut: 0n, destinationHolds: 0n, tokenAccountRent: 0n };
    return pool.swap({ ...trader, mintIn, amountIn, ...nothing });
  } catch {
    return [];
  }
}

function namedByBoth(
  first: readonly Instruction[] = [],
  second: readonly Instruction[] = [],
): ReadonlySet<Address> {
  const others = tableAccounts(second);
  return new Set([...tableAccounts(first)].filter((address) => others.has(address)));
}

/** The accounts that a table may hold: neither a signer nor a program that is called. */
function tableAccounts(instructions: readonly Instruction[]): ReadonlySet<Address> {
  const barred = new Set<Address>();
  for (const { programId, accounts } of instructions) {
    barred.add(programId);
    for (const { address, signer } of accounts) if (signer) barred.add(address);
  }
  return new Set(
    instructions.flatMap(({ accounts }) =>
      accounts.flatMap(({ address }) => (barred.has(address) ? [] : [address])),
    ),
  );
}
