import type { Address } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { WalletFeed } from '../../../platform/ports/wallet-feed.ts';
import type { AskAgreement } from './agree.ts';
import type { TellDeps } from './tell-deposits.ts';
import type { WatchedAccount } from './watched-accounts.ts';

export type DepositWatchDeps = TellDeps & {
  readonly chain: Pick<Chain, 'accounts' | 'token'>;
  /** The joint answer of two nodes about a transaction. */
  readonly agree: AskAgreement;
  readonly programs: Pick<Programs, 'associatedTokenAddress'>;
  readonly feed: WalletFeed;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Whether this process watches a wallet: each is watched by one. */
  readonly owns: (walletId: string) => boolean;
};

/** The state of a watcher in memory; all of it can be read anew. */
export type WatchState = {
  /** In the order in which they came: the feed's connections rest on it. */
  readonly accounts: Map<Address, WatchedAccount>;
  /** Those with a look ahead of them. */
  readonly due: Set<WatchedAccount>;
  /** Wallets that nothing hinted at since the start. */
  readonly backlog: WatchedAccount[];
  /** Transactions that were judged lately, by wallet. */
  readonly judged: ReturnType<typeof rememberLast>;
  /** Called after a commit that reports a deposit. */
  onTold: () => void;
  /** Called after a commit that keeps a transaction as unread. */
  onSetAside: () => void;
};

/** A node may list a transaction before it serves it. Then it is read again, each time twice as late. */
const AGAIN_MS = 300;
export const MOST_TRIES = 4;
const REMEMBERED = 5_000;

export function newWatchState(): WatchState {
  return {
    accounts: new Map(),
    due: new Set(),
    backlog: [],
    judged: rememberLast(REMEMBERED),
    onTold: () => undefined,
    onSetAside: () => undefined,
  };
}

/** Has an account looked at, at `at` or earlier. */
export function lookAt({ due }: WatchState, one: WatchedAccount, at: number): void {
  one.nextLook = Math.min(one.nextLook ?? at, at);
  due.add(one);
}

/** Has it looked at once more, later each time; false when that was tried often enough. */
export function tryAgain(state: WatchState, one: WatchedAccount, now: number): boolean {
  if (one.tries >= MOST_TRIES) return false;
  one.tries += 1;
  lookAt(state, one, now + AGAIN_MS * 2 ** one.tries);
  return true;
}

/** The last so many names. */
function rememberLast(most: number) {
  const names = new Set<string>();
  return {
    has: (name: string) => names.has(name),
    add: (name: string): void => {
      names.add(name);
      const [oldest] = names;
      if (names.size > most && oldest !== undefined) names.delete(oldest);
    },
  };
}
