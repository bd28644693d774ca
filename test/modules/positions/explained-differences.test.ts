import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { recordEvents } from '../../../src/modules/positions/use/record-events.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { newAddress } from '../../conformance/store-rows.ts';
import { pretendWallet } from './pretend-wallet.ts';

describe('a difference to the chain that was recorded', () => {
  it('is taken back by the transaction that explains it, found later', async () => {
    const world = await pretendWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(105n);
    expect((await world.lookForAMinute()).adjusted).toEqual([world.mint]);
    expect(await world.position()).toMatchObject({ units: 105n, adjustedUnits: 5n, cost: 1_000n });
    // The history was behind. Another difference has the account read again.
    world.atSlot(200n);
    world.shows({ signature: 'gift', slot: 50n, units: 5n });
    world.holds(106n);
    expect((await world.look()).recorded).toBe(1);
    expect(await world.position()).toMatchObject({ units: 105n, adjustedUnits: 0n, cost: 7_001_000n });
    // What remains is the new difference alone.
    world.clock.advance(61_000);
    expect((await world.look()).adjusted).toEqual([world.mint]);
    expect(await world.position()).toMatchObject({ units: 106n, adjustedUnits: 1n, cost: 7_001_000n });
    expect((await world.lookForAMinute()).adjusted).toEqual([]);
  });

  it('is taken back by the receipt of a trade that is told late', async () => {
    const world = await pretendWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(130n);
    await world.lookForAMinute();
    await world.db.transact((stores) => recordEvents(stores, [world.bought(60n, 30n, 500n)]));
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 0n, cost: 1_500n });
    // Told again, it changes nothing.
    await world.db.transact((stores) => recordEvents(stores, [world.bought(60n, 30n, 500n)]));
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 0n });
  });

  it('keeps what a transaction explains only in part', async () => {
    const world = await pretendWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(130n);
    await world.lookForAMinute();
    await world.db.transact((stores) => recordEvents(stores, [world.bought(60n, 20n, 500n)]));
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 10n, cost: 1_500n });
  });

  it('stays where a transaction came after it', async () => {
    const world = await pretendWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(130n);
    await world.lookForAMinute();
    await world.db.transact((stores) => recordEvents(stores, [world.bought(101n, 20n, 500n)]));
    expect(await world.position()).toMatchObject({ units: 150n, adjustedUnits: 30n, cost: 1_500n });
  });

  it('leaves an airdrop hidden that explains it', async () => {
    const world = await pretendWallet();
    const lure = newAddress();
    world.holds(40n, lure);
    await world.lookForAMinute();
    expect(await world.position(lure)).toMatchObject({ units: 40n, adjustedUnits: 40n });
    world.shows({ signature: 'lure', slot: 90n, units: 40n }, lure);
    world.holds(41n, lure);
    await world.look();
    expect(await world.position(lure)).toMatchObject({ units: 40n, adjustedUnits: 0n, hidden: true });
  });

  it('is forgotten when it goes by itself, and one like it has to last again', async () => {
    const world = await pretendWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(105n);
    await world.look();
    expect((await world.position()).odd).toMatchObject({ units: 5n });
    world.holds(100n);
    world.clock.advance(30_000);
    await world.look();
    expect((await world.position()).odd).toBeNull();
    world.clock.advance(3_600_000);
    world.holds(105n);
    expect((await world.look()).adjusted).toEqual([]);
  });

  it('is judged by the events of the moment it is written in', async () => {
    const world = await pretendWallet();
    await world.db.positions.record([world.bought(10n, 100n)]);
    world.holds(130n);
    await world.look();
    world.clock.advance(61_000);
    // The trade's own commit comes between this look's reading and its writing.
    const { db } = world;
    let late = true;
    const slow: Database = {
      ...db,
      transact: async (work) => {
        if (late) {
          late = false;
          await db.transact((stores) => recordEvents(stores, [world.bought(60n, 30n, 500n)]));
        }
        return db.transact(work);
      },
    };
    expect((await world.lookWith({ ...world.deps, db: slow })).adjusted).toEqual([]);
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 0n, cost: 1_500n });
  });
});

describe('a token account that could not be read', () => {
  it('explains nothing where another account used up what one look may read', async () => {
    const world = await pretendWallet();
    // The first token's transactions take all that one look reads.
    const other = newAddress();
    for (let n = 0; n < 300; n += 1) world.shows({ signature: `busy-${n}`, slot: BigInt(n), units: 1n });
    world.holds(300n);
    world.holds(5n, other);
    await world.look();
    expect((await world.position()).units).toBe(200n);
    world.clock.advance(61_000);
    await world.look();
    expect((await world.position()).units).toBe(300n);
    expect(await world.db.positions.adjustments([world.wallet.id], [other])).toEqual([]);
  });

  it('explains nothing before its newest transactions are read as well', async () => {
    const world = await pretendWallet();
    for (let n = 0; n < 250; n += 1) world.shows({ signature: `old-${n}`, slot: BigInt(n), units: 1n });
    world.holds(251n);
    await world.look();
    world.shows({ signature: 'new', slot: 300n, units: 1n });
    await world.look();
    expect((await world.position()).odd).toBeNull();
    await world.look();
    expect(await world.position()).toMatchObject({ units: 251n, odd: null });
  });

  it('explains nothing where a node does not know back to what was read before', async () => {
    const world = await pretendWallet();
    world.shows({ signature: 'first', slot: 10n, units: 5n });
    world.holds(5n);
    await world.look();
    // The next node has lost what is older.
    const { history } = world.deps;
    const forgetful = { ...world.deps, history: { signatures: async () => [] } };
    world.holds(9n);
    for (let n = 0; n < 3; n += 1) {
      expect((await world.lookWith(forgetful)).adjusted).toEqual([]);
      world.clock.advance(61_000);
    }
    expect((await world.position()).odd).toBeNull();
    world.shows({ signature: 'second', slot: 20n, units: 4n });
    await world.lookWith({ ...forgetful, history });
    expect(await world.position()).toMatchObject({ units: 9n, adjustedUnits: 0n });
  });

  it('is not empty because a list of holdings lacks it', async () => {
    const world = await pretendWallet();
    world.shows({ signature: 'first', slot: 10n, units: 5n });
    world.holds(5n);
    await world.look();
    // One of the two programs is asked of a node that is behind, or the account is not understood.
    const blind = { ...world.deps, chain: { ...world.deps.chain, holdings: async () => [] } };
    for (let n = 0; n < 3; n += 1) {
      expect((await world.lookWith(blind)).adjusted).toEqual([]);
      world.clock.advance(61_000);
    }
    expect(await world.position()).toMatchObject({ units: 5n, adjustedUnits: 0n, odd: null });
  });

  it('keeps no other token of the wallet from being compared', async () => {
    const world = await pretendWallet();
    const good = newAddress();
    world.holds(5n);
    world.holds(7n, good);
    world.shows({ signature: 'gift', slot: 10n, units: 7n }, good);
    const refused = world.accountOf(world.mint);
    const { history } = world.deps;
    const partly = {
      ...world.deps,
      history: {
        signatures: async (...[account, page]: Parameters<typeof history.signatures>) => {
          if (account === refused)
            throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'a', cause: 'refused' });
          return history.signatures(account, page);
        },
      },
    };
    for (let n = 0; n < 3; n += 1) {
      // It is told as not compared, so that it is tried again soon.
      await expect(world.lookWith(partly)).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' });
      world.clock.advance(61_000);
    }
    expect(await world.position(good)).toMatchObject({ units: 7n });
    expect(await world.db.positions.adjustments([world.wallet.id], [good, world.mint])).toEqual([]);
    expect(await world.db.positions.checkedAt(world.wallet.id)).toBeNull();
  });
});
