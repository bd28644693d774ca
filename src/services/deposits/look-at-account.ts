import { tokenAccountsOf } from '../../core/deposits/arrivals.ts';
import { readUnread } from './read-unread.ts';
import { tellDeposits } from './tell-deposits.ts';
import { type DepositWatchDeps, lookAt, tryAgain, type WatchState } from './watch-state.ts';
import { cursorOf, newAccount, type WatchedAccount } from './watched-accounts.ts';

/** What came longer ago is no news any more, and rows of deposits are kept for longer than this. */
const NEWS_FOR_MS = 7 * 86_400_000;
/** Block times are what the cluster's validators think, in whole seconds, and may lie behind the clock here. */
const BEHIND_MS = 60_000;
/** A node may list a transaction long before it serves it. One that none serves for so long is passed over. */
const SERVED_WITHIN_MS = 300_000;
const LONGEST_PAUSE_MS = 30_000;

/** Reads what happened to an account since it was last read, and tells what of it is a deposit. */
export async function lookAtAccount(
  deps: DepositWatchDeps,
  state: WatchState,
  one: WatchedAccount,
): Promise<void> {
  state.due.delete(one);
  one.nextLook = null;
  const since = Math.max(one.since, deps.clock.now() - NEWS_FOR_MS);
  const entries = await readUnread(deps.feed, one);
  for (const { signature, failed, at } of entries) {
    const isOld = at !== null && at + BEHIND_MS <= since;
    if (!isOld && !failed && !(await isJudged(deps, state, one, signature))) return;
    one.signature = signature;
    one.changed = true;
  }
  // Something seemed to have happened, and the list does not say so yet.
  if (entries.length === 0) tryAgain(state, one, deps.clock.now());
}

/** Judges one transaction for the wallet it is about; false while no endpoint serves it: then it is looked at again. */
async function isJudged(
  deps: DepositWatchDeps,
  state: WatchState,
  one: WatchedAccount,
  signature: string,
): Promise<boolean> {
  const { accounts, judged } = state;
  const { place, since } = one;
  const key = `${place.walletId}/${signature}`;
  if (judged.has(key)) return true;
  const landed = await deps.chain.landed(signature);
  if (landed === null && waits(state, one, deps.clock.now())) return false;
  one.unservedSince = null;
  if (landed === null) return true;
  await tellDeposits(deps, place, landed, { ...cursorOf(one), signature });
  judged.add(key);
  const news = tokenAccountsOf(landed, place.address).filter(({ account }) => !accounts.has(account));
  for (const { account, units } of news) {
    accounts.set(account, {
      ...newAccount(place, { account, signature, held: units, since }),
      changed: true,
    });
  }
  if (news.length > 0) deps.feed.follow([...accounts.keys()]);
  return true;
}

/** Has an account looked at again whose next transaction is not served yet; false when that has taken too long. */
function waits(state: WatchState, one: WatchedAccount, now: number): boolean {
  one.unservedSince ??= now;
  const pauseMs = Math.max(1_000, now - one.unservedSince);
  if (now - one.unservedSince >= SERVED_WITHIN_MS) return false;
  lookAt(state, one, now + Math.min(pauseMs, LONGEST_PAUSE_MS));
  return true;
}
