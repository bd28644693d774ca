import { describe, expect, it } from 'vitest';
import { recordEvents } from '../../../src/services/positions/record-events.ts';
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
    const { transact } = world.db;
    let late = true;
    const deps = {
      ...world.deps,
      db: {
        ...world.db,
        transact: async <T>(work: Parameters<typeof transact<T>>[0]): Promise<T> => {
          if (late) {
            late = false;
            await transact((stores) => recordEvents(stores, [world.bought(60n, 30n, 500n)]));
          }
          return transact(work);
        },
      },
    };
    expect((await world.lookWith(deps)).adjusted).toEqual([]);
    expect(await world.position()).toMatchObject({ units: 130n, adjustedUnits: 0n, cost: 1_500n });
  });
});
