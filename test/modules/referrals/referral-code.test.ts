import { describe, expect, it } from 'vitest';
import { readReferralCode } from '../../../src/modules/referrals/rules/referral-code.ts';

describe('referral code', () => {
  it.each([
    ['abc', 'ABC'],
    [' Zoe ', 'ZOE'],
    ['my-code-2026', 'MY-CODE-2026'],
    ['000', '000'],
  ])('takes %j as %s', (text, code) => {
    expect(readReferralCode(text)).toEqual({ code, problem: null });
  });

  it.each(['ab', 'a'.repeat(13), '', 'a_b', 'a b', '-ab', 'ab-', '---', 'ａｂｃ', 'аdmin1', 'abc\n1', '<b>'])(
    'refuses %j',
    (text) => {
      expect(readReferralCode(text)).toEqual({ code: null, problem: 'shape' });
    },
  );

  it.each(['admin', 'Sup-Port', 'TRADEPOST', 's-t-a-f-f'])('reserves %s', (text) => {
    expect(readReferralCode(text)).toEqual({ code: null, problem: 'reserved' });
  });
});
