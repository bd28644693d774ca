import { type Address, type ChainAccount, readTokenAccount, WSOL_MINT } from '@tradepost/solana';
import type { MintFacts, Pool, PoolVaults } from '@tradepost/venues';
import type { Chain } from '../../ports/chain.ts';
import type { Programs } from '../../ports/programs.ts';
import type { PoolKeeper, PoolState, Venue } from '../../ports/venue.ts';
import type { HotAccounts } from '../exchange-venue.ts';
import { createDeskClient, type DeskPoolRecord } from './desk-client.ts';
import { deskPool } from './pool.ts';

/** New pools show up this late; the accounts themselves are read for every quote. */
const LISTING_TTL_MS = 5_000;
/** A pair that is not listed may have been launched a moment ago. */
const MISSING_TTL_MS = 300;

export type DeskDeps = {
  readonly deskUrl: string;
  readonly chain: Pick<Chain, 'accounts' | 'token' | 'epoch'>;
  readonly programs: Programs;
  /** Follows the vaults of quoted pools, so that a change brings a look. They are read for every quote all the same. */
  readonly hotAccounts?: Pick<HotAccounts, 'want'>;
};

/** The demonstration exchange of the local chain. Its prices are real arithmetic over real on-chain balances. */
export function createDeskVenue(deps: DeskDeps): Venue {
  const client = createDeskClient(deps.deskUrl);
  const listing = createListing(() => client.pools());

  return {
    name: 'desk',

    pools: async (mintA, mintB) => {
      const listed = pairOf(await listing(LISTING_TTL_MS), mintA, mintB);
      const records = listed.length > 0 ? listed : pairOf(await listing(MISSING_TTL_MS), mintA, mintB);
      for (const { id, vaultA, vaultB } of records) deps.hotAccounts?.want(id, [vaultA, vaultB]);
      return (await loadPools(deps, records)).map(({ pool }) => pool);
    },

    counterparts: async (mint) => {
      const others = (await listing(LISTING_TTL_MS)).flatMap((record) =>
        record.mintA === mint ? [record.mintB] : record.mintB === mint ? [record.mintA] : [],
      );
      return [...new Set(others)];
    },

    featured: async () => {
      const mints = (await listing(LISTING_TTL_MS)).flatMap(({ mintA, mintB }) => [mintA, mintB]);
      return [...new Set(mints)].filter((mint) => mint !== WSOL_MINT);
    },

    markets: {
      list: async () =>
        (await listing(MISSING_TTL_MS)).map(({ id, mintA, mintB }) => ({ id, mints: [mintA, mintB] })),
      describe: async (pools) => {
        const records = new Map((await listing(LISTING_TTL_MS)).map((record) => [record.id, record]));
        return Promise.all(pools.map(({ id }) => describeDeskPool(deps.chain, records.get(id))));
      },
      states: async (pools) => {
        const records = new Map((await listing(LISTING_TTL_MS)).map((record) => [record.id, record]));
        const loaded = await loadPools(
          deps,
          pools.flatMap(({ id }) => records.get(id) ?? []),
        );
        const byId = new Map(loaded.map((state) => [state.pool.id, state]));
        return pools.map(({ id }) => byId.get(id) ?? null);
      },
    },

    coSign: async (message, signers) => {
      const signatures = await client.coSign(message);
      return new Map([...signatures].filter(([maker]) => signers.includes(maker)));
    },
  };
}

/** The pools of these records, all of one slot; those that cannot be priced are left out. */
async function loadPools(
  { chain, programs }: Pick<DeskDeps, 'chain' | 'programs'>,
  records: readonly DeskPoolRecord[],
): Promise<readonly (PoolState & { readonly pool: Pool })[]> {
  if (records.length === 0) return [];
  const mints = [...new Set(records.flatMap(({ mintA, mintB }) => [mintA, mintB]))];
  const [state, epoch, tokens] = await Promise.all([
    // As the maker sees them, who signs at the price of this moment: by confirmed state, every quote of the next half second would be
    // refused after a trade. The maker's signed price counts, also when a block is rolled back.
    chain.accounts(
      records.flatMap((record) => [record.vaultA, record.vaultB]),
      'processed',
    ),
    chain.epoch(),
    Promise.all(mints.map((mint) => chain.token(mint))),
  ]);
  const facts = new Map(
    tokens.flatMap((token) => (token !== null && isPriceable(token) ? [[token.mint, token] as const] : [])),
  );
  const { slot } = state;
  return records.flatMap((record, index) => {
    const [mintA, mintB] = [facts.get(record.mintA), facts.get(record.mintB)];
    if (mintA === undefined || mintB === undefined) return [];
    const balanceA = vaultBalance(state.accounts[2 * index], mintA);
    const balanceB = vaultBalance(state.accounts[2 * index + 1], mintB);
    if (balanceA === null || balanceB === null) return [];
    const pool = deskPool({ programs, record, mintA, mintB, balanceA, balanceB, epoch, slot });
    return [{ pool, reserves: [balanceA, balanceB] as const }];
  });
}

/** The desk has no program: its swaps are transfers of the token program. */
async function describeDeskPool(
  chain: Pick<Chain, 'token'>,
  record: DeskPoolRecord | undefined,
): Promise<(PoolVaults & PoolKeeper) | null> {
  if (record === undefined) return null;
  const [mintA, mintB] = await Promise.all([chain.token(record.mintA), chain.token(record.mintB)]);
  if (mintA === null || mintB === null) return null;
  const { programA: programId, vaultA, vaultB } = record;
  return { kind: 'tokens', programId, vaults: [vaultA, vaultB], mints: [mintA, mintB] };
}

function pairOf(
  records: readonly DeskPoolRecord[],
  mintA: Address,
  mintB: Address,
): readonly DeskPoolRecord[] {
  return records.filter(
    (record) =>
      (record.mintA === mintA && record.mintB === mintB) ||
      (record.mintA === mintB && record.mintB === mintA),
  );
}

/** The units in a vault; null for an account of another program or mint, and for a frozen one: nothing can leave it. */
function vaultBalance(account: ChainAccount | null | undefined, facts: MintFacts): bigint | null {
  if (account === null || account === undefined || account.owner !== facts.tokenProgram) return null;
  const vault = readTokenAccount(account);
  return vault === null || vault.frozen || vault.mint !== facts.mint ? null : vault.amount;
}

/** The desk moves tokens by plain transfers: a hook would need accounts that it does not pass. */
function isPriceable(facts: MintFacts): boolean {
  return !facts.extensions.nonTransferable && facts.extensions.transferHook === null;
}

/** The list of pools, no older than the caller allows and fetched once however many ask at a time; a failure is not kept. */
function createListing(
  load: () => Promise<readonly DeskPoolRecord[]>,
): (maxAgeMs: number) => Promise<readonly DeskPoolRecord[]> {
  let current: { readonly at: number; readonly records: Promise<readonly DeskPoolRecord[]> } | null = null;
  return (maxAgeMs) => {
    if (current !== null && performance.now() < current.at + maxAgeMs) return current.records;
    const fresh = { at: performance.now(), records: load() };
    current = fresh;
    fresh.records.catch(() => {
      if (current === fresh) current = null;
    });
    return fresh.records;
  };
}
