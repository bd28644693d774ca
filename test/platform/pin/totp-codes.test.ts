import { describe, expect, it } from 'vitest';
import { base32 } from '../../../src/platform/pin/base32.ts';
import { totp } from '../../../src/platform/pin/totp-codes.ts';
import { authenticator, testCodes } from '../../support/fakes/codes.ts';

const NOW = 1_700_000_000_000;

describe('one-time codes', () => {
  // RFC 6238, appendix B: the rows of SHA-1.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238 at second %i', (second, code) => {
    expect(totp(Buffer.from('12345678901234567890'), Math.floor(second / 30), 8)).toBe(code);
  });

  // RFC 4226, appendix D.
  it('are those of RFC 4226 with six digits', () => {
    const secret = Buffer.from('12345678901234567890');
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((counter) => totp(secret, counter)).join(' ')).toBe(
      '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489',
    );
  });

  // RFC 4648, chapter 10, without padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('write a secret as RFC 4648 writes %j', (plain, text) => {
    expect(base32(Buffer.from(plain))).toBe(text);
  });

  it('show a secret until it is in force, and go on knowing its codes after', () => {
    const codes = testCodes();
    const box = codes.create('ann');
    const uri = codes.uri(box, 'ann');
    const inForce = codes.activate(box, 'ann');
    expect(inForce).not.toBe(box);
    expect(() => codes.uri(inForce, 'ann')).toThrow('SECRET_UNREADABLE');
    expect(() => codes.activate(inForce, 'bob')).toThrow('SECRET_UNREADABLE');
    const step = Math.floor(NOW / 30_000);
    for (const one of [box, inForce, codes.activate(inForce, 'ann')]) {
      expect(codes.stepOf(one, 'ann', authenticator(uri, NOW), NOW)).toBe(step);
    }
  });

  it('are right one step early and late, and name their step', () => {
    const codes = testCodes();
    const box = codes.create('ann');
    const uri = codes.uri(box, 'ann');
    const step = Math.floor(NOW / 30_000);
    for (const off of [-1, 0, 1]) {
      expect(codes.stepOf(box, 'ann', authenticator(uri, NOW + off * 30_000), NOW)).toBe(step + off);
    }
    for (const off of [-2, 2]) {
      expect(codes.stepOf(box, 'ann', authenticator(uri, NOW + off * 30_000), NOW)).toBeNull();
    }
    expect(codes.stepOf(box, 'ann', '', NOW)).toBeNull();
  });

  it('have a secret that is fresh, sealed, and of use in one person’s row alone', () => {
    const codes = testCodes();
    const box = codes.create('ann');
    expect(codes.create('ann')).not.toBe(box);
    const secret = new URL(codes.uri(box, 'ann')).searchParams.get('secret') ?? '';
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(box).not.toContain(secret);
    expect(() => codes.uri(box, 'bob')).toThrow(expect.objectContaining({ code: 'SECRET_UNREADABLE' }));
    expect(() => testCodes(6).uri(box, 'ann')).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
    );
    // Its first letter is any of 64.
    const spoilt = `${box.startsWith('A') ? 'B' : 'A'}${box.slice(1)}`;
    expect(() => codes.stepOf(spoilt, 'ann', '000000', NOW)).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
    );
  });
});

describe('recovery codes', () => {
  it('are ten of 80 random bits, and what is kept of one is of use in one person’s row and under one pepper alone', () => {
    const codes = testCodes();
    const made = [...codes.recoveryCodes(), ...codes.recoveryCodes()];
    expect(made).toHaveLength(20);
    expect(new Set(made).size).toBe(20);
    for (const code of made) expect(code).toMatch(/^[A-Z2-7]{16}$/);
    const [code = ''] = made;
    const kept = codes.recoveryDigest('user-1', code);
    expect(kept).toMatch(/^[0-9a-f]{64}$/);
    expect(testCodes().recoveryDigest('user-1', code)).toBe(kept);
    expect(codes.recoveryDigest('user-2', code)).not.toBe(kept);
    expect(testCodes(6).recoveryDigest('user-1', code)).not.toBe(kept);
    // Digests of codes can be asked for: they must say nothing of a try that a crash left.
    expect(codes.tryDigest('user-1', code)).not.toBe(kept);
  });
});
