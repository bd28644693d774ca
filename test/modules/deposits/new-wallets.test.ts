import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createDepositWatch } from '../../../src/modules/deposits/use/watch-deposits.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { secretRow, userRow, walletRow } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';

/** A watcher of wallets in which nothing happens, on a clock of its own. */
async function quietWatch() {
  const clock = fakeClock();
  const stored = fakeDatabase();
  const ids = randomIds(() => clock.now());
  const { user } = await stored.users.insert(userRow());
  let isAway = false;
  let followed: readonly Address[] = [];
  let comparisons = 0;
  const db: Database = {
    ...stored,
    deposits: {
      ...stored.deposits,
      walletIds: (from) =>
        isAway ? Promise.reject(new Error('the database is away')) : stored.deposits.walletIds(from),
    },
  };
  const watch = createDepositWatch({
    db,
    clock,
    ids,
    worthOf: async () => null,
    nudge: () => undefined,
    chain: {
      accounts: async (addresses) => {
        comparisons += 1;
        return { slot: 1n, accounts: addresses.map(() => null) };
      },
      token: async () => null,
    },
    programs: { associatedTokenAddress: () => expect.fail('nothing holds a token') },
    feed: {
      follow: (accounts) => {
        followed = accounts;
      },
      onHint: () => undefined,
      recent: async () => [],
      stop: () => undefined,
    },
    agree: async () => ({ kind: 'unserved' }),
    log: { warn: () => undefined, error: () => undefined },
    owns: () => true,
  });
  const open = async (): Promise<Address> => {
    const wallet = walletRow({ id: ids.ulid(), userId: user.id });
    await stored.wallets.insert(PASSED, wallet, secretRow(wallet));
    return wallet.address;
  };
  await open();
  return {
    clock,
    open,
    comparisons: () => comparisons,
    isFollowed: (address: Address) => followed.includes(address),
    setAway: (away: boolean) => {
      isAway = away;
    },
    /** Rounds, each when it is due. */
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; ) {
        const wait = Math.min(left, await watch.round());
        clock.advance(wait);
        left -= wait;
      }
    },
  };
}

describe('a new wallet', () => {
  it('is watched within ten seconds', async () => {
    const watch = await quietWatch();
    await watch.pass(15_000);
    const address = await watch.open();
    await watch.pass(15_000);
    expect(watch.isFollowed(address)).toBe(true);
  });

  it('is watched although the database was away from the watcher for minutes after it was made', async () => {
    const watch = await quietWatch();
    await watch.pass(15_000);
    watch.setAway(true);
    const address = await watch.open();
    await watch.pass(5 * 60_000);
    watch.setAway(false);
    await watch.pass(15_000);
    expect(watch.isFollowed(address)).toBe(true);
  });

  it('is watched, and balances are compared, although the clock was set back by an hour', async () => {
    const watch = await quietWatch();
    await watch.pass(15_000);
    watch.clock.advance(-3_600_000);
    const address = await watch.open();
    const compared = watch.comparisons();
    await watch.pass(15_000);
    expect(watch.isFollowed(address)).toBe(true);
    expect(watch.comparisons()).toBeGreaterThan(compared);
  });
});
