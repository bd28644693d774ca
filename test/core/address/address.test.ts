import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { hasCode } from '../../../src/core/errors/app-error.ts';

const WSOL = 'So11111111111111111111111111111111111111112';

describe('an address that a person gives', () => {
  it.each([
    '',
    'abc',
    '0'.repeat(43),
    'l'.repeat(44),
    '1'.repeat(31),
    '1'.repeat(45),
    'So1111111111111111111111111111111111111111',
  ])('is not %j', (text) => {
    expect(() => address(text)).toThrow(expect.toSatisfy((error) => hasCode(error, 'ADDRESS_INVALID')));
  });

  it('may have white space around it, as pasted text has', () => {
    expect(address(` ${WSOL}\n`)).toBe(WSOL);
  });
});
