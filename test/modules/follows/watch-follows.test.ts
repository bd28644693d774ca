import { firstIdOfSlot } from '@tradepost/tape';
import { describe, expect, it } from 'vitest';
import { FOLLOW_LIMITS } from '../../../src/modules/follows/rules/follow.ts';
import { createFollowWatch, type FollowWatchDeps } from '../../../src/modules/follows/use/watch-follows.ts';
import { newAddress } from '../../conformance/store-rows.ts';
import { followWorld, SOL } from './follow-world.ts';

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

describe('the reader of followed wallets', () => {
  it('asks the tape nothing while no wallet is followed', async () => {
    const { db, deps, trade, asked } = await followWorld();
    trade({ by: newAddress() });
    const watch = createFollowWatch(deps);
    await watch.round();
    await watch.round();
    expect(asked()).toBe(0);
    expect(await db.follows.place()).toBeNull();
  });

  it('tells each follower of a trade once, and of none from before', async () => {
    const { deps, trade, follower, told, clock, db } = await followWorld();
    const ana = await follower();
    const watch = createFollowWatch(deps);
    trade({ by: ana.leader });
    // It begins with what comes after its first round.
    await watch.round();
    expect(await told()).toEqual([]);
    trade({ by: newAddress() });
    trade({ by: ana.leader, quote: 2n * SOL });
    await watch.round();
    await watch.round();
    await createFollowWatch(deps).round();
    expect(await told()).toEqual([['follow-trade', ana.id, 2n * SOL]]);
    // It waits to be read when Bob begins to follow: a trade from before.
    trade({ by: ana.leader, quote: 4n * SOL });
    clock.advance(10_000);
    const bob = await follower({ leader: ana.leader });
    await watch.round();
    expect((await told()).slice(1)).toEqual([['follow-trade', ana.id, 4n * SOL]]);
    trade({ by: ana.leader, quote: 3n * SOL });
    await watch.round();
    expect((await told()).slice(2)).toHaveLength(2);
    expect((await told()).slice(2)).toEqual(
      expect.arrayContaining([
        ['follow-trade', ana.id, 3n * SOL],
        ['follow-trade', bob.id, 3n * SOL],
      ]),
    );
    expect(await db.follows.trades(ana.leader, 0, 9)).toHaveLength(3);
  });

  it('tells only what is worth enough, dollars by the price of SOL, and nothing where notices are off', async () => {
    const { deps, trade, follower, told } = await followWorld();
    const leader = newAddress();
    const picky = await follower({ leader, minLamports: SOL });
    await follower({ leader, notices: false });
    const watch = createFollowWatch(deps);
    await watch.round();
    trade({ by: leader, quote: SOL - 1n });
    trade({ by: leader, quote: SOL });
    trade({ by: leader, marketId: 2, quote: 149_999_999n });
    trade({ by: leader, marketId: 2, quote: 150_000_000n });
    await watch.round();
    expect(await told()).toEqual([
      ['follow-trade', picky.id, SOL],
      ['follow-trade', picky.id, 150_000_000n],
    ]);
  });

  it('counts what goes beyond twenty in an hour, and tells the count when the hour is over', async () => {
    const { deps, trade, follower, told, clock } = await followWorld();
    const ana = await follower();
    const watch = createFollowWatch(deps);
    await watch.round();
    for (let n = 0; n < 45; n += 1) trade({ by: ana.leader });
    await watch.round();
    expect(await told()).toHaveLength(FOLLOW_LIMITS.perHour);
    clock.advance(FOLLOW_LIMITS.hourMs - 1);
    await watch.round();
    expect(await told()).toHaveLength(FOLLOW_LIMITS.perHour);
    clock.advance(1);
    await watch.round();
    await watch.round();
    expect((await told()).slice(FOLLOW_LIMITS.perHour)).toEqual([['follow-digest', ana.id, 25]]);
    trade({ by: ana.leader });
    await watch.round();
    expect((await told()).at(-1)).toEqual(['follow-trade', ana.id, SOL]);
  });

  it('says once that a fork took a trade back, and says nothing where the same trade stands again', async () => {
    const { deps, trade, retract, follower, told } = await followWorld();
    const ana = await follower();
    const watch = createFollowWatch(deps);
    await watch.round();
    const first = trade({ by: ana.leader, signature: 'one' });
    const second = trade({ by: ana.leader, signature: 'two', quote: 2n * SOL });
    await watch.round();
    retract(first);
    trade({ by: ana.leader, signature: 'one', id: 900n });
    retract(second);
    await watch.round();
    expect((await told()).slice(2)).toEqual([['follow-back', ana.id, 2n * SOL]]);
    retract(second);
    await watch.round();
    expect(await told()).toHaveLength(3);
    retract(900n);
    await watch.round();
    expect((await told()).at(-1)).toEqual(['follow-back', ana.id, SOL]);
  });

  it('tells a transaction once and in its last block, where the tape names two, and a place once that was filled anew', async () => {
    const { deps, db, trade, retract, follower, told } = await followWorld();
    const ana = await follower();
    const watch = createFollowWatch(deps);
    await watch.round();
    const [old, now, filled] = [firstIdOfSlot(500n), firstIdOfSlot(501n), firstIdOfSlot(502n)];
    // Both forks are in the tape until a seal decides.
    trade({ by: ana.leader, signature: 'one', id: old });
    trade({ by: ana.leader, signature: 'one', id: now });
    trade({ by: ana.leader, signature: 'two', id: filled, quote: 2n * SOL });
    retract(filled);
    trade({ by: ana.leader, signature: 'two', id: filled, quote: 2n * SOL });
    await watch.round();
    expect(await told()).toEqual([
      ['follow-trade', ana.id, SOL],
      ['follow-trade', ana.id, 2n * SOL],
    ]);
    retract(old);
    await watch.round();
    expect(await told()).toHaveLength(2);
    // A later round hears that it moved once more: no news, and the old block's end takes nothing back.
    trade({ by: ana.leader, signature: 'one', id: firstIdOfSlot(503n), quote: 3n * SOL });
    await watch.round();
    retract(now);
    await watch.round();
    expect(await told()).toHaveLength(2);
    const rows = await db.follows.trades(ana.leader, 0, 9);
    expect(rows.map(({ units, paid, takenBack }) => [units, paid?.units, takenBack])).toEqual([
      [5_000n, 3n * SOL, false],
      [5_000n, 2n * SOL, false],
    ]);
  });

  it('misses no trade of a wallet that is followed while the log is read', async () => {
    const { deps, trade, follower, told } = await followWorld();
    await follower();
    const leader = newAddress();
    const late: FollowWatchDeps = {
      ...deps,
      tape: {
        ...deps.tape,
        logAfter: async (...asked) => {
          if ((await told()).length === 0) {
            await follower({ leader });
            trade({ by: leader });
          }
          return deps.tape.logAfter(...asked);
        },
      },
    };
    await createFollowWatch(deps).round();
    await createFollowWatch(late).round();
    await createFollowWatch(deps).round();
    expect(await told()).toEqual([['follow-trade', expect.any(String), SOL]]);
  });

  it('tells each trade once, however many readers there are and wherever they are killed', async () => {
    const { deps, db, trade, follower, told } = await followWorld();
    const ana = await follower();
    await createFollowWatch(deps).round();
    let kills = 0;
    /** Every third commit is killed before its end. */
    const mortal: FollowWatchDeps = {
      ...deps,
      log: { warn: () => undefined },
      db: {
        ...db,
        transact: (work) =>
          db.transact(async (stores) => {
            const result = await work(stores);
            kills += 1;
            if (kills % 3 === 0) throw new Error('killed');
            return result;
          }),
      },
    };
    const readers = [1, 2, 3, 4].map(() => createFollowWatch(mortal));
    for (let n = 1; n <= 15; n += 1) {
      trade({ by: ana.leader, quote: BigInt(n) * SOL });
      await Promise.all(readers.map((reader) => reader.round()));
    }
    for (let n = 0; n < 6; n += 1) await readers[0]?.round();
    expect(kills).toBeGreaterThan(20);
    const sums = (await told()).map(([, , units]) => String(units));
    expect(sums.toSorted(byText)).toEqual(
      Array.from({ length: 15 }, (_, n) => String(BigInt(n + 1) * SOL)).toSorted(byText),
    );
  });
});
