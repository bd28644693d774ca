import { isAppError } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import { hasCome } from '../../../core/time/span.ts';
import { createComparison } from './compare-balances.ts';
import { createSecondLook } from './look-again.ts';
import { lookAtAccount } from './look-at-account.ts';
import { createOwnWallets, saveCursors } from './own-wallets.ts';
import { createReadAgain } from './read-again.ts';
import { type DepositWatchDeps, lookAt, MOST_TRIES, newWatchState, type WatchState } from './watch-state.ts';
import type { WatchedAccount } from './watched-accounts.ts';

/** Rounds for `runWatch`. */
export type DepositWatch = {
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/** A wallet that nothing hints at is read once after a start, so many a second. */
const BACKLOG_MS = 500;
const LOOKS_AT_ONCE = 4;
const AFTER_FAILURE_MS = 5_000;
const SAVE_MS = 300_000;

/**
 * Watches people's wallets for transfers from others. After a web socket's hint, or a changed balance, an account's newest confirmed
 * transactions are read. The state in memory is a copy, so a watcher that dies loses nothing. The next one reads on from the saved place,
 * and reported deposits are known by their key. Costs the database a statement every ten seconds while nothing comes.
 */
export function createDepositWatch(deps: DepositWatchDeps): DepositWatch {
  const { clock, feed } = deps;
  const state = newWatchState();
  const chores = createChores(deps, state);
  const backlog = createBacklog(deps, state);
  const carefully = createCare(deps);
  let poke = (): void => undefined;
  let saveAt = clock.now() + SAVE_MS;
  const save = (): Promise<void> => saveCursors(deps, state.accounts.values());
  feed.onHint((account) => {
    const one = state.accounts.get(account);
    if (one === undefined) return;
    one.tries = 0;
    lookAt(state, one, clock.now());
    poke();
  });

  async function round(): Promise<number> {
    for (const part of chores) {
      if (part.isDue())
        await carefully(
          () => part.run(),
          (at) => part.later(at),
        );
    }
    const some = readyAccounts(state, clock.now());
    const looks = some.length > 0 ? some : backlog.take();
    await Promise.all(
      looks.map((one) =>
        carefully(
          () => lookAtAccount(deps, state, one),
          (at) => lookAt(state, one, at),
        ),
      ),
    );
    if (hasCome(saveAt, clock.now(), SAVE_MS)) {
      saveAt = clock.now() + SAVE_MS;
      await carefully(save, () => undefined);
    }
    const parts = [...chores, backlog].map((part) => part.nextAt());
    return Math.max(1, leftAt(Math.min(saveAt, nextLookAt(state), ...parts), clock.now()));
  }

  return {
    round,
    onAdd: (call) => {
      poke = call;
    },
    stop: async () => {
      feed.stop();
      // Best effort: without it the next start reads a little more.
      await save().catch(() => undefined);
    },
  };
}

/** Work that comes from time to time, with or without new deposits. */
function createChores(deps: DepositWatchDeps, state: WatchState) {
  const again = createSecondLook(deps);
  state.onTold = again.told;
  const unread = createReadAgain(deps, state);
  state.onSetAside = unread.noted;
  return [createOwnWallets(deps, state), createComparison(deps, state), again, unread];
}

/** When the next account of those that are hinted at is to be read. */
function nextLookAt({ due }: WatchState): number {
  return Math.min(...[...due].map(({ nextLook }) => nextLook ?? Number.POSITIVE_INFINITY));
}

function readyAccounts({ due }: WatchState, now: number): readonly WatchedAccount[] {
  return [...due]
    .filter(({ nextLook }) => nextLook !== null && hasCome(nextLook, now))
    .slice(0, LOOKS_AT_ONCE);
}

/** Accounts without a hint, one at a time. */
function createBacklog({ clock }: Pick<DepositWatchDeps, 'clock'>, { backlog }: WatchState) {
  let nextAt = 0;
  return {
    nextAt: () => (backlog.length > 0 ? nextAt : Number.POSITIVE_INFINITY),
    take(): readonly WatchedAccount[] {
      const now = clock.now();
      if (!hasCome(nextAt, now)) return [];
      const one = backlog.shift();
      if (one === undefined) return [];
      nextAt = now + BACKLOG_MS;
      // Nothing says that something happened: no second look.
      one.tries = MOST_TRIES;
      return [one];
    },
  };
}

/** Runs work whose failure only means a delay. The watcher of an outage reports it, once. */
function createCare({ clock, log }: Pick<DepositWatchDeps, 'clock' | 'log'>) {
  let failures = 0;
  return async (work: () => Promise<void>, later: (at: number) => void): Promise<void> => {
    try {
      await work();
      failures = 0;
    } catch (err) {
      later(clock.now() + AFTER_FAILURE_MS);
      if (!isAppError(err) || failures === 0)
        log.warn({ err }, 'deposits could not be read and are read again');
      failures += 1;
    }
  };
}
