import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../core/errors/app-error.ts';
import type { OneTimeCodes } from '../../core/ports/one-time-codes.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** As long as the hash, which RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: nobody tries them, so that the digest may be a fast one. */
const RECOVERY_BYTES = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

type Box = (key: Uint8Array, bytes: Uint8Array, aad: Uint8Array) => Uint8Array;

export type TotpDeps = {
  /** The pepper of PINs: wrapped by the key-encryption key, so that a dump alone opens no secret and rotation loses none. */
  readonly pepper: Uint8Array;
  /** What authenticators show the code under. */
  readonly issuer: string;
  readonly seal: Box;
  readonly open: Box;
};

/** One-time codes whose secrets lie sealed in the rows of their people. */
export function createTotpCodes({ pepper, issuer, seal, open }: TotpDeps): OneTimeCodes {
  const keyOf = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', pepper, '', `tradepost/1/${purpose}`, 32));
  const key = keyOf('totp');
  const recoveryKey = keyOf('recovery');
  const aad = (userId: string): Uint8Array => Buffer.from(`tradepost/1/totp/${userId}`, 'utf8');
  const secretOf = (box: string, userId: string): Uint8Array => {
    try {
      return open(key, Buffer.from(box, 'base64url'), aad(userId));
    } catch (cause) {
      throw new AppError('SECRET_UNREADABLE', { walletId: 'totp' }, { cause });
    }
  };
  return {
    create: (userId) => Buffer.from(seal(key, randomBytes(SECRET_BYTES), aad(userId))).toString('base64url'),
    uri: (box, userId) => {
      const name = encodeURIComponent(issuer);
      const label = `${name}:${encodeURIComponent(userId.slice(-6))}`;
      return `otpauth://totp/${label}?secret=${base32(secretOf(box, userId))}&issuer=${name}`;
    },
    stepOf: (box, userId, code, now) => {
      const secret = secretOf(box, userId);
      const present = Math.floor(now / STEP_MS);
      // All three are compared whatever the first says. Clocks of phones differ by less than a step.
      const right = [present - 1, present, present + 1].filter((step) => same(totp(secret, step), code));
      return right.at(-1) ?? null;
    },
    recoveryCodes: () => Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES))),
    // An id has no line break in it.
    recoveryDigest: (userId, code) =>
      createHmac('sha256', recoveryKey).update(`${userId}\n${code}`).digest('hex'),
    digest: (token) => createHash('sha256').update(token).digest('hex'),
  };
}

/** HOTP of RFC 4226 at the counter that RFC 6238 makes of time. */
export function totp(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

function same(expected: string, given: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

/** RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31] ?? '';
    value &= 0xff;
  }
  return bits === 0 ? text : text + (BASE32[(value << (5 - bits)) & 31] ?? '');
}
