import { createHash, randomBytes } from 'node:crypto';
import type { RecoveryCodes } from '../ports/one-time-codes.ts';
import { base32 } from './base32.ts';

const CODES = 10;
/** 80 bits: nobody tries them, so that the digest may be a fast one. */
const CODE_BYTES = 10;

/** Codes that are random and digests that are plain: no key is needed for them. */
export function createRecoveryCodes(): RecoveryCodes {
  return {
    recoveryCodes: () => Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES))),
    digest: (token) => createHash('sha256').update(token).digest('hex'),
  };
}
