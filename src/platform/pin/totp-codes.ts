import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../core/errors/app-error.ts';
import type { OneTimeCodes } from '../ports/one-time-codes.ts';
import { base32 } from './base32.ts';
import { createRecoveryCodes } from './recovery-codes.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** As long as the hash, which RFC 4226 recommends. */
const SECRET_BYTES = 20;

type BoxState = 'new' | 'in-force';

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
  const tryKey = keyOf('pin-try');
  /** Boxes in force and those that are still to be scanned differ by it: only the latter are ever shown. */
  const aad = (userId: string, state: BoxState): Uint8Array =>
    Buffer.from(`tradepost/1/${state === 'new' ? 'totp-new' : 'totp'}/${userId}`, 'utf8');
  const sealed = (secret: Uint8Array, userId: string, state: BoxState): string =>
    Buffer.from(seal(key, secret, aad(userId, state))).toString('base64url');
  const secretOf = (box: string, userId: string, state: BoxState): Uint8Array => {
    try {
      return open(key, Buffer.from(box, 'base64url'), aad(userId, state));
    } catch (cause) {
      throw new AppError('SECRET_UNREADABLE', { walletId: 'totp' }, { cause });
    }
  };
  const secretOfAny = (box: string, userId: string): Uint8Array => {
    try {
      return secretOf(box, userId, 'in-force');
    } catch {
      return secretOf(box, userId, 'new');
    }
  };
  return {
    ...createRecoveryCodes(),
    create: (userId) => sealed(randomBytes(SECRET_BYTES), userId, 'new'),
    activate: (box, userId) => sealed(secretOfAny(box, userId), userId, 'in-force'),
    uri: (box, userId) => {
      const name = encodeURIComponent(issuer);
      const label = `${name}:${encodeURIComponent(userId.slice(-6))}`;
      return `otpauth://totp/${label}?secret=${base32(secretOf(box, userId, 'new'))}&issuer=${name}`;
    },
    stepOf: (box, userId, code, now) => {
      const secret = secretOfAny(box, userId);
      const present = Math.floor(now / STEP_MS);
      // All three are compared whatever the first says. Clocks of phones differ by less than a step.
      const right = [present - 1, present, present + 1].filter((step) => same(totp(secret, step), code));
      return right.at(-1) ?? null;
    },
    recoveryDigest: (userId, code) => digestOf(recoveryKey, userId, code),
    tryDigest: (userId, typed) => digestOf(tryKey, userId, typed),
  };
}

/** An id has no line break in it. */
function digestOf(key: Uint8Array, userId: string, text: string): string {
  return createHmac('sha256', key).update(`${userId}\n${text}`).digest('hex');
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
