import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import { earnTransfer } from '../../../src/engine/ledger/rules/point-postings.ts';
import { createQuarantineStore } from '../../../src/engine/transactions/store/quarantine-store.ts';
import { roundFaults } from '../../../src/modules/games/rules/round.ts';
import { tableAt } from '../../../src/modules/games/rules/tables.ts';
import { openRound } from '../../../src/modules/games/use/open-round.ts';
import { playRound } from '../../../src/modules/games/use/play-round.ts';
import { settleRound, settleStarted } from '../../../src/modules/games/use/settle-round.ts';
import { startRound } from '../../../src/modules/games/use/start-round.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createGameSeeds } from '../../../src/platform/games/game-seeds.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

describe('games on Postgres', () => {
  let db: PrismaDatabase;
  const clock = fakeClock();
  const ids = fakeIds(91);
  const seeds = createGameSeeds(new Uint8Array(32).fill(4));
  const deps = () => ({ db, seeds, clock, ids });
  const hash = (text: string) => seeds.sha256(text);
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
    clock.set(NOON);
  });
  afterAll(() => db.close());

  const balance = (user: User) => db.ledger.balance({ kind: 'points', owner: user.id });
  const player = async (points: bigint) => {
    const { user } = await storedPerson(db);
    const key = `grant/${newId()}`;
    await db.ledger.post(
      earnTransfer(
        { id: newId(), createdAt: NOON },
        { userId: user.id, points, reason: 'points-trade', key, ref: 'x' },
      ),
    );
    return user;
  };
  const coin = async (user: User, points: bigint, choice = 0) => {
    const round = await openRound(deps(), user.id, 'coin');
    return playRound(deps(), { userId: user.id, roundId: round.id, choice, points });
  };

  it('commits before the bet, reveals after it, and pays what the seed says', async () => {
    const user = await player(1_000n);
    let expected = 1_000n;
    for (let i = 0; i < 5; i += 1) {
      const open = await openRound(deps(), user.id, 'coin');
      expect(open.commitment).toMatch(/^[0-9a-f]{64}$/);
      const round = await playRound(deps(), {
        userId: user.id,
        roundId: open.id,
        choice: i % 2,
        points: 100n,
      });
      expect(round.commitment).toBe(open.commitment);
      expect(roundFaults(round, hash)).toEqual([]);
      expect(await db.games.find(open.id)).toEqual(round);
      expected += (round.result?.payout ?? 0n) - 100n;
      expect(await balance(user)).toBe(expected);
    }
    await expect(coin(user, 10n)).rejects.toMatchObject({ code: 'STAKES_USED_UP', details: { left: 0n } });
  });

  it('shows one commitment until it is played, on however many devices', async () => {
    const user = await player(100n);
    const opened = await Promise.all(Array.from({ length: 10 }, () => openRound(deps(), user.id, 'coin')));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  });

  it('takes one stake and pays once under double taps, two devices and replays with another choice', async () => {
    const user = await player(200n);
    const round = await openRound(deps(), user.id, 'coin');
    const taps = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        playRound(deps(), {
          userId: user.id,
          roundId: round.id,
          choice: i % 2,
          points: i % 3 === 0 ? 100n : 50n,
        }),
      ),
    );
    const [first] = taps;
    for (const tap of taps) expect(tap).toEqual(first);
    const stake = first?.bet?.points ?? 0n;
    expect(await balance(user)).toBe(200n - stake + (first?.result?.payout ?? 0n));
    expect(await playRound(deps(), { userId: user.id, roundId: round.id, choice: 1, points: 10n })).toEqual(
      first,
    );
  });

  it('never goes below zero when many rounds are bet at once', async () => {
    const user = await player(60n);
    const [a, b] = [await openRound(deps(), user.id, 'coin'), await openRound(deps(), user.id, 'wheel')];
    const results = await Promise.allSettled([
      startRound(deps(), { userId: user.id, roundId: a.id, choice: 0, points: 50n }),
      startRound(deps(), { userId: user.id, roundId: b.id, choice: 3, points: 50n }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((one) => one.status === 'rejected')?.reason).toMatchObject({
      code: 'POINTS_SHORT',
      details: { needed: 50n, available: 10n },
    });
    expect(await balance(user)).toBe(10n);
    await settleStarted({ ...deps(), clock: { now: () => NOON + 10_000 } });
  });

  it('refuses stakes that are negative, huge, nothing or between the steps, and choices that do not exist', async () => {
    const user = await player(1_000n);
    const { id: roundId } = await openRound(deps(), user.id, 'coin');
    for (const points of [-100n, -10n, 0n, 1n, 15n, 110n, 10n ** 18n, 2n ** 63n]) {
      await expect(playRound(deps(), { userId: user.id, roundId, choice: 0, points })).rejects.toMatchObject({
        code: 'STAKE_INVALID',
      });
    }
    for (const choice of [-1, 2, 99, 0.5, Number.NaN]) {
      await expect(
        playRound(deps(), { userId: user.id, roundId, choice, points: 10n }),
      ).rejects.toMatchObject({
        code: 'BUTTON_STALE',
      });
    }
    expect(await balance(user)).toBe(1_000n);
    expect((await db.games.find(roundId))?.bet).toBeNull();
  });

  it('refuses a round of somebody else, of nobody and of former rules', async () => {
    const [user, thief] = [await player(100n), await player(100n)];
    const { id } = await openRound(deps(), user.id, 'coin');
    const play = (roundId: string) =>
      playRound(deps(), { userId: thief.id, roundId, choice: 0, points: 10n });
    for (const roundId of [id, 'none', "x' OR 1=1"])
      await expect(play(roundId)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const old = { id: newId(), table: 'coin-0', game: 'coin' as const, userId: thief.id };
    await db.games.insert({ ...old, commitment: 'ab'.repeat(32), createdAt: NOON, bet: null, result: null });
    await expect(play(old.id)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    expect(await balance(thief)).toBe(100n);
  });

  it('turns the wheel once per day, also when the clock is set back', async () => {
    const user = await player(1_000n);
    const spin = async () => {
      const { id: roundId } = await openRound(deps(), user.id, 'wheel');
      return playRound(deps(), { userId: user.id, roundId, choice: 5, points: 50n });
    };
    await spin();
    for (const back of [0, DAY, 400 * DAY]) {
      clock.set(NOON - back);
      await expect(spin()).rejects.toMatchObject({ code: 'STAKES_USED_UP' });
    }
    clock.set(NOON + DAY);
    expect((await spin()).bet?.day).toBe(Math.floor((NOON + DAY) / DAY));
    clock.set(NOON);
    await expect(spin()).rejects.toMatchObject({ code: 'STAKES_USED_UP' });
  });

  it('settles a round whose process was killed between bet and result, once, as the seed says', async () => {
    const user = await player(100n);
    const { id } = await openRound(deps(), user.id, 'coin');
    // Killed here: the bet is committed, nothing else is.
    const started = await startRound(deps(), { userId: user.id, roundId: id, choice: 1, points: 100n });
    expect(await balance(user)).toBe(0n);
    const restarted = { ...deps(), seeds: createGameSeeds(new Uint8Array(32).fill(4)) };
    expect(await settleStarted(restarted)).toBe(0);
    clock.set(clock.now() + 5_000);
    await Promise.all([settleStarted(restarted), settleStarted(restarted), settleRound(restarted, id)]);
    expect(await settleStarted(restarted)).toBe(0);
    const settled = await db.games.find(id);
    expect(settled).toMatchObject({ bet: started.bet });
    expect(roundFaults(settled ?? started, hash)).toEqual([]);
    expect(await balance(user)).toBe(settled?.result?.payout);
    clock.set(NOON);
  });

  it('leaves nothing behind when the commit of a bet or of a result fails', async () => {
    const user = await player(100n);
    const { id } = await openRound(deps(), user.id, 'coin');
    const failing: Pick<Database, 'transact' | 'games'> = {
      games: db.games,
      transact: (work) =>
        db.transact(async (stores) => {
          await work(stores);
          throw new Error('the power is gone');
        }),
    };
    const bet = { userId: user.id, roundId: id, choice: 0, points: 100n };
    await expect(playRound({ ...deps(), db: failing }, bet)).rejects.toThrow('power');
    expect([await balance(user), (await db.games.find(id))?.bet]).toEqual([100n, null]);
    await startRound(deps(), bet);
    await expect(settleRound({ ...deps(), db: failing }, id)).rejects.toThrow('power');
    expect([await balance(user), (await db.games.find(id))?.result]).toEqual([0n, null]);
    const round = await settleRound(deps(), id);
    expect(await balance(user)).toBe(round.result?.payout);
  });

  it('keeps what was written: no row can be changed or deleted afterwards, whoever writes the database', async () => {
    const user = await player(100n);
    const { id } = await coin(user, 10n);
    for (const change of [
      `commitment = repeat('a', 64)`,
      'choice = 1 - choice',
      'points = points + 10',
      'payout = payout + 1',
      `seed = repeat('a', 64)`,
    ])
      await expect(db.query(`UPDATE game_rounds SET ${change} WHERE id = $1`, [id])).rejects.toThrow();
    await expect(db.query('DELETE FROM game_rounds WHERE id = $1', [id])).rejects.toThrow();
  });

  it('takes back open rounds when a restored database leaves quarantine, and takes no bet before', async () => {
    const user = await player(100n);
    const { id: roundId } = await openRound(deps(), user.id, 'coin');
    const quarantines = createQuarantineStore(db.query);
    const bet = { userId: user.id, roundId, choice: 0, points: 10n };
    await quarantines.enter({ id: 'q', reason: 'restored', dataAsOf: NOON, enteredAt: NOON });
    await expect(playRound(deps(), bet)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    await quarantines.lift('q', NOON, {});
    await expect(playRound(deps(), bet)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const fresh = await openRound(deps(), user.id, 'coin');
    expect(fresh.id).not.toBe(roundId);
    await playRound(deps(), { ...bet, roundId: fresh.id });
  });

  it('tells nobody who reads the database how an open round will end', async () => {
    const user = await player(100n);
    const { id } = await openRound(deps(), user.id, 'coin');
    const [row] = await db.query<{ readonly text: string }>(
      'SELECT game_rounds::text AS text FROM game_rounds WHERE id = $1',
      [id],
    );
    expect(row?.text).not.toContain(seeds.seedOf({ id, table: tableAt('coin', NOON).id }));
  });

  it('leaves books that the audit finds in order, and the audit notices a stake that was never booked', async () => {
    const audit = createAuditStore(db.query);
    expect(
      (await audit.mismatches()).filter(({ rule }) => ['game', 'currency', 'balance'].includes(rule)),
    ).toEqual([]);
    const user = await player(100n);
    const { id } = await openRound(deps(), user.id, 'coin');
    await db.games.start(id, { choice: 0, points: 10n, day: 1, at: NOON });
    expect(await audit.mismatches()).toContainEqual({
      rule: 'game',
      subject: id,
      detail: 'staked 10 and paid 0 points, the ledger took 0 and gave 0',
    });
  });
});
