import type { Stores } from '../../../platform/ports/stores.ts';
import { type Agreement, isTellable } from '../rules/agreement.ts';
import { tokenAccountsOf } from '../rules/arrivals.ts';
import type { UnreadCause } from '../store/deposit-store-port.ts';
import { type DepositPlace, tellDeposits } from './tell-deposits.ts';
import type { DepositWatchDeps, WatchState } from './watch-state.ts';
import { newAccount } from './watched-accounts.ts';

export type ListedTransaction = {
  readonly place: DepositPlace;
  readonly signature: string;
  /** Epoch milliseconds: an older transaction is no news of a token account that the transaction names. */
  readonly since: number;
};

/** Why a transaction is unread. `denied`: two nodes of different hosts know no such transaction. */
export type NotRead = { readonly cause: UnreadCause; readonly denied: boolean };

/**
 * Reads one listed transaction, reports the deposits in it, and watches the token accounts that it names. `done` is part of the commit that
 * reports them. Null once it is read; the reason where it could not be read, and then nothing was reported.
 */
export async function readDeposit(
  deps: DepositWatchDeps,
  state: WatchState,
  listed: ListedTransaction,
  done: (stores: Stores) => Promise<void>,
): Promise<NotRead | null> {
  const { place, signature } = listed;
  const agreement = await deps.agree(signature, place.address).catch((err: unknown): Agreement => {
    deps.log.warn({ err, signature }, 'no node served a transaction that one lists');
    return { kind: 'unserved' };
  });
  if (agreement.kind === 'gone') return { cause: 'gone', denied: agreement.sources === 2 };
  if (agreement.kind !== 'agreed') return { cause: agreement.kind, denied: false };
  if (!isTellable(agreement)) return { cause: 'open', denied: false };
  const { landed, sources } = agreement;
  try {
    if (await tellDeposits(deps, place, landed, sources, done)) state.onTold();
  } catch (err) {
    deps.log.warn({ err, signature }, 'a deposit could not be told yet');
    return { cause: 'failed', denied: false };
  }
  followTokens(deps, state, listed, tokenAccountsOf(landed, place.address));
  return null;
}

function followTokens(
  { feed, owns }: DepositWatchDeps,
  { accounts }: WatchState,
  { place, signature, since }: ListedTransaction,
  named: ReturnType<typeof tokenAccountsOf>,
): void {
  const news = named.filter(({ account }) => !accounts.has(account));
  if (news.length === 0 || !owns(place.walletId)) return;
  for (const { account, units } of news) {
    accounts.set(account, {
      ...newAccount(place, { account, signature, held: units, since }),
      changed: true,
    });
  }
  feed.follow([...accounts.keys()]);
}
