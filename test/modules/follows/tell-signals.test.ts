import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { FOLLOW_LIMITS, type Follow } from '../../../src/modules/follows/rules/follow.ts';
import type { Signal } from '../../../src/modules/follows/rules/signal.ts';
import { createFollowWatch, type FollowWatchDeps } from '../../../src/modules/follows/use/watch-follows.ts';
import { followRow } from '../../conformance/follow-store.ts';
import { signalRow } from '../../conformance/signal-store.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { followWorld, KOI, PUP, SOL } from './follow-world.ts';

const MIN = 60_000;

/** A person who follows so many wallets, with a signal, beside a reader that has begun. */
async function world(
  wallets: number,
  {
    signal = {},
    follow = {},
  }: { readonly signal?: Partial<Signal> | null; readonly follow?: Partial<Follow> } = {},
) {
  const base = await followWorld();
  const { db, deps, clock } = base;
  const { user } = await storedPerson(db);
  const leaders = Array.from({ length: wallets }, newAddress);
  for (const leader of leaders)
    await db.follows.insert(followRow(user.id, { leader, createdAt: clock.now(), ...follow }));
  if (signal !== null) await db.signals.save(signalRow(user.id, signal));
  const watch = createFollowWatch(deps);
  await watch.round();
  clock.advance(MIN);
  /** One wallet after the other buys, a minute apart, and the reader reads. */
  const buy = async (...who: readonly (Address | undefined)[]): Promise<readonly bigint[]> => {
    const ids: bigint[] = [];
    for (const by of who) {
      if (by !== undefined) ids.push(base.trade({ by }));
      clock.advance(MIN);
      await watch.round();
    }
    return ids;
  };
  /** The wallets of each notice, by their number in the list. */
  const said = async () =>
    (await base.signalled()).map(([, what]) =>
      typeof what === 'number' ? what : what.leaders.map((leader) => leaders.indexOf(leader)),
    );
  return { ...base, userId: user.id, leaders, watch, buy, said };
}

describe('the signal of followed wallets', () => {
  it('comes once when enough wallets bought, not again in its window, and again in the next', async () => {
    const { leaders, buy, said, signalled, userId, clock } = await world(4);
    const [a, b, c, d] = leaders;
    await buy(a, b);
    expect(await said()).toEqual([]);
    await buy(c);
    expect(await said()).toEqual([[0, 1, 2]]);
    const [[who, what] = []] = await signalled();
    expect([who, what]).toEqual([
      userId,
      expect.objectContaining({ mint: PUP, wallets: 3, leaders: [a, b, c] }),
    ]);
    await buy(d, a, b);
    expect(await said()).toHaveLength(1);
    clock.advance(30 * MIN);
    await buy(b, b, d);
    expect(await said()).toHaveLength(1);
    await buy(a);
    expect(await said()).toEqual([
      [0, 1, 2],
      [1, 3, 0],
    ]);
  });

  it('is off unless it is set, is each person’s own, and each token’s', async () => {
    const { db, leaders, buy, said, signalled, trade, watch, userId } = await world(3, { signal: null });
    const other = (await storedPerson(db)).user.id;
    await buy(...leaders);
    expect(await signalled()).toEqual([]);
    await db.signals.save(signalRow(userId, { wallets: 2 }));
    // A stranger with a signal follows only one of them.
    await db.follows.insert(followRow(other, { leader: leaders[0] ?? newAddress(), createdAt: 0 }));
    await db.signals.save(signalRow(other, { wallets: 2 }));
    for (const by of leaders.slice(0, 2)) trade({ by, marketId: 2, quote: 150_000_000n });
    await watch.round();
    expect(
      (await signalled()).map(([who, what]) => [who, typeof what === 'number' ? what : what.mint]),
    ).toEqual([[userId, KOI]]);
    expect(await said()).toEqual([[0, 1]]);
  });

  it('counts quiet wallets, and sends no single notice of theirs', async () => {
    const { leaders, buy, said, told } = await world(3, { follow: { notices: false } });
    await buy(...leaders);
    expect([await said(), await told()]).toEqual([[[0, 1, 2]], []]);
  });

  it('counts no purchase that a fork took back, and one that stands again', async () => {
    const { leaders, buy, said, retract, trade, watch } = await world(4);
    const [a = newAddress(), b = newAddress(), c, d] = leaders;
    trade({ by: a, signature: 'a' });
    const second = trade({ by: b, signature: 'b' });
    await watch.round();
    retract(second);
    // In the commit that takes the second back, the third comes.
    await buy(c);
    expect(await said()).toEqual([]);
    trade({ by: b, signature: 'b', id: 900n });
    await watch.round();
    expect(await said()).toEqual([[0, 2, 1]]);
    // The window spoke: taken back and standing again, it stays silent.
    retract(900n);
    await buy(d);
    trade({ by: b, signature: 'b', id: 901n });
    await watch.round();
    expect(await said()).toHaveLength(1);
  });

  it('counts further ones than twenty in an hour, and sends their number when it is over', async () => {
    const { db, leaders, said, trade, watch, clock, userId } = await world(2, {
      signal: { wallets: 2, spanMs: MIN },
    });
    for (let n = 0; n < 23; n += 1) {
      for (const by of leaders) trade({ by });
      await watch.round();
      clock.advance(2 * MIN);
    }
    expect(await said()).toHaveLength(FOLLOW_LIMITS.perHour);
    expect(await db.signals.find(userId)).toMatchObject({ hourTold: 20, hourHeld: 3 });
    clock.advance(FOLLOW_LIMITS.hourMs - 46 * MIN - 1);
    await watch.round();
    expect(await said()).toHaveLength(FOLLOW_LIMITS.perHour);
    clock.advance(1);
    await watch.round();
    await watch.round();
    expect((await said()).slice(FOLLOW_LIMITS.perHour)).toEqual([3]);
    for (const by of leaders) trade({ by });
    await watch.round();
    expect((await said()).at(-1)).toEqual([0, 1]);
  });

  it('comes once where a reader does not see the window of another yet', async () => {
    const { db, deps, leaders, buy, said, trade } = await world(3);
    await buy(...leaders);
    /** It read the windows before the other one wrote. */
    const late: FollowWatchDeps = {
      ...deps,
      db: {
        ...db,
        transact: (work) =>
          db.transact((stores) => work({ ...stores, signals: { ...stores.signals, hits: async () => [] } })),
      },
    };
    trade({ by: leaders[0] ?? newAddress() });
    await createFollowWatch(late).round();
    expect(await said()).toEqual([[0, 1, 2]]);
  });

  it('comes once, however many readers there are and wherever they are killed', async () => {
    const { deps, db, leaders, trade, said, clock } = await world(3);
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
    for (let window = 0; window < 6; window += 1) {
      for (const by of leaders) {
        trade({ by, quote: SOL });
        await Promise.all(readers.map((reader) => reader.round()));
        clock.advance(MIN);
      }
      for (let n = 0; n < 4; n += 1) await readers[0]?.round();
      expect(await said()).toHaveLength(window + 1);
      clock.advance(31 * MIN);
    }
    expect(kills).toBeGreaterThan(20);
    expect(await said()).toEqual(Array.from({ length: 6 }, () => [0, 1, 2]));
  });
});
