import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailAddress } from '../../../src/core/text/email-address.ts';
import { limitsOf } from '../../../src/modules/keys/rules/key-limits.ts';
import { parseKeyRequest, textOf } from '../../../src/modules/keys/rules/parse-key-request.ts';

describe('an e-mail address', () => {
  it.each([
    ['mara@example.org', 'mara@example.org'],
    ['  Mara.K+keys@Example.Org ', 'mara.k+keys@example.org'],
    ['a@b.co', 'a@b.co'],
  ])('takes %j', (text, address) => {
    expect(emailAddress(text)).toBe(address);
  });

  it.each([
    ['a line break', 'mara@example.org\r\nBcc: everybody@example.org'],
    ['a bare line feed', 'mara\n@example.org'],
    ['300 characters', `${'a'.repeat(288)}@example.org`],
    ['two addresses', 'mara@example.org,eve@example.org'],
    ['two addresses and a semicolon', 'mara@example.org; eve@example.org'],
    ['a name in front', 'Mara <mara@example.org>'],
    ['a quoted name', '"mara eve"@example.org'],
    ['two signs', 'mara@eve@example.org'],
    ['no dot behind the sign', 'mara@localhost'],
    ['an address of a machine', 'mara@[127.0.0.1]'],
    ['a dot at the end', 'mara.@example.org'],
    ['a label with a dash in front', 'mara@-example.org'],
    ['a zero byte', 'mara\0@example.org'],
    ['letters of another alphabet', 'mаra@example.org'],
    ['nothing', ''],
  ])('refuses %s', (_what, text) => {
    expect(emailAddress(text)).toBeNull();
  });

  it('never lets through what a header could read in another way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        const address = emailAddress(`${a}@${b}`);
        if (address !== null) expect(address).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/);
        if (address !== null) expect(address).not.toMatch(/[,;:<>()[\]\\"\s]/);
      }),
    );
  });
});

describe('the limits of a stated volume', () => {
  it.each([
    [
      { perDay: 1, peakPerSecond: 1 },
      { ratePerSecond: 1, burst: 2, dayQuota: 2 },
    ],
    [
      { perDay: 10_000, peakPerSecond: 2 },
      { ratePerSecond: 2, burst: 4, dayQuota: 15_000 },
    ],
    // Three times the even rate: 3 × 1,000,000 / 86,400 = 34.7.
    [
      { perDay: 1_000_000, peakPerSecond: 5 },
      { ratePerSecond: 35, burst: 70, dayQuota: 1_500_000 },
    ],
    [
      { perDay: 5, peakPerSecond: 9_999 },
      { ratePerSecond: 50, burst: 100, dayQuota: 8 },
    ],
  ])('of %j', (stated, limits) => {
    expect(limitsOf(stated, 50)).toEqual(limits);
  });
});

const FORM = {
  email: 'mara@example.org',
  project: 'Rebalancer',
  use: 'It rebalances a small portfolio.',
  perDay: '10000',
  peakPerSecond: '2',
  swap: 'on',
};
const wrongIn = (fields: Record<string, string | undefined>): readonly string[] => {
  const parsed = parseKeyRequest({ ...FORM, ...fields });
  return 'wrong' in parsed ? [...parsed.wrong] : [];
};

describe('the form', () => {
  it('is taken as it stands', () => {
    expect(parseKeyRequest(FORM)).toEqual({
      draft: { ...FORM, swap: undefined, perDay: 10_000, peakPerSecond: 2, scopes: ['swap'] },
    });
  });

  it.each(['0', '-1', '1e99', 'many', '', '1.5', '１0', '0x10', '100000001', '9'.repeat(400), undefined])(
    'refuses a volume of %j',
    (perDay) => {
      expect(wrongIn({ perDay })).toEqual(['perDay']);
      expect(wrongIn({ peakPerSecond: perDay })).toEqual(['peakPerSecond']);
    },
  );

  it('tells everything that is wrong at once', () => {
    expect(parseKeyRequest({})).toEqual({
      wrong: new Set(['perDay', 'peakPerSecond', 'email', 'project', 'use', 'scopes']),
    });
    expect(wrongIn({ use: 'x'.repeat(19) })).toEqual(['use']);
    expect(wrongIn({ use: 'x'.repeat(2_001) })).toEqual(['use']);
    expect(wrongIn({ project: 'x'.repeat(81) })).toEqual(['project']);
    // Spaces and what cannot be seen do not count as a description.
    expect(wrongIn({ use: `${' '.repeat(30)}\u200b\u202e`.repeat(2) })).toEqual(['use']);
  });

  it('takes out what hides or turns text, and keeps its lines', () => {
    expect(textOf(' a\u202eb\u0000c\u200b\r\nd\u2028e\n\n\n\nf ')).toBe('abc\nd\ne\n\nf');
  });
});
