import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import {
  addressText,
  copyText,
  guardText,
  orderText,
  periodText,
  personalKeyText,
  personText,
  receivingText,
  walletText,
} from '../certificate-texts.ts';
import type { Certifier } from '../ports/certificates.ts';

/** The prefix of the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Certificates under an Ed25519 key that HKDF makes of `secret`, the 32 bytes behind confirmations, with a label of its own. Rotating the
 * master key changes neither.
 */
export function createCertifier(secret: Uint8Array): Certifier {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'tradepost/1/certificates', 32));
  const der = Buffer.concat([PKCS8, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  seed.fill(0);
  der.fill(0);
  const over = (text: string): string => sign(null, Buffer.from(text, 'utf8'), key).toString('base64url');
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new Error('a key of Ed25519 has a public half');
  return {
    publicKey: x,
    person: (facts) => over(personText(facts)),
    wallet: (facts) => over(walletText(facts)),
    order: (facts) => over(orderText(facts)),
    copy: (facts) => over(copyText(facts)),
    personalKey: (facts) => over(personalKeyText(facts)),
    receiving: (facts) => over(receivingText(facts)),
    guard: (facts) => over(guardText(facts)),
    address: (facts) => over(addressText(facts)),
    period: (facts) => over(periodText(facts)),
  };
}
