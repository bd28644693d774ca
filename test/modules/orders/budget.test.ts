import { expect, it } from 'vitest';
import { backOffSlots, isBudgetSpent, mayTell } from '../../../src/modules/orders/rules/budget.ts';

const HOUR = 3_600_000;

it('waits longer with each refusal, up to thirty slots', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000].map(backOffSlots)).toEqual([0, 1, 2, 4, 8, 16, 30, 30, 30]);
});

it('stops after three landed failures in an hour, or 0.01 SOL', () => {
  const at = (time: number, feeLamports = 5_000n) => ({ at: time, feeLamports });
  expect(isBudgetSpent([at(1), at(2), at(3)], HOUR)).toBe(true);
  expect(isBudgetSpent([at(0), at(2), at(3)], HOUR)).toBe(false);
  expect(isBudgetSpent([at(1, 9_999_999n)], HOUR * 9)).toBe(false);
  expect(isBudgetSpent([at(1, 9_999_999n), at(2, 1n)], HOUR * 9)).toBe(true);
});

it('tells one reason once an hour', () => {
  expect(mayTell(null, 5)).toBe(true);
  expect(mayTell(5, HOUR + 4)).toBe(false);
  expect(mayTell(5, HOUR + 5)).toBe(true);
});
