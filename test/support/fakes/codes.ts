import { openBox, sealBox } from '../../../src/platform/gcm-box.ts';
import { createTotpCodes, totp } from '../../../src/platform/pin/totp-codes.ts';
import type { OneTimeCodes } from '../../../src/platform/ports/one-time-codes.ts';

/** The real codes under a key of the tests' own. */
export function testCodes(pepper = 5): OneTimeCodes {
  return createTotpCodes({
    pepper: new Uint8Array(32).fill(pepper),
    issuer: 'Tradepost',
    seal: sealBox,
    open: openBox,
  });
}

/** What an authenticator that scanned `uri` shows at `now`. */
export function authenticator(uri: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(new URL(uri).searchParams.get('secret') ?? '')
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return totp(Uint8Array.from(bytes), Math.floor(now / 30_000));
}
