import type { Address } from '@tradepost/solana';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';

/** Bounds of the search for a wallet's funder. */
export const FUNDER = {
  /** Pages of signatures, and signatures of one: a node gives no more. */
  pages: 5,
  page: 1_000,
  /** Transactions that are read, from the oldest on. */
  reads: 10,
  /** Between two tries where the node gave no answer: doubled each time, up to the longest. */
  retryMs: 15_000,
  longestRetryMs: 6 * 3_600_000,
} as const;

/**
 * How a search ended. `found`: the funder is known. `long`: the wallet has more signatures than its pages hold. `cut`: the node's list begins
 * in the middle of the wallet's life. `unclear`: its first SOL has no one sender who signed.
 */
export type FunderEnd = 'found' | 'long' | 'cut' | 'unclear';

/** The search for the sender of a followed wallet's first SOL. */
export type LeaderFunder = {
  readonly leader: Address;
  /** Null unless it was found. */
  readonly funder: Address | null;
  /** Null while it goes on. */
  readonly ended: FunderEnd | null;
  /** How often the node gave no answer, and from when on it is asked again (epoch milliseconds); null before the first time. */
  readonly tries: number;
  readonly retryAt: number | null;
};

/** The search after a try without an answer: a refusal of the node says nothing about the wallet. */
export function afterNoAnswer(search: LeaderFunder, now: number): LeaderFunder {
  const waitMs = Math.min(FUNDER.retryMs * 2 ** search.tries, FUNDER.longestRetryMs);
  return { ...search, tries: search.tries + 1, retryAt: now + waitMs };
}

/** `none`: no SOL came to the wallet. `cut`: the wallet had SOL before, so an earlier transaction brought it. */
export type Funding =
  | { readonly kind: 'none' | 'cut' | 'unclear' }
  | { readonly kind: 'found'; readonly funder: Address };

/**
 * The sender of the SOL that a transaction brought to a wallet without any. The sender is the one account that signed and lost more than half
 * of the sum, the network's fee put back: a node rounds what an account of millions of SOL holds. Where two did, or a program's account paid,
 * the sender is unclear.
 */
export function fundingIn(
  {
    err,
    balances,
    feeLamports,
    signatureCount,
  }: Pick<LandedTransaction, 'err' | 'balances' | 'feeLamports' | 'signatureCount'>,
  wallet: Address,
): Funding {
  const own = balances.find(({ address }) => address === wallet);
  if (err !== null || own === undefined) return { kind: 'none' };
  if (own.before > 0n) return { kind: 'cut' };
  if (own.after === 0n) return { kind: 'none' };
  const senders = balances
    .slice(0, signatureCount)
    .map(({ address, before, after }, index) => ({
      address,
      gave: before - after - (index === 0 ? feeLamports : 0n),
    }))
    .filter(({ address, gave }) => address !== wallet && 2n * gave > own.after);
  const [funder, other] = senders;
  if (funder === undefined || other !== undefined) return { kind: 'unclear' };
  return { kind: 'found', funder: funder.address };
}

/**
 * How many funders some wallets have, and how many of the wallets have none that is known. A wallet that one of the others funded counts with
 * that one.
 */
export function countFunders(
  wallets: readonly Address[],
  funderOf: ReadonlyMap<Address, Address>,
): { readonly funders: number; readonly unknown: number } {
  const others = new Set(wallets);
  const rootOf = (wallet: Address): Address | null => {
    let root = wallet;
    for (let steps = 0; steps <= wallets.length; steps += 1) {
      const next = funderOf.get(root);
      if (next === undefined) break;
      root = next;
      if (!others.has(root)) break;
    }
    return root === wallet ? null : root;
  };
  const funders = new Set(wallets.map(rootOf).filter((root) => root !== null));
  return {
    funders: funders.size,
    unknown: wallets.filter((wallet) => rootOf(wallet) === null && !funders.has(wallet)).length,
  };
}
