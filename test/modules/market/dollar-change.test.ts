import { expect, it } from 'vitest';
import { dollarChange } from '../../../src/modules/market/rules/dollar-change.ts';

const prices = (now: string, before: string | null) => ({ now, before });

it.each([
  ['up in SOL, down in dollars, because SOL fell by half', prices('1.2', '1'), prices('75', '150'), -40],
  ['down in SOL, up in dollars', prices('0.9', '1'), prices('200', '100'), 80],
  ['the same as in the quote token where that is a dollar', prices('1.5', '1'), 'dollar' as const, 50],
  ['unknown where the quote token’s dollars are not known now', prices('1.5', '1'), null, null],
  ['unknown where they were not known then', prices('1.5', '1'), prices('75', null), null],
  ['unknown where the token has no price that is so old', prices('1.5', null), 'dollar' as const, null],
  ['unknown where it had no price at all', null, 'dollar' as const, null],
  ['unknown where it cost nothing', prices('1', '0'), 'dollar' as const, null],
])('a change in dollars is %s', (_what, price, quote, percent) => {
  expect(dollarChange(price, quote)).toBe(percent);
});
