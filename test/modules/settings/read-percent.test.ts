import { expect, it } from 'vitest';
import { percent } from '../../../src/modules/settings/chat/read-percent.ts';

it.each([
  ['5', 500],
  ['0,25 %', 25],
  ['0.25', 25],
  ['100', 10_000],
  // A screen refuses it: no trade passes without any room.
  ['0', 0],
  ['0,00', 0],
])('%s is read as a slippage', (text, bps) => {
  expect(percent(text)).toBe(bps);
});

it.each(['100.01', '100,01', '-5', 'NaN', '', '%', 'auto 0', '1e1', '0.001', '5 6', '1,500'])(
  '%s is no slippage',
  (text) => {
    expect(percent(text)).toBeNull();
  },
);
