import { describe, expect, it } from 'vitest';
import { defaultOf, legsOf } from '../../../src/modules/orders/chat/default-exits.ts';
import { exitDrafts } from '../../../src/modules/orders/use/exit-drafts.ts';
import {
  type ExitSet,
  exitRequest,
  hasExits,
  isExitSet,
  NO_EXITS,
  nextLiquidity,
  sameExits,
} from '../../../src/modules/settings/rules/exit-set.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import { exitsOf, nextExits } from '../../../src/modules/trading/chat/exits.ts';
import { SETTINGS } from '../../../src/platform/db/json/settings-json.ts';

const whole = (atBps: number) => ({ atBps, shareBps: 10_000 });
const set = (more: Partial<ExitSet>): ExitSet => ({ ...NO_EXITS, ...more });

describe('a set of exits', () => {
  it.each<[string, ExitSet, boolean]>([
    ['none', NO_EXITS, true],
    ['three shares of a third', set({ takes: [1, 2, 3].map((atBps) => ({ atBps, shareBps: 3_333 })) }), true],
    ['four takes', set({ takes: [1, 2, 3, 4].map((atBps) => ({ atBps, shareBps: 1 })) }), false],
    ['shares above a whole', set({ takes: [whole(1), { atBps: 2, shareBps: 1 }] }), false],
    ['two takes at one price', set({ takes: [1, 1].map((atBps) => ({ atBps, shareBps: 10 })) }), false],
    ['a take of nothing', set({ takes: [{ atBps: 1, shareBps: 0 }] }), false],
    ['a take at the entry', set({ takes: [whole(0)] }), false],
    ['a stop at nothing', set({ stopBps: 10_000 }), false],
    ['the lowest stop', set({ stopBps: 9_999 }), true],
    ['a stop at the entry', set({ stopBps: 0 }), false],
    ['two stops', set({ stopBps: 100, trailBps: 100 }), false],
    ['a trail that is too close', set({ trailBps: 99 }), false],
    ['no number', set({ stopBps: Number.NaN }), false],
    ['two events beside a stop', set({ stopBps: 100, devSells: true, liquidityBps: 5_000 }), true],
    ['a fall of another share', set({ liquidityBps: 4_000 }), false],
  ])('%s', (_name, exits, holds) => {
    expect(isExitSet(exits)).toBe(holds);
  });

  it('is none in rows of before, and a row with one that no purchase can carry is refused', () => {
    const exits = set({ takes: [whole(2_500)] });
    const stored: object = JSON.parse(SETTINGS.encode('u', { ...DEFAULT_SETTINGS, exits }));
    expect(SETTINGS.decode('u', stored).exits).toEqual(exits);
    const before = Object.fromEntries(Object.entries(stored).filter(([name]) => name !== 'exits'));
    expect(SETTINGS.decode('u', before).exits).toEqual(NO_EXITS);
    expect(() => SETTINGS.decode('u', { ...before, exits: set({ stopBps: 10_000 }) })).toThrow();
  });

  it('is each a leg of a purchase, priced by its entry to the last digit', () => {
    const drafts = exitDrafts(set({ takes: [{ atBps: 1_250, shareBps: 4_000 }], stopBps: 3_000 }), {
      got: 7n,
      given: 11n,
    });
    expect(drafts.map(({ type, amount, request }) => [type, amount, request])).toEqual([
      ['TAKE_PROFIT', { kind: 'share', bps: 4_000 }, '+12.5%'],
      ['STOP_LOSS', { kind: 'rest' }, '-30%'],
    ]);
    const [take, stop] = drafts.map(({ trigger }) => trigger ?? { got: 0n, given: 1n });
    expect((take?.got ?? 0n) * 11n * 10_000n).toBe((take?.given ?? 0n) * 7n * 11_250n);
    expect((stop?.got ?? 0n) * 11n * 10n).toBe((stop?.given ?? 0n) * 7n * 7n);
    expect([exitRequest(-1), exitRequest(20_000)]).toEqual(['-0.01%', '+200%']);
  });

  it('sells the rest at an event, at any price, and a row keeps both', () => {
    const exits = set({ devSells: true, liquidityBps: 7_000 });
    expect([hasExits(exits), hasExits(set({ devSells: true })), hasExits(NO_EXITS)]).toEqual([
      true,
      true,
      false,
    ]);
    const drafts = exitDrafts(exits, { got: 7n, given: 11n });
    expect(drafts.map(({ type, amount, trigger, fallBps }) => [type, amount.kind, trigger, fallBps])).toEqual(
      [
        ['DEV_SELLS', 'rest', null, undefined],
        ['LIQUIDITY_FALLS', 'rest', null, 7_000],
      ],
    );
    const stored: object = JSON.parse(SETTINGS.encode('u', { ...DEFAULT_SETTINGS, exits }));
    expect(SETTINGS.decode('u', stored).exits).toEqual(exits);
    expect(exitsOf(exits)).toEqual(exits);
    expect(exitsOf(NO_EXITS)).toEqual(NO_EXITS);
    expect(defaultOf(legsOf(exits))).toEqual(exits);
    expect(sameExits(exits, set({ devSells: true }))).toBe(false);
  });

  it('has each event on or off for one purchase, and turns through the falls in the settings', () => {
    const own = set({ devSells: true, liquidityBps: 3_000 });
    const off = nextExits(nextExits(own, 'dev', own), 'liquidity', own);
    expect(off).toEqual(NO_EXITS);
    expect(nextExits(nextExits(off, 'dev', own), 'liquidity', own)).toEqual(own);
    expect([null, 5_000, 7_000, 3_000].map(nextLiquidity)).toEqual([5_000, 7_000, 3_000, null]);
  });

  it('turns from the own one through the offered ones, and back', () => {
    const own = set({ takes: [1, 2].map((atBps) => ({ atBps, shareBps: 5_000 })), stopBps: 3_000 });
    const seen: ExitSet[] = [];
    for (let exits = own, n = 0; n < 6; n += 1) {
      exits = nextExits(exits, 'takes', own);
      seen.push(exits);
    }
    expect(seen.map(({ takes }) => takes.map(({ atBps }) => atBps))).toEqual([
      [2_500],
      [5_000],
      [10_000],
      [30_000],
      [],
      [1, 2],
    ]);
    expect(seen.every(({ stopBps }) => stopBps === 3_000)).toBe(true);
    expect(hasExits(nextExits(set({ trailBps: 1_500 }), 'stop', NO_EXITS))).toBe(false);
  });
});
