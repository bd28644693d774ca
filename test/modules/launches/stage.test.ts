import type { CurveLook } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { stageNews } from '../../../src/modules/launches/rules/launch-alert.ts';
import { dueLooks, looksEvery } from '../../../src/modules/launches/rules/look-order.ts';
import {
  afterEvent,
  afterLook,
  createdAgain,
  isBeyond,
  isDead,
  type SeenLaunch,
  STAGES,
  stageOf,
} from '../../../src/modules/launches/rules/stage.ts';
import { seenLaunchRow } from '../../conformance/seen-launch-store.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const POOL = newAddress();
const sold = (soldBps: number): CurveLook => ({ soldBps, complete: false, moved: null });
const COMPLETE: CurveLook = { soldBps: 10_000, complete: true, moved: null };
const MOVED: CurveLook = { soldBps: 10_000, complete: true, moved: { pool: POOL } };

/** Created in slot 100 at time 0, and looked at in the given slots, one look after the other. */
function looked(
  looks: readonly (readonly [slot: bigint, look: CurveLook])[],
  finalSlot = 0n,
  launch: SeenLaunch = seenLaunchRow({ createdSlot: 100n, movedAt: 0, createdAt: 0 }),
): SeenLaunch {
  return looks.reduce(
    (row, [slot, look]) => afterLook(row, { look, slot, finalSlot, now: Number(slot) }),
    launch,
  );
}

describe('a stage', () => {
  it('is near from 80 % on, and never by a rounding', () => {
    expect([7_999, 8_000].map((bps) => stageOf({ soldBps: bps, complete: false, moved: null }))).toEqual([
      'new',
      'near',
    ]);
    expect(STAGES.map((stage) => isBeyond(stage, 'near'))).toEqual([false, false, true, true]);
  });

  it('rises with its curve, and remembers the slot in which it was seen first', () => {
    const all = looked([
      [101n, sold(100)],
      [102n, sold(8_000)],
      [103n, sold(9_000)],
      [104n, COMPLETE],
      [105n, MOVED],
    ]);
    expect(all).toMatchObject({
      stage: 'graduated',
      slots: { near: 102n, complete: 104n, graduated: 105n },
      soldBps: 10_000,
      pool: POOL,
    });
  });

  it('stays when people sell after its slot is final', () => {
    const near = looked(
      [
        [102n, sold(8_500)],
        [120n, sold(4_000)],
      ],
      110n,
    );
    expect(near).toMatchObject({ stage: 'near', soldBps: 4_000, slots: { near: 102n } });
  });

  it('falls when a fork takes back a slot that is not final, to the highest stage that stands', () => {
    const complete = looked(
      [
        [102n, sold(8_500)],
        [104n, COMPLETE],
      ],
      103n,
    );
    expect(looked([[106n, sold(9_000)]], 103n, complete)).toMatchObject({
      stage: 'near',
      soldBps: 9_000,
      slots: { near: 102n, complete: null },
    });
    // A node that is behind the rise has no say.
    expect(looked([[103n, sold(9_000)]], 103n, complete)).toMatchObject({ stage: 'complete' });
    expect(looked([[106n, 'unknown']], 103n, complete)).toMatchObject({ stage: 'complete' });
  });

  it('falls with its creation, which may come back in another slot', () => {
    const near = looked([[102n, sold(8_500)]]);
    const gone = looked([[103n, 'absent']], 99n, near);
    expect(gone).toMatchObject({ takenBack: true, stage: 'new', soldBps: 0, slots: { near: null } });
    expect(looked([[103n, 'absent']], 100n, near)).toMatchObject({ takenBack: false, stage: 'near' });
    expect(looked([[99n, 'absent']], 98n, near)).toMatchObject({ takenBack: false });
    expect(looked([[104n, sold(8_500)]], 99n, gone)).toMatchObject({ takenBack: false, stage: 'near' });
    const again = createdAgain(gone, { ...gone, kind: 'created', slot: 105n, at: 7_000, signature: 'x' }, 9);
    expect(again).toMatchObject({ takenBack: false, createdSlot: 105n, createdAt: 7_000, signature: 'x' });
    const same = { ...near, kind: 'created', slot: near.createdSlot, at: near.createdAt } as const;
    expect(createdAgain(near, same, 9)).toBe(near);
  });

  it('rises by an event once; one that comes late or twice changes nothing but the pool', () => {
    const launch = seenLaunchRow({ createdSlot: 100n });
    const event = { kind: 'complete', curve: launch.curve, pool: null, slot: 110n } as const;
    const complete = afterEvent(launch, event, 5);
    expect(complete).toMatchObject({ stage: 'complete', soldBps: 10_000, slots: { complete: 110n } });
    expect(afterEvent(complete, { ...event, slot: 111n }, 6)).toEqual(complete);
    const graduated = afterEvent(complete, { ...event, kind: 'graduated', pool: POOL, slot: 112n }, 7);
    expect(graduated).toMatchObject({
      stage: 'graduated',
      pool: POOL,
      slots: { complete: 110n, graduated: 112n },
    });
    expect(afterEvent(graduated, event, 8)).toEqual(graduated);
    expect(afterEvent({ ...launch, takenBack: true }, event, 9)).toMatchObject({ stage: 'new' });
  });
});

describe('the news of a stage', () => {
  it('is each list that was reached, and each that did not last; a list that was jumped over is none', () => {
    const fresh = looked([[101n, sold(0)]]);
    expect(stageNews(null, fresh)).toEqual({ gained: ['new'], lost: [] });
    const near = looked([[102n, sold(8_000)]], 0n, fresh);
    expect(stageNews(fresh, near)).toEqual({ gained: ['near'], lost: [] });
    const complete = looked([[103n, COMPLETE]], 0n, near);
    expect(stageNews(near, complete)).toEqual({ gained: [], lost: [] });
    expect(stageNews(fresh, complete)).toEqual({ gained: ['near'], lost: [] });
    expect(stageNews(fresh, looked([[102n, MOVED]], 0n, fresh))).toEqual({ gained: ['graduated'], lost: [] });
    const gone = looked([[104n, 'absent']], 0n, complete);
    expect(stageNews(complete, gone)).toEqual({ gained: [], lost: ['new', 'near'] });
    expect(stageNews(gone, looked([[105n, sold(10)]], 0n, gone))).toEqual({ gained: ['new'], lost: [] });
  });
});

describe('looks at curves', () => {
  const now = 10_000_000_000;
  const row = (more: Partial<SeenLaunch>) =>
    seenLaunchRow({ createdSlot: 1n, createdAt: now, movedAt: now, lookedAt: 0, ...more });

  it('come often while a curve moves or is not final, and end with its pool or a day without a trade', () => {
    const every = (more: Partial<SeenLaunch>, finalSlot = 100n) => looksEvery(row(more), finalSlot, now);
    expect(every({})).toBe(1_000);
    expect(every({ movedAt: now - 120_000 })).toBe(5_000);
    expect(every({ movedAt: now - 120_000, soldBps: 7_500 })).toBe(1_000);
    expect(every({ movedAt: now - 3_000_000 })).toBe(30_000);
    expect(every({ movedAt: now - 7_200_000 })).toBe(300_000);
    expect(every({ movedAt: now - 86_400_000 })).toBeNull();
    const slots = { near: null, complete: null, graduated: 90n };
    expect(every({ stage: 'graduated', slots })).toBeNull();
    expect(every({ stage: 'graduated', slots }, 80n)).toBe(1_000);
    expect(every({ takenBack: true })).toBe(5_000);
    expect(every({ takenBack: true, movedAt: now - 600_000 })).toBeNull();
    expect(isDead({ stage: 'graduated', movedAt: 0 }, now)).toBe(false);
  });

  it('go to the hottest that is due, the longest unseen first, and to no more than asked', () => {
    const hot = row({ lookedAt: now - 1_000 });
    const hotter = row({ lookedAt: now - 2_000 });
    const seen = row({ lookedAt: now - 999 });
    const cold = row({ movedAt: now - 7_200_000, lookedAt: now - 9_000_000 });
    const due = dueLooks([cold, seen, hot, hotter], { finalSlot: 100n, now, limit: 2 });
    expect(due).toEqual([hotter, hot]);
    expect(dueLooks([cold, seen], { finalSlot: 100n, now, limit: 2 })).toEqual([cold]);
  });
});
