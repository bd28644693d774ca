import { describe, expect, it } from 'vitest';
import { ALERT_LIMITS, type LaunchList, NO_ALERT } from '../../../src/modules/launches/rules/launch-alert.ts';
import { decodeLaunchDigest, decodeLaunchStage } from '../../../src/modules/launches/rules/launch-notice.ts';
import type { SeenLaunch } from '../../../src/modules/launches/rules/stage.ts';
import { createLaunchNews } from '../../../src/modules/launches/use/tell-launches.ts';
import { seenLaunchRow } from '../../conformance/seen-launch-store.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

async function world() {
  const [db, clock, ids] = [fakeDatabase(), fakeClock(), fakeIds()];
  let nudges = 0;
  const asked: string[] = [];
  const { news, onChange } = createLaunchNews({
    db,
    clock,
    ids,
    nudge: () => {
      nudges += 1;
    },
    passes: async (launch, filter) => {
      asked.push(launch.mint);
      return filter.length === 0;
    },
  });
  const wants = async (stages: readonly LaunchList[], filter = ''): Promise<string> => {
    const { user } = await storedPerson(db);
    await db.seenLaunches.saveAlert({ ...NO_ALERT, userId: user.id, stages, filter });
    return user.id;
  };
  const tell = async (before: SeenLaunch | null, after: SeenLaunch) => {
    const work = await news(before, after);
    await db.transact(work);
    await onChange();
  };
  const sent = async (userId: string) => {
    const due = await db.notices.undelivered(clock.now() + 1, 1_000);
    const all = await Promise.all(due.map((id) => db.notices.find(id)));
    return all.flatMap((notice) =>
      notice === null || notice.userId !== userId
        ? []
        : [
            notice.kind === 'launch-digest'
              ? `digest ${decodeLaunchDigest(notice.payload)}`
              : `${notice.kind} ${decodeLaunchStage(notice.payload).stage}`,
          ],
    );
  };
  const fresh = (more: Partial<SeenLaunch> = {}) =>
    seenLaunchRow({ createdAt: clock.now(), movedAt: clock.now(), ...more });
  return { db, clock, wants, tell, sent, fresh, asked, nudges: () => nudges };
}
const near = (launch: SeenLaunch): SeenLaunch => ({
  ...launch,
  stage: 'near',
  slots: { ...launch.slots, near: launch.createdSlot + 1n },
});
const gone = (launch: SeenLaunch): SeenLaunch => ({
  ...launch,
  takenBack: true,
  stage: 'new',
  slots: { near: null, complete: null, graduated: null },
});

describe('alerts of launches', () => {
  it('reach people who chose the stage and whose filter it passes, each once', async () => {
    const { wants, tell, sent, fresh, nudges } = await world();
    const [young, both, filtered, none] = [
      await wants(['new']),
      await wants(['new', 'near']),
      await wants(['new', 'near'], 'dev<5'),
      await wants([]),
    ];
    const launch = fresh();
    await tell(null, launch);
    await tell(null, launch);
    await tell(launch, near(launch));
    expect(await sent(young)).toEqual(['launch-stage new']);
    expect(await sent(both)).toEqual(['launch-stage new', 'launch-stage near']);
    expect([await sent(filtered), await sent(none)]).toEqual([[], []]);
    expect(nudges()).toBe(2);
  });

  it('ask no figure where no stage is new, and none of nobody', async () => {
    const { tell, fresh, asked, wants } = await world();
    const launch = fresh();
    await tell(null, launch);
    expect(asked).toEqual([]);
    await wants(['new']);
    await tell(launch, { ...launch, soldBps: 5 });
    expect(asked).toEqual([]);
  });

  it('leave out a creation that is read long after it happened', async () => {
    const { wants, tell, sent, fresh, clock } = await world();
    const person = await wants(['new', 'near']);
    const old = fresh({ createdAt: clock.now() - 600_000 });
    await tell(null, old);
    await tell(old, near(old));
    expect(await sent(person)).toEqual(['launch-stage near']);
  });

  it('are taken back with their stage, and stand again with it, without a second message', async () => {
    const { db, wants, tell, sent, fresh } = await world();
    const person = await wants(['new', 'near']);
    const launch = fresh();
    await tell(null, launch);
    await tell(launch, near(launch));
    await tell(near(launch), gone(launch));
    expect(await sent(person)).toEqual([
      'launch-stage new',
      'launch-stage near',
      'launch-back new',
      'launch-back near',
    ]);
    expect(await db.seenLaunches.notice({ userId: person, mint: launch.mint, stage: 'near' })).toMatchObject({
      takenBack: true,
    });
    await tell(gone(launch), launch);
    expect((await sent(person)).slice(4)).toEqual(['launch-back new']);
    expect(await db.seenLaunches.notice({ userId: person, mint: launch.mint, stage: 'new' })).toMatchObject({
      takenBack: false,
    });
  });

  it('are thirty in an hour, then a number at its end, then thirty again', async () => {
    const { wants, tell, sent, fresh, clock } = await world();
    const person = await wants(['new']);
    for (let n = 0; n < ALERT_LIMITS.perHour + 5; n += 1) await tell(null, fresh());
    expect(await sent(person)).toHaveLength(ALERT_LIMITS.perHour);
    clock.advance(ALERT_LIMITS.hourMs);
    await tell(null, fresh());
    expect((await sent(person)).slice(ALERT_LIMITS.perHour)).toEqual(['digest 6']);
    await tell(null, fresh());
    expect((await sent(person)).at(-1)).toBe('launch-stage new');
  });
});
