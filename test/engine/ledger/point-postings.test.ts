import { describe, expect, it } from 'vitest';
import {
  accountKey,
  EARN_REASONS,
  isHouse,
  type LedgerTransfer,
} from '../../../src/engine/ledger/rules/entry.ts';
import {
  betTransfer,
  earnTransfer,
  lockTransfer,
  redeemTransfer,
  seasonTransfer,
  unlockTransfer,
  winTransfer,
} from '../../../src/engine/ledger/rules/point-postings.ts';

const at = { id: 'transfer-9', createdAt: 1_800 };
const booked = (transfer: LedgerTransfer) => ({
  ...transfer,
  entries: transfer.entries.map(({ account, amount }) => [accountKey(account), amount]),
});
const earning = (points: bigint) =>
  earnTransfer(at, {
    userId: 'ivy',
    reason: 'points-mission',
    key: 'points-mission/77/first-trade',
    ref: 'first-trade',
    points,
  });
const redeeming = (points: bigint) =>
  redeemTransfer(at, { userId: 'ivy', redemptionId: 'r-1', item: 'voucher', points });
const round = (points: bigint) => ({ userId: 'ivy', roundId: 'round-1', points });
const staking = (points: bigint) => betTransfer(at, round(points));
const winning = (points: bigint) => winTransfer(at, round(points));
const locking = (points: bigint) =>
  lockTransfer(at, { userId: 'ivy', period: 5, entryId: 'entry-1', points });
const unlocking = (points: bigint, converted: boolean) =>
  unlockTransfer(at, { userId: 'ivy', period: 5, points, converted });
const closing = (points: bigint) => seasonTransfer(at, { userId: 'ivy', season: 3, points });

describe('postings of points', () => {
  it('bring points into being for a person, under the caller’s key, reason and subject', () => {
    expect(booked(earning(25n))).toEqual({
      ...at,
      key: 'points-mission/77/first-trade',
      reason: 'points-mission',
      ref: 'first-trade',
      currency: 'POINT',
      entries: [
        ['house/points-issued', -25n],
        ['points/ivy', 25n],
      ],
    });
  });

  it('give points for an item once per redemption', () => {
    expect(booked(redeeming(7n))).toEqual({
      ...at,
      key: 'points-redeem/r-1',
      reason: 'points-redeem',
      ref: 'voucher',
      currency: 'POINT',
      entries: [
        ['points/ivy', -7n],
        ['house/points-spent', 7n],
      ],
    });
  });

  it('take what a season leaves once per season and person', () => {
    expect(booked(closing(9n))).toEqual({
      ...at,
      key: 'points-season/3/ivy',
      reason: 'points-season',
      ref: '3',
      currency: 'POINT',
      entries: [
        ['points/ivy', -9n],
        ['house/points-expired', 9n],
      ],
    });
  });

  it('stake points on a round once, and pay what it won once', () => {
    expect(booked(staking(4n))).toEqual({
      ...at,
      key: 'points-bet/round-1',
      reason: 'points-bet',
      ref: 'round-1',
      currency: 'POINT',
      entries: [
        ['points/ivy', -4n],
        ['house/points-games', 4n],
      ],
    });
    expect(booked(winning(8n))).toEqual({
      ...at,
      key: 'points-win/round-1',
      reason: 'points-win',
      ref: 'round-1',
      currency: 'POINT',
      entries: [
        ['house/points-games', -8n],
        ['points/ivy', 8n],
      ],
    });
  });

  it('lock points for a convert period, entry by entry', () => {
    expect(booked(locking(6n))).toEqual({
      ...at,
      key: 'points-lock/entry-1',
      reason: 'points-lock',
      ref: '5',
      currency: 'POINT',
      entries: [
        ['points/ivy', -6n],
        ['points-locked/ivy', 6n],
      ],
    });
  });

  it('end a convert period for a person once: with points spent, or given back', () => {
    const common = { ...at, key: 'points-unlock/5/ivy', ref: '5', currency: 'POINT' };
    expect(booked(unlocking(6n, true))).toEqual({
      ...common,
      reason: 'points-convert',
      entries: [
        ['points-locked/ivy', -6n],
        ['house/points-spent', 6n],
      ],
    });
    expect(booked(unlocking(6n, false))).toEqual({
      ...common,
      reason: 'points-unlock',
      entries: [
        ['points-locked/ivy', -6n],
        ['points/ivy', 6n],
      ],
    });
  });

  it.each([
    ['earning', earning],
    ['redeeming', redeeming],
    ['a season’s end', closing],
    ['a stake', staking],
    ['a win', winning],
    ['locking', locking],
    ['a convert period’s end', (points: bigint) => unlocking(points, true)],
  ] as const)('move at least one point: %s', (_, post) => {
    expect(() => post(1n)).not.toThrow();
    for (const points of [0n, -1n]) {
      expect(() => post(points)).toThrow(new RangeError(`points: expected more than 0, got ${points}`));
    }
  });

  it('belong to a person or to the house', () => {
    const house = (['points-issued', 'points-spent', 'points-expired'] as const).map((kind) => ({ kind }));
    expect(house.map(isHouse)).toEqual([true, true, true]);
    expect(isHouse({ kind: 'points', owner: 'ivy' })).toBe(false);
  });

  it('count four ways of earning, which the weekly board adds up', () => {
    expect([...EARN_REASONS].sort()).toEqual([
      'points-mine',
      'points-mission',
      'points-token',
      'points-trade',
    ]);
  });
});
