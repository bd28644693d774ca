import { createHash, randomBytes } from 'node:crypto';
import type { LinkTokens } from '../ports/link-tokens.ts';

const BYTES = 32;

export function createLinkTokens(): LinkTokens {
  const hash = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return {
    make: () => randomBytes(BYTES).toString('base64url'),
    hash: (token) => Uint8Array.from(hash(token)),
    // Another text than the token's own hash, which the database knows.
    formToken: (session) => hash(`form of ${session}`).toString('base64url'),
  };
}
