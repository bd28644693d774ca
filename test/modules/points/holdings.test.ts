import { describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import {
  countOf,
  discountAt,
  discountUntil,
  effectSpan,
} from '../../../src/modules/points/rules/holdings.ts';
import { claimKey, MISSIONS, missionsAt } from '../../../src/modules/points/rules/missions.ts';
import { SEASONS, seasonAt } from '../../../src/modules/points/rules/seasons.ts';
import { SHOP, type ShopEffect, shopAt } from '../../../src/modules/points/rules/shop.ts';

const NOW = Date.UTC(2026, 10, 21);
const WEEK = 7 * 86_400_000;
const discount: ShopEffect = { kind: 'fee-discount', bps: bps(1_000), days: 7 };

describe('what somebody redeemed', () => {
  it('gives its discount from its start to its end, and not a moment longer', () => {
    const held = [{ effect: discount, startsAt: NOW, endsAt: NOW + WEEK }];
    expect([NOW - 1, NOW, NOW + WEEK - 1, NOW + WEEK].map((at) => discountAt(held, at))).toEqual([
      0, 1_000, 1_000, 0,
    ]);
  });

  it('lets a second discount wait for the end of the first', () => {
    const first = { effect: discount, ...effectSpan(discount, [], NOW) };
    const second = { effect: discount, ...effectSpan(discount, [first], NOW + 1) };
    expect(second).toMatchObject({ startsAt: NOW + WEEK, endsAt: NOW + 2 * WEEK });
    expect(discountUntil([first, second], NOW)).toBe(NOW + 2 * WEEK);
    expect(discountUntil([first, second], NOW + 2 * WEEK)).toBeNull();
    expect(effectSpan({ kind: 'badge' }, [first], NOW)).toEqual({ startsAt: NOW, endsAt: null });
    expect(countOf([first, second], 'fee-discount')).toBe(2);
  });
});

describe('the catalogues', () => {
  it('never use an id twice', () => {
    for (const ids of [
      MISSIONS.map(({ id }) => id),
      SHOP.map(({ id }) => id),
      SEASONS.map(({ number }) => number),
    ])
      expect(new Set<string | number>(ids).size).toBe(ids.length);
  });

  it('offer what is in force only', () => {
    const [first] = MISSIONS;
    if (first === undefined) throw new Error('no missions');
    expect(missionsAt(NOW, [{ ...first, until: NOW }])).toEqual([]);
    expect(missionsAt(NOW - 1, [{ ...first, until: NOW }])).toHaveLength(1);
    expect(shopAt(0)).toEqual([]);
    expect(shopAt(NOW)).toEqual(SHOP);
  });

  it('name mission, Telegram account and period in a claim’s key', () => {
    const key = (id: string, at: number) =>
      claimKey(MISSIONS.find((mission) => mission.id === id) ?? (MISSIONS[0] as never), 42n, at);
    expect(key('daily-mine', NOW)).toBe('points-mission/daily-mine/42/2026-11-21');
    expect(key('weekly-trades', NOW)).toBe('points-mission/weekly-trades/42/2026-11-16');
    expect(key('pin', NOW)).toBe(key('pin', NOW + 400 * WEEK));
  });

  it('let one season follow the other without a gap', () => {
    SEASONS.forEach((season, index) => {
      const next = SEASONS[index + 1];
      if (next !== undefined) expect(next.from).toBe(season.until);
      expect(seasonAt(season.until - 1)).toBe(season);
    });
    expect(seasonAt(Date.UTC(2099, 0))).toBe(SEASONS.at(-1));
  });
});
