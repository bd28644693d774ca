import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { earnTransfer } from '../../../src/engine/ledger/rules/point-postings.ts';
import { commitmentText } from '../../../src/modules/games/rules/round.ts';
import { openRound } from '../../../src/modules/games/use/open-round.ts';
import { playRound } from '../../../src/modules/games/use/play-round.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createGameSeeds } from '../../../src/platform/games/game-seeds.ts';
import { newId, storedPerson } from '../../conformance/store-rows.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { runOpsHere } from './run-ops.ts';

const DAY = 86_400_000;

describe('the operator’s commands for games and convert', () => {
  let db: PrismaDatabase;
  let env: Readonly<Record<string, string>>;
  let folder: string;
  const clock = { now: () => Date.now() };
  const ids = fakeIds(61);
  beforeAll(async () => {
    const url = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'points-'));
    const kek = join(folder, 'kek');
    await writeFile(kek, randomBytes(32).toString('hex'), { mode: 0o400 });
    env = { DATABASE_URL: url, LOCAL_DIR: folder, KEK_FILE: kek };
    db = await createPrismaDatabase({ url });
  });
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ops = (...args: readonly string[]) => runOpsHere(args, env);
  const person = async () => {
    const { user } = await storedPerson(db);
    const key = `grant/${newId()}`;
    await db.ledger.post(
      earnTransfer(
        { id: newId(), createdAt: Date.now() },
        { userId: user.id, points: 1_000n, reason: 'points-trade', key, ref: 'x' },
      ),
    );
    return user;
  };

  it('verify-game recomputes a settled round, without the secret', async () => {
    const user = await person();
    const deps = { db, clock, ids, seeds: createGameSeeds(new Uint8Array(32).fill(1)) };
    const { id } = await openRound(deps, user.id, 'wheel');
    expect(await ops('verify-game', id)).toMatchObject({
      code: 1,
      out: expect.stringContaining('not revealed yet'),
    });
    await playRound(deps, { userId: user.id, roundId: id, choice: 11, points: 50n });
    const { code, out } = await ops('verify-game', id);
    expect(out).toMatch(
      /choice 11 {2}stake 50[\s\S]*house edge 5 %[\s\S]*everything follows from the commitment/,
    );
    expect(code).toBe(0);
  });

  it('verify-game names a payout that does not follow, and a round that is not there', async () => {
    const user = await person();
    const seed = '00'.repeat(32);
    const name = { id: newId(), table: 'coin-1' };
    const commitment = createHash('sha256').update(commitmentText(name, seed)).digest('hex');
    await db.games.insert({
      ...name,
      userId: user.id,
      game: 'coin',
      commitment,
      createdAt: 1,
      bet: null,
      result: null,
    });
    await db.games.start(name.id, { choice: 0, points: 10n, day: 1, at: 1 });
    await db.games.settle(name.id, { seed, payout: 0n, at: 2 });
    const { code, out } = await ops('verify-game', name.id);
    expect([code, out]).toEqual([1, expect.stringContaining('WRONG: 0 points were paid, 19 were due')]);
    expect(await ops('verify-game', 'none')).toMatchObject({ code: 1, out: 'there is no round none\n' });
    expect((await ops('verify-game')).code).toBe(2);
  });

  describe('points season-close', () => {
    // The first season is over by then.
    const afterwards = Date.UTC(2027, 1, 2);
    afterEach(() => void vi.useRealTimers());
    const held = (userId: string) => db.ledger.balance({ kind: 'points', owner: userId });
    const trail = async () =>
      (await db.auditLog.list({ act: 'operator-command' }, { limit: 50, offset: 0 })).filter(({ details }) =>
        JSON.stringify(details).includes('season-close'),
      );

    it('takes nothing while the trail refuses its row, then takes it once and says so', async () => {
      const { id } = await person();
      vi.useFakeTimers({ toFake: ['Date'], now: afterwards });
      await administer(
        env['DATABASE_URL'] ?? '',
        `CREATE FUNCTION no_trail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the trail is full'; END $$;
         CREATE TRIGGER no_trail BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION no_trail()`,
      );
      expect((await ops('points', 'season-close')).code).toBe(1);
      expect(await held(id)).toBe(1_000n);
      expect(await db.query('SELECT 1 FROM point_seasons', [])).toEqual([]);
      expect(await trail()).toEqual([]);
      await administer(env['DATABASE_URL'] ?? '', 'DROP TRIGGER no_trail ON audit_log');

      expect(await ops('points', 'season-close')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^season 1 is closed: [1-9]\d* points of [1-9]\d* people expired$/m),
      });
      const left = await held(id);
      expect(left).toBeLessThan(1_000n);
      expect(await trail()).toMatchObject([{ outcome: 'done' }]);
      expect((await ops('points', 'season-close')).out).toMatch(/^season 1 was closed before/);
      expect(await held(id)).toBe(left);
      expect((await trail()).map(({ outcome }) => outcome)).toEqual(['unchanged', 'done']);
    });
  });

  it('convert announces, lists and cancels periods, and gives points back', async () => {
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
    const { code, out } = await ops('convert', 'announce', '1.5', day(-DAY), day(2 * DAY));
    expect([code, out]).toEqual([0, expect.stringMatching(/^period 1: open, 1\.5 SOL, /)]);
    const user = await person();
    const idemKey = newId();
    await db.transact(async (stores) => {
      await stores.convert.insertEntry({
        id: newId(),
        period: 1,
        userId: user.id,
        idemKey,
        points: 100n,
        createdAt: 1,
      });
      await stores.ledger.post({
        id: newId(),
        createdAt: 1,
        key: 'points-lock/x',
        reason: 'points-lock',
        ref: '1',
        currency: 'POINT',
        entries: [
          { account: { kind: 'points', owner: user.id }, amount: -100n },
          { account: { kind: 'points-locked', owner: user.id }, amount: 100n },
        ],
      });
    });
    expect((await ops('convert', 'announce', '1', day(DAY), day(5 * DAY))).out).toMatch(
      /overlap another period/,
    );
    expect((await ops('convert', 'list')).out).toMatch(/^period 1: open/);
    expect(await ops('convert', 'cancel', '1')).toMatchObject({
      code: 0,
      out: expect.stringContaining('given back'),
    });
    expect(await ops('convert', 'cancel', '1')).toMatchObject({ code: 0 });
    expect(await db.ledger.balance({ kind: 'points', owner: user.id })).toBe(1_000n);
    expect((await ops('convert', 'announce', '1', day(DAY), day(5 * DAY))).out).toMatch(
      /^period 2: announced, 1 SOL/,
    );
  });

  it.each([
    [['announce'], 2, /expected SOL, which is missing/],
    [['announce', '1', '2030-01-01', '2029-01-01'], 2, /closes after it opens/],
    [['announce', '1', '2020-01-01', '2020-02-01'], 2, /closes in the future/],
    [['announce', '1', '2030-13-01', '2031-01-01'], 2, /expected 2027-01-31/],
    [['announce', '-1', '2030-01-01', '2031-01-01'], 2, /expected an amount of SOL like 0\.5, not "-1"/],
    [['cancel'], 2, /expected N, which is missing/],
    [['cancel', '-1'], 2, /expected a whole number from 1 to 999999, not "-1"/],
    [['cancel', '77'], 1, /there is no period 77/],
    [['pay'], 2, /expected "announce" or "list" or "cancel", not "pay"/],
  ])('convert %j ends with %i and what was expected', async (args, expected, answer) => {
    const { code, out } = await ops('convert', ...args);
    expect(out).toMatch(answer);
    expect(code).toBe(expected);
  });
});
