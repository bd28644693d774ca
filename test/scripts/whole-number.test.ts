import { expect, it } from 'vitest';
import { wholeNumber } from '../../scripts/whole-number.ts';

it('takes whole numbers of the range and says the range of all others', () => {
  expect(wholeNumber('seed', '1962136176', 0, 4_294_967_295)).toBe(1_962_136_176);
  expect(wholeNumber('seed', '0', 0, 9)).toBe(0);
  for (const text of ['10', '-1', '1.5', '1e0', '', 'x', '0x1', '99999999999999999999']) {
    expect(() => wholeNumber('seed', text, 0, 9), text).toThrow(
      `--seed: expected a whole number from 0 to 9, got "${text}"`,
    );
  }
});
