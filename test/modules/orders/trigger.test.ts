import { expect, it } from 'vitest';
import { compareRates } from '../../../src/modules/orders/rules/rate.ts';
import { holdMsOf, rateIn } from '../../../src/modules/orders/rules/trigger.ts';

it('holds a fall for 2.4 s unless told otherwise, and a rise not at all', () => {
  const choices = ['fast', 'normal', 'careful'] as const;
  expect(choices.map((choice) => holdMsOf('FALL', choice))).toEqual([0, 2_400, 12_000]);
  expect(choices.map((choice) => holdMsOf('RISE', choice))).toEqual([0, 0, 0]);
});

it('knows no price in dollars when the price of SOL is older than 30 seconds', () => {
  const sol = { micros: 150n, lamports: 1n, at: 1_000 };
  const rate = { got: 2n, given: 3n };
  const sold = rateIn('USD', 'sell', rate, sol, 31_000);
  const bought = rateIn('USD', 'buy', rate, sol, 31_000);
  expect(sold !== null && compareRates(sold, { got: 300n, given: 3n })).toBe(0);
  expect(bought !== null && compareRates(bought, { got: 2n, given: 450n })).toBe(0);
  expect(rateIn('USD', 'sell', rate, sol, 31_001)).toBeNull();
  expect(rateIn('USD', 'sell', rate, null, 1_000)).toBeNull();
  expect(rateIn('SOL', 'sell', rate, null, 1_000)).toEqual(rate);
});
