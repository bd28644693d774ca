import type { ListedHolders } from '../../../platform/ports/token-holders.ts';
import type { LargestAccount } from '../../tokens/rules/concentration.ts';

/** Accounts of `getTokenLargestAccounts` at most. */
const LARGEST = 20;

export type HolderFigures = {
  /** Owners with units of it; null where no source tells all of them. */
  readonly holders: number | null;
  /** There are so many owners at least; null where no source names any. */
  readonly atLeast: number | null;
  /** The twenty largest accounts, the largest first; null where no source tells them. */
  readonly largest: readonly LargestAccount[] | null;
};

/**
 * The holders of a token by all sources that answered, null for one that did not: `counted` by a scan, `listed` by the node's own list,
 * `largest` by the ranking of accounts. A list or a ranking that leaves nothing out is a count.
 */
export function holderFigures(sources: {
  readonly counted: number | null;
  readonly listed: ListedHolders | null;
  readonly largest: readonly LargestAccount[] | null;
}): HolderFigures {
  const { counted, listed } = sources;
  const largest = sources.largest ?? (listed?.isAll === true ? rankingOf(listed) : null);
  const ranked = sources.largest === null ? null : ownersOf(sources.largest);
  const named = listed === null ? null : ownersOf(listed.accounts);
  const isRankingAll = sources.largest !== null && leavesNothingOut(sources.largest);
  const all = (listed?.isAll === true ? named : null) ?? (isRankingAll ? ranked : null);
  const holders = counted ?? all;
  return { holders, atLeast: holders ?? named ?? ranked, largest };
}

const rankingOf = ({ accounts }: ListedHolders): readonly LargestAccount[] =>
  accounts.toSorted((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0)).slice(0, LARGEST);

/** Fewer than twenty accounts, or an empty one among them: no other account has any. */
const leavesNothingOut = (largest: readonly LargestAccount[]): boolean =>
  largest.length < LARGEST || largest.some(({ amount }) => amount === 0n);

/** Null where an account's owner could not be read. */
function ownersOf(accounts: readonly Pick<LargestAccount, 'owner' | 'amount'>[]): number | null {
  const holding = accounts.filter(({ amount }) => amount > 0n);
  if (holding.some(({ owner }) => owner === null)) return null;
  return new Set(holding.map(({ owner }) => owner)).size;
}
