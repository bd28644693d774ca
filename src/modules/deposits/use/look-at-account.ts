import { ageAt, hasAged } from '../../../core/time/age.ts';
import type { UnreadCause } from '../store/deposit-store-port.ts';
import { FIRST_LOOK_MS } from './read-again.ts';
import { readDeposit } from './read-deposit.ts';
import { readUnread } from './read-unread.ts';
import { type DepositWatchDeps, lookAt, tryAgain, type WatchState } from './watch-state.ts';
import { cursorOf, type WatchedAccount } from './watched-accounts.ts';

/** An older arrival is no news any more, and rows of deposits are kept for longer than this. */
const NEWS_FOR_MS = 7 * 86_400_000;
/** Block times are an estimate by the cluster's validators, in whole seconds, and may lie behind the clock here. */
const BEHIND_MS = 60_000;
/**
 * A node may list a transaction long before it serves it, and one node alone is believed only once it is final. One that is unread for so
 * long is kept for later, so that it does not hold up those behind it.
 */
const SERVED_WITHIN_MS = 300_000;
const LONGEST_PAUSE_MS = 30_000;

/** Reads the transactions of an account since it was last read, and reports the deposits among them. */
export async function lookAtAccount(
  deps: DepositWatchDeps,
  state: WatchState,
  one: WatchedAccount,
): Promise<void> {
  state.due.delete(one);
  one.nextLook = null;
  const since = Math.max(one.since, deps.clock.now() - NEWS_FOR_MS) - BEHIND_MS;
  const { entries, more } = await readUnread(deps.feed, one, since);
  for (const { signature, failed, at } of entries) {
    const isOld = at !== null && at <= since;
    if (!isOld && !failed && !(await isJudged(deps, state, one, signature))) return;
    one.signature = signature;
    one.changed = true;
  }
  if (more) lookAt(state, one, deps.clock.now());
  // Something seemed to have happened, and the list does not say so yet.
  if (entries.length === 0) tryAgain(state, one, deps.clock.now());
}

/** Judges one transaction for the wallet it is about, or keeps it as unread; false while it is still waited for: then it is looked at again. */
async function isJudged(
  deps: DepositWatchDeps,
  state: WatchState,
  one: WatchedAccount,
  signature: string,
): Promise<boolean> {
  const { judged } = state;
  const { place, since } = one;
  const key = `${place.walletId}/${signature}`;
  if (judged.has(key)) return true;
  const cursor = { ...cursorOf(one), signature };
  const unread = await readDeposit(deps, state, { place, signature, since }, (stores) =>
    stores.deposits.saveCursors([cursor]),
  );
  if (unread !== null && waits(state, one, deps.clock.now())) return false;
  one.unservedSince = null;
  if (unread !== null) await setAside(deps, state, one, signature, unread.cause);
  judged.add(key);
  return true;
}

/** Keeps a transaction as unread, and moves the cursor behind it, in one commit. */
async function setAside(
  { db, clock, log }: DepositWatchDeps,
  state: WatchState,
  one: WatchedAccount,
  signature: string,
  cause: UnreadCause,
): Promise<void> {
  const { account, place } = one;
  const seenAt = clock.now();
  await db.transact(async (stores) => {
    const { walletId } = place;
    const nextLook = seenAt + FIRST_LOOK_MS;
    await stores.deposits.setAside({ walletId, account, signature, cause, seenAt, nextLook });
    await stores.deposits.saveCursors([{ ...cursorOf(one), signature }]);
  });
  state.onSetAside();
  log.error({ account, signature, cause }, 'a deposit could not be read: it is kept and read again');
}

/** Has an account looked at again whose next transaction is not read yet; false when that has taken too long. */
function waits(state: WatchState, one: WatchedAccount, now: number): boolean {
  one.unservedSince ??= now;
  const pauseMs = Math.max(1_000, ageAt(one.unservedSince, now));
  if (hasAged(one.unservedSince, SERVED_WITHIN_MS, now)) return false;
  lookAt(state, one, now + Math.min(pauseMs, LONGEST_PAUSE_MS));
  return true;
}
