import { describe, expect, it } from 'vitest';
import { accountKey, EARN_REASONS, isHouse, type LedgerTransfer } from '../../../src/core/ledger/entry.ts';
import { earnTransfer, redeemTransfer, seasonTransfer } from '../../../src/core/ledger/point-postings.ts';

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

  it.each([
    ['earning', earning],
    ['redeeming', redeeming],
    ['a season’s end', closing],
  ] as const)('move at least one point: %s', (_, post) => {
    expect(() => post(1n)).not.toThrow();
    for (const points of [0n, -1n]) {
      expect(() => post(points)).toThrow(new RangeError(`points: expected more than 0, got ${points}`));
    }
  });

  it('may take a person’s points to nothing and the house’s below it', () => {
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
