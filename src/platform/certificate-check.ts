import { createPublicKey, verify } from 'node:crypto';
import { AppError } from '../core/errors/app-error.ts';
import { personText, receivingText, walletText } from './certificate-texts.ts';
import type { CertificateCheck } from './ports/certificates.ts';

type ForgedRow = { readonly table: 'users' | 'wallets'; readonly row: string };

/** Certificates that were found right, and rows that were reported: more than the people of one minute. */
const MOST_KEPT = 20_000;

export type LateCheck = CertificateCheck & {
  /** The public half of the signer's key, once it was asked. Until then no row is believed. */
  readonly begin: (publicKey: string) => void;
};

/**
 * Checks rows with the signer's public key. One that was found right is known by its certificate and its facts, so that it costs a
 * comparison the next time. A row without a right certificate is reported once, and refused each time.
 */
export function createCertificateCheck(onForged: (row: ForgedRow) => void): LateCheck {
  let isRight: ((text: string, certificate: string) => boolean) | null = null;
  const known = new Map<string, string>();
  const told = new Set<string>();
  const check = (text: string, certificate: string | null, row: ForgedRow): void => {
    if (isRight === null) throw new Error('the signer was not asked for its public key yet');
    if (certificate !== null && known.get(certificate) === text) return;
    if (certificate !== null && isRight(text, certificate)) {
      if (known.size >= MOST_KEPT) known.clear();
      known.set(certificate, text);
      return;
    }
    const name = `${row.table}/${row.row}`;
    if (!told.has(name)) {
      if (told.size >= MOST_KEPT) told.clear();
      told.add(name);
      onForged(row);
    }
    throw new AppError('ROW_FORGED', row);
  };
  return {
    begin: (publicKey) => {
      isRight = verifierOf(publicKey);
      known.clear();
    },
    person: (facts, certificate) => check(personText(facts), certificate, { table: 'users', row: facts.id }),
    wallet: (facts, certificate) =>
      check(walletText(facts), certificate, { table: 'wallets', row: facts.id }),
    receiving: (facts, certificate) =>
      check(receivingText(facts), certificate, { table: 'wallets', row: facts.walletId }),
  };
}

/** For an operator's command, which shows rows and moves no money: rows as they are. */
export const UNCHECKED: CertificateCheck = {
  person: () => undefined,
  wallet: () => undefined,
  receiving: () => undefined,
};

/** Whether a certificate is this key's over the text. Throws a RangeError where the text is no key. */
export function verifierOf(publicKey: string): (text: string, certificate: string) => boolean {
  if (Buffer.from(publicKey, 'base64url').length !== 32)
    throw new RangeError('a public key of Ed25519 has 32 bytes');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return (text, certificate) => {
    const signature = Buffer.from(certificate, 'base64url');
    // Another spelling of the same bytes is another certificate: the cache knows them by their letters.
    if (signature.length !== 64 || signature.toString('base64url') !== certificate) return false;
    return verify(null, Buffer.from(text, 'utf8'), key, signature);
  };
}
