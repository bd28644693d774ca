import { describe, expect, it } from 'vitest';
import {
  decodeExportNotice,
  EXPORT_EVENTS,
  encodeExportNotice,
} from '../../../../src/modules/guard/rules/export-notice.ts';
import {
  assertMayAskExport,
  assertReady,
  type ExportState,
  type ExportWorld,
  exportState,
  isOnItsWay,
  type KeyExport,
} from '../../../../src/modules/guard/rules/key-export.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ASKED = 1_800_000_000_000;
const EXPORT: KeyExport = {
  id: 'e',
  userId: 'u',
  walletId: 'w',
  askedAt: ASKED,
  readyAt: ASKED + DAY,
  endsAt: ASKED + 2 * DAY,
  end: null,
};
const QUIET: ExportWorld = { guard: { pinHash: 'x', pinSetAt: ASKED - DAY, frozenAt: null }, thrownAt: null };
const guarded = (change: Partial<ExportWorld['guard']>): ExportWorld => ({
  ...QUIET,
  guard: { ...QUIET.guard, ...change },
});
const stateIn = (world: ExportWorld, at = ASKED + DAY): ExportState => exportState(EXPORT, world, at);
const refusal = (details: object) => expect.objectContaining({ code: 'EXPORT_WAITS', details });

describe('a key on its way out', () => {
  it('waits, may be taken for a day, and lapses, each to the millisecond', () => {
    const kinds = [DAY - 1, DAY, 2 * DAY - 1, 2 * DAY].map((after) => stateIn(QUIET, ASKED + after).kind);
    expect(kinds).toEqual(['ASKED', 'READY', 'READY', 'LAPSED']);
    expect(stateIn(QUIET, ASKED + 9 * DAY)).toEqual({ kind: 'LAPSED', at: ASKED + 2 * DAY });
  });

  it('is stopped by a freeze and by a switch since it was asked for, and by none before', () => {
    for (const at of [ASKED, ASKED + 1]) {
      expect(stateIn(guarded({ frozenAt: at }))).toEqual({ kind: 'STOPPED', at, by: 'freeze' });
      expect(stateIn({ ...QUIET, thrownAt: at })).toEqual({ kind: 'STOPPED', at, by: 'switch' });
    }
    expect(stateIn(guarded({ frozenAt: ASKED - 1 })).kind).toBe('READY');
    expect(stateIn({ ...QUIET, thrownAt: ASKED - 1 }).kind).toBe('READY');
  });

  it('is stopped by a PIN that is newer, not by the one that it was asked for with', () => {
    expect(stateIn(guarded({ pinSetAt: ASKED + 1 }))).toEqual({
      kind: 'STOPPED',
      at: ASKED + 1,
      by: 'pin',
    });
    expect(stateIn(guarded({ pinSetAt: ASKED })).kind).toBe('READY');
    expect(stateIn(guarded({ pinSetAt: null })).kind).toBe('READY');
    // A PIN that was taken away again leaves no moment, and stops it all the same.
    expect(stateIn(guarded({ pinHash: null, pinSetAt: null }))).toEqual({
      kind: 'STOPPED',
      at: ASKED + DAY,
      by: 'pin',
    });
  });

  it('keeps the end that was written down, whatever happens later', () => {
    const end = { kind: 'TAKEN', at: ASKED + DAY } as const;
    expect(exportState({ ...EXPORT, end }, guarded({ frozenAt: ASKED + DAY + 1 }), ASKED + 9 * DAY)).toEqual(
      end,
    );
  });

  it('is on its way while it waits or is ready, and not after its end', () => {
    expect(isOnItsWay({ kind: 'ASKED' })).toBe(true);
    expect(isOnItsWay({ kind: 'READY' })).toBe(true);
    for (const kind of ['TAKEN', 'LAPSED'] as const) expect(isOnItsWay({ kind, at: 1 })).toBe(false);
    expect(isOnItsWay({ kind: 'STOPPED', at: 1, by: 'pin' })).toBe(false);
  });

  it('is given out only once it is ready, and says when that is', () => {
    expect(() => assertReady(EXPORT, { kind: 'READY' })).not.toThrow();
    expect(() => assertReady(EXPORT, { kind: 'ASKED' })).toThrow(
      refusal({ why: 'asked', until: EXPORT.readyAt }),
    );
    for (const over of [
      { kind: 'TAKEN', at: 1 },
      { kind: 'LAPSED', at: 1 },
      { kind: 'STOPPED', at: 1, by: 'person' },
    ] as const)
      expect(() => assertReady(EXPORT, over)).toThrow(refusal({ why: 'over' }));
  });
});

describe('another export', () => {
  const BAR = 3 * DAY;
  const ask = (states: readonly ExportState[], now: number) =>
    assertMayAskExport(
      states.map((state) => ({ found: EXPORT, state })),
      now,
      BAR,
    );

  it('is not asked for beside one that is on its way', () => {
    for (const kind of ['ASKED', 'READY'] as const)
      expect(() => ask([{ kind: 'LAPSED', at: 1 }, { kind }], ASKED)).toThrow(
        refusal({ why: 'open', until: EXPORT.endsAt }),
      );
    expect(() => ask([], ASKED)).not.toThrow();
  });

  it('is barred for its time after the person stopped one, and by no other stop', () => {
    const stopped = (by: 'person' | 'freeze' | 'pin' | 'switch'): ExportState => ({
      kind: 'STOPPED',
      at: ASKED,
      by,
    });
    for (const now of [ASKED, ASKED + BAR - 1])
      expect(() => ask([stopped('freeze'), stopped('person')], now)).toThrow(
        refusal({ why: 'stopped', until: ASKED + BAR }),
      );
    expect(() => ask([stopped('person')], ASKED + BAR)).not.toThrow();
    for (const by of ['freeze', 'pin', 'switch'] as const)
      expect(() => ask([stopped(by)], ASKED + 1)).not.toThrow();
    for (const kind of ['TAKEN', 'LAPSED'] as const)
      expect(() => ask([{ kind, at: ASKED }], ASKED + 1)).not.toThrow();
    // A stop that lies ahead was written before the clock was set back.
    expect(() => ask([stopped('person')], ASKED - 1)).not.toThrow();
  });
});

describe('the notice of an export', () => {
  it.each(EXPORT_EVENTS)('is read as it was written: %s', (event) => {
    const notice = { exportId: '01EXPORT', event };
    expect(encodeExportNotice(notice)).toEqual({ exportId: '01EXPORT', event });
    expect(decodeExportNotice(encodeExportNotice(notice))).toEqual(notice);
  });

  it('is refused with an event that is none, and says which payload it was', () => {
    expect([...EXPORT_EVENTS]).toEqual(['asked', 'half', 'ready', 'taken', 'stopped', 'disowned']);
    expect(() => decodeExportNotice({ exportId: 'e', event: 'sold' })).toThrow(/notice.*event/i);
    expect(() => decodeExportNotice({ event: 'asked' })).toThrow(/exportId/);
  });
});
