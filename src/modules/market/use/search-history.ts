import type { Address } from '@tradepost/solana';
import { isYoung } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import { type BelievePoolsDeps, believePools } from './believe-pools.ts';

/** Three transactions of version 1 name 192 accounts. */
const OF_A_MINT = { signatures: 15, transactions: 3, accounts: 200 } as const;
const ACCOUNTS_PER_LOOK = 100;
const AGAIN_AFTER_MS = 10 * 60_000;
const REMEMBERED = 2_000;

export type SearchHistoryDeps = BelievePoolsDeps & {
  readonly chain: Pick<Chain, 'accounts' | 'landed'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly clock: Clock;
};

/**
 * Finds pools of a mint among the accounts that its newest transactions name: every node serves these, also one that lists no program.
 * At most one list of signatures, three transactions and two reads of accounts, beside the decoders' own, once in ten minutes for a mint. Anybody
 * can name any account beside a mint: `believePools` judges them. False where the mint had its turn a while ago. Throws CHAIN_UNREACHABLE.
 */
export function createHistorySearch(deps: SearchHistoryDeps): (mint: Address) => Promise<boolean> {
  const asked = new Map<Address, number>();
  return async (mint) => {
    const last = asked.get(mint);
    if (last !== undefined && isYoung(last, AGAIN_AFTER_MS, deps.clock)) return false;
    asked.delete(mint);
    asked.set(mint, deps.clock.now());
    const [oldest] = asked.keys();
    if (asked.size > REMEMBERED && oldest !== undefined) asked.delete(oldest);
    await search(deps, mint);
    return true;
  };
}

/** The accounts that the newest landed transactions of an account name, itself left out. Throws CHAIN_UNREACHABLE. */
export async function namedIn(
  { history, chain }: Pick<SearchHistoryDeps, 'history' | 'chain'>,
  account: Address,
  most: { readonly signatures: number; readonly transactions: number; readonly accounts: number },
): Promise<readonly Address[]> {
  const page = await history.signatures(account, { before: null, limit: most.signatures });
  const newest = page.filter(({ err }) => err === null).slice(0, most.transactions);
  const landed = await Promise.all(newest.map(({ signature }) => chain.landed(signature)));
  const named = new Set(landed.flatMap((one) => one?.balances.map(({ address }) => address) ?? []));
  named.delete(account);
  return [...named].slice(0, most.accounts);
}

async function search(deps: SearchHistoryDeps, mint: Address): Promise<void> {
  const accounts = await namedIn(deps, mint, OF_A_MINT);
  const now = deps.clock.now();
  for (let at = 0; at < accounts.length; at += ACCOUNTS_PER_LOOK) {
    const some = accounts.slice(at, at + ACCOUNTS_PER_LOOK);
    await believePools(deps, some, { asked: [mint], now, askedAt: now });
  }
}
