import { type Address, readTokenAccount } from '@tradepost/solana';
import { isYoung } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TokenHolders } from '../../../platform/ports/token-holders.ts';
import { type BelievePoolsDeps, believePools } from './believe-pools.ts';
import { namedIn, type SearchHistoryDeps } from './search-history.ts';

const MOST_HOLDERS = 20;
/** Vaults under the one owner of all vaults of a venue, whose transactions are read. */
const MOST_VAULTS = 2;
const OF_A_VAULT = { signatures: 5, transactions: 1, accounts: 100 } as const;
/** The largest holders of a token change slower than its transactions. */
const AGAIN_AFTER_MS = 3_600_000;
const REMEMBERED = 2_000;

export type SearchHoldersDeps = SearchHistoryDeps & {
  readonly holders: Pick<TokenHolders, 'largest'>;
  readonly clock: Clock;
};

/**
 * Finds pools of a mint among its twenty largest holders: a pool keeps its tokens, so the deepest are there. An owner is the pool itself, or it
 * is the one owner of all vaults of a venue; then a transaction of that vault names the pool. At most one ranking, five reads of accounts beside
 * the decoders' own, two lists of signatures and two transactions, once in an hour for a mint. A holder may be anybody: `believePools` judges
 * every address. False where the mint had its turn a while ago, or no node ranks holders. Throws CHAIN_UNREACHABLE.
 */
export function createHoldersSearch(deps: SearchHoldersDeps): (mint: Address) => Promise<boolean> {
  const asked = new Map<Address, number>();
  return async (mint) => {
    const last = asked.get(mint);
    if (last !== undefined && isYoung(last, AGAIN_AFTER_MS, deps.clock)) return false;
    const ranking = await deps.holders.largest(mint);
    if (ranking === null) return false;
    asked.delete(mint);
    asked.set(mint, deps.clock.now());
    const [oldest] = asked.keys();
    if (asked.size > REMEMBERED && oldest !== undefined) asked.delete(oldest);
    await search(deps, mint, [...new Set(ranking.map(({ account }) => account))].slice(0, MOST_HOLDERS));
    return true;
  };
}

async function search(deps: SearchHoldersDeps, mint: Address, ranked: readonly Address[]): Promise<void> {
  if (ranked.length === 0) return;
  const shared = vaultAuthorities(deps);
  const { accounts } = await deps.chain.accounts(ranked);
  const owners = new Set<Address>();
  const vaults: Address[] = [];
  for (const [index, account] of ranked.entries()) {
    const state = accounts[index] ?? null;
    const held = state === null ? null : readTokenAccount(state);
    // A node may rank what it likes: only accounts of this mint say anything about it.
    if (held === null || held.mint !== mint) continue;
    if (shared.has(held.owner)) vaults.push(account);
    else owners.add(held.owner);
  }
  const now = deps.clock.now();
  const found = { asked: [mint], now, askedAt: now };
  await believePools(deps, [...owners], found);
  const named = new Set<Address>();
  for (const vault of vaults.slice(0, MOST_VAULTS)) {
    for (const one of await namedIn(deps, vault, OF_A_VAULT)) named.add(one);
  }
  named.delete(mint);
  for (const one of [...ranked, ...owners, ...shared]) named.delete(one);
  const rest = [...named];
  for (let at = 0; at < rest.length; at += OF_A_VAULT.accounts)
    await believePools(deps, rest.slice(at, at + OF_A_VAULT.accounts), found);
}

function vaultAuthorities({ venues }: Pick<BelievePoolsDeps, 'venues'>): ReadonlySet<Address> {
  return new Set(venues.flatMap(({ upkeep }) => upkeep?.vaultAuthority ?? []));
}
