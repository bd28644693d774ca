import { ageAt, hasAged } from '../../../core/time/age.ts';
import { hasCome } from '../../../core/time/span.ts';
import type { UnreadDeposit } from '../store/deposit-store-port.ts';
import { readDeposit } from './read-deposit.ts';
import type { DepositWatchDeps, WatchState } from './watch-state.ts';

/** After this a transaction that was set aside is read for the first time, and then each time twice as late. */
export const FIRST_LOOK_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Two nodes that deny a transaction for so long are believed: a late one has caught up by then. */
const DENIED_FOR_MS = 3_600_000;
/** The pause while nothing is due. It finds rows that another process set aside. */
const IDLE_MS = 600_000;
const PAGE = 1_000;

/**
 * Reads transactions again that could not be read: until they can be, or until two nodes deny them for an hour. A row that nodes deny
 * stays, as a trace for an operator, and is read no more.
 */
export function createReadAgain(deps: DepositWatchDeps, state: WatchState) {
  const { db, clock } = deps;
  let nextAt = clock.now();
  return {
    isDue: () => hasCome(nextAt, clock.now(), IDLE_MS),
    nextAt: () => nextAt,
    later: (at: number): void => {
      nextAt = at;
    },
    /** Something was set aside. */
    noted: (): void => {
      nextAt = Math.min(nextAt, clock.now() + FIRST_LOOK_MS);
    },
    async run(): Promise<void> {
      const now = clock.now();
      nextAt = now + IDLE_MS;
      for (const one of await db.deposits.unread(PAGE)) {
        if (one.nextLook === null || !deps.owns(one.walletId)) continue;
        const isDue = hasCome(one.nextLook, now, LONGEST_PAUSE_MS);
        const next = isDue ? await readOnce(deps, state, one) : one.nextLook;
        if (next !== null) nextAt = Math.min(nextAt, next);
      }
    },
  };
}

/** When it is read again; null when it is over. */
async function readOnce(
  deps: DepositWatchDeps,
  state: WatchState,
  one: UnreadDeposit,
): Promise<number | null> {
  const { db, clock, log } = deps;
  const { walletId, account, signature, seenAt } = one;
  const wallet = await db.wallets.find(walletId);
  if (wallet === null || wallet.userId === null) {
    await db.deposits.endUnread(one);
    return null;
  }
  const place = { walletId, userId: wallet.userId, address: wallet.address };
  const unread = await readDeposit(deps, state, { place, signature, since: seenAt }, (stores) =>
    stores.deposits.endUnread(one),
  );
  if (unread === null) {
    await db.deposits.endUnread(one);
    return null;
  }
  const now = clock.now();
  const isOver = unread.denied && hasAged(seenAt, DENIED_FOR_MS, now);
  const pauseMs = Math.min(Math.max(ageAt(seenAt, now), FIRST_LOOK_MS), LONGEST_PAUSE_MS);
  const nextLook = isOver ? null : now + pauseMs;
  await db.deposits.lookLater(one, unread.cause, nextLook);
  if (isOver)
    log.error({ account, signature }, 'two nodes deny a deposit that one listed: it was never here');
  return nextLook;
}
