import { hasCome } from '../../../core/time/span.ts';
import { firstUlid } from '../../../core/time/ulid.ts';
import type { DepositWatchDeps, WatchState } from './watch-state.ts';
import { accountsOfWallets, cursorOf, type WatchedAccount } from './watched-accounts.ts';

/** New wallets are asked for so often: a tenth of a statement a second. */
const NEW_WALLETS_MS = 10_000;
/** Ids are made a little before they are committed. */
const OVERLAP_MS = 60_000;
/** How often the shares of the processes are worked out again, in memory. */
const RESHARD_MS = 1_000;
const LOAD_AT_ONCE = 1_000;

/** Keeps the accounts of exactly those wallets in the state that this process watches. */
export function createOwnWallets(deps: DepositWatchDeps, state: WatchState) {
  const { db, clock, owns } = deps;
  const ids = new Set<string>();
  let mine = new Set<string>();
  let askAt = 0;
  let nextAt = 0;
  /** When the database last reported new wallets. It may have been away since. */
  let heardAt: number | null = null;

  async function load(walletIds: readonly string[]): Promise<void> {
    for (let at = 0; at < walletIds.length; at += LOAD_AT_ONCE) {
      const loaded = await db.deposits.load(walletIds.slice(at, at + LOAD_AT_ONCE));
      for (const one of await accountsOfWallets(deps, loaded)) {
        state.accounts.set(one.account, one);
        if (one.account === one.place.address) state.backlog.push(one);
      }
    }
  }

  async function drop(lost: ReadonlySet<string>): Promise<void> {
    const gone = [...state.accounts.values()].filter(({ place }) => lost.has(place.walletId));
    await saveCursors(deps, gone);
    for (const one of gone) {
      state.accounts.delete(one.account);
      state.due.delete(one);
    }
  }

  return {
    isDue: () => hasCome(nextAt, clock.now()),
    nextAt: () => nextAt,
    later: (at: number): void => {
      nextAt = at;
    },
    async run(): Promise<void> {
      const now = clock.now();
      nextAt = now + RESHARD_MS;
      if (hasCome(askAt, now)) {
        const from = heardAt === null ? '' : firstUlid(Math.min(heardAt, now) - OVERLAP_MS);
        for (const id of await db.deposits.walletIds(from)) ids.add(id);
        heardAt = now;
        askAt = now + NEW_WALLETS_MS;
      }
      const owned = new Set([...ids].filter(owns));
      const gained = [...owned].filter((id) => !mine.has(id));
      const lost = new Set([...mine].filter((id) => !owned.has(id)));
      if (gained.length === 0 && lost.size === 0) return;
      await drop(lost);
      await load(gained);
      mine = owned;
      deps.feed.follow([...state.accounts.keys()]);
    },
  };
}

/** Saves how far changed accounts are known, in one statement. */
export async function saveCursors(
  { db }: Pick<DepositWatchDeps, 'db'>,
  accounts: Iterable<WatchedAccount>,
): Promise<void> {
  const changed = [...accounts].filter((one) => one.changed);
  await db.deposits.saveCursors(changed.map(cursorOf));
  for (const one of changed) one.changed = false;
}
