import { beforeAll, describe, expect, it } from 'vitest';
import { type LaunchNotice, NO_ALERT } from '../../src/modules/launches/rules/launch-alert.ts';
import { newLaunch, type SeenLaunch } from '../../src/modules/launches/rules/stage.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newAddress, storedPerson } from './store-rows.ts';

export function seenLaunchRow(more: Partial<SeenLaunch> = {}): SeenLaunch {
  const creation = {
    kind: 'created',
    mint: newAddress(),
    curve: newAddress(),
    config: null,
    creator: newAddress(),
    signature: newAddress(),
    slot: 4_000_000_000n,
    at: NOW,
  } as const;
  return { ...newLaunch(creation, 'desk', NOW), ...more };
}

/** The rules of seen launches as they are stored. */
export function describeSeenLaunchStore(database: () => Database): void {
  let db: Database;
  let userId: string;
  beforeAll(async () => {
    db = database();
    userId = (await storedPerson(db)).user.id;
  });

  describe('seen launches', () => {
    it('are written once, and found by mint and by curve, whole', async () => {
      const launch = seenLaunchRow({
        config: newAddress(),
        pool: newAddress(),
        stage: 'graduated',
        slots: { near: 4_000_000_001n, complete: null, graduated: 4_000_000_002n },
        soldBps: 10_000,
      });
      expect(await db.seenLaunches.insert(launch)).toBe(true);
      expect(await db.seenLaunches.insert({ ...launch, stage: 'new' })).toBe(false);
      expect(await db.seenLaunches.find(launch.mint)).toEqual(launch);
      expect(await db.seenLaunches.ofCurves([newAddress(), launch.curve])).toEqual([launch]);
    });

    it('change only from the stage that was read: the slower of two changes nothing', async () => {
      const launch = seenLaunchRow();
      await db.seenLaunches.insert(launch);
      const near: SeenLaunch = {
        ...launch,
        stage: 'near',
        slots: { ...launch.slots, near: 4_000_000_003n },
        soldBps: 8_100,
        createdSlot: 4_000_000_001n,
        signature: newAddress(),
        createdAt: NOW + 400,
        lookedAt: NOW + 5_000,
        movedAt: NOW + 4_000,
      };
      expect(await db.seenLaunches.change(launch, near)).toBe(true);
      expect(await db.seenLaunches.change(launch, { ...near, soldBps: 0 })).toBe(false);
      expect(await db.seenLaunches.change({ ...near, takenBack: true }, launch)).toBe(false);
      expect(await db.seenLaunches.find(launch.mint)).toEqual(near);
    });

    it('are on the list of their stage in its order, and on none while a fork had them', async () => {
      const at = NOW + 10 * 86_400_000;
      const row = (more: Partial<SeenLaunch>) => seenLaunchRow({ createdAt: at, movedAt: at, ...more });
      const slots = { near: null, complete: null, graduated: null };
      const [older, newer] = [row({}), row({ createdAt: at + 1 })];
      const [near, complete] = [
        row({ stage: 'near', soldBps: 8_000 }),
        row({ stage: 'complete', soldBps: 10_000 }),
      ];
      const graduated = row({ stage: 'graduated', slots: { ...slots, graduated: 9n } });
      const gone = row({ takenBack: true });
      for (const one of [older, newer, near, complete, graduated, gone]) await db.seenLaunches.insert(one);
      const mintsOf = async (list: 'new' | 'near' | 'graduated') =>
        (await db.seenLaunches.list(list, at, 10)).map(({ mint }) => mint);
      const young = await mintsOf('new');
      expect(young[0]).toBe(newer.mint);
      expect(new Set(young)).toEqual(new Set([older, newer, near, complete].map(({ mint }) => mint)));
      expect(await mintsOf('near')).toEqual([complete.mint, near.mint]);
      expect(await mintsOf('graduated')).toEqual([graduated.mint]);
      expect(await db.seenLaunches.list('new', at, 1)).toHaveLength(1);
    });

    it('are watched while they move, a graduated one only while that is not final', async () => {
      const at = NOW + 20 * 86_400_000;
      const graduated = seenLaunchRow({
        stage: 'graduated',
        slots: { near: null, complete: null, graduated: 50n },
        createdSlot: 40n,
        movedAt: at,
      });
      const still = seenLaunchRow({ movedAt: at - 1, createdSlot: 40n });
      const moving = seenLaunchRow({ movedAt: at, createdSlot: 40n });
      for (const one of [graduated, still, moving]) await db.seenLaunches.insert(one);
      const watched = async (finalSlot: bigint) =>
        new Set((await db.seenLaunches.watched(at, finalSlot, 10)).map(({ mint }) => mint));
      expect(await watched(49n)).toEqual(new Set([graduated.mint, moving.mint]));
      expect(await watched(50n)).toEqual(new Set([moving.mint]));
    });

    it('are read up to a place that never moves back', async () => {
      const pad = `pad ${newAddress()}`;
      expect(await db.seenLaunches.place(pad)).toBeNull();
      await db.seenLaunches.moveTo(pad, 4_000_000_000n);
      await db.seenLaunches.moveTo(pad, 3n);
      expect(await db.seenLaunches.place(pad)).toBe(4_000_000_000n);
    });

    it('are messages for people who chose their stage; what they choose later leaves the hour as it is', async () => {
      const { user } = await storedPerson(db);
      expect(await db.seenLaunches.alert(user.id)).toBeNull();
      await db.seenLaunches.saveAlert({ ...NO_ALERT, userId: user.id, stages: ['near'], filter: 'dev<5' });
      const hour = { hourAt: NOW, hourTold: 30, hourHeld: 2 };
      await db.seenLaunches.countAlert({ userId: user.id, ...hour });
      await db.seenLaunches.saveAlert({ ...NO_ALERT, userId: user.id, stages: ['new', 'near'], filter: '' });
      const alert = { userId: user.id, stages: ['new', 'near'] as const, filter: '', ...hour };
      expect(await db.seenLaunches.alert(user.id)).toEqual(alert);
      expect((await db.seenLaunches.alertsFor('new')).filter((one) => one.userId === user.id)).toEqual([
        alert,
      ]);
      expect((await db.seenLaunches.alertsFor('graduated')).filter((one) => one.userId === user.id)).toEqual(
        [],
      );
      await db.seenLaunches.saveAlert({ ...alert, filter: 'holders>9' });
      expect(await db.seenLaunches.filters()).toContain('holders>9');
      await db.seenLaunches.saveAlert(alert);
      expect(await db.seenLaunches.filters()).not.toContain('holders>9');
      const due = async (at: number) =>
        (await db.seenLaunches.dueDigests(at)).filter((one) => one.userId === user.id);
      expect([await due(NOW - 1), await due(NOW)]).toEqual([[], [alert]]);
    });

    it('are told once per person and stage, and the message that shows it is known', async () => {
      const notice: LaunchNotice = {
        userId,
        mint: newAddress(),
        stage: 'new',
        at: NOW,
        messageId: null,
        takenBack: false,
      };
      expect(await db.seenLaunches.addNotice(notice)).toBe(true);
      expect(await db.seenLaunches.addNotice({ ...notice, at: NOW + 1 })).toBe(false);
      expect(await db.seenLaunches.addNotice({ ...notice, stage: 'near' })).toBe(true);
      await db.seenLaunches.sent(notice, 2 ** 40);
      expect(await db.seenLaunches.notice(notice)).toEqual({ ...notice, messageId: 2 ** 40 });
      const gone = { ...notice, messageId: 2 ** 40, takenBack: true };
      expect(await db.seenLaunches.markNotices(notice.mint, 'new', true)).toEqual([gone]);
      expect(await db.seenLaunches.markNotices(notice.mint, 'new', true)).toEqual([]);
      expect(await db.seenLaunches.notice({ ...notice, stage: 'near' })).toMatchObject({ takenBack: false });
    });
  });
}
