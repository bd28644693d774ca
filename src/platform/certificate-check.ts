import { createPublicKey, verify } from 'node:crypto';
import { AppError, hasCode } from '../core/errors/app-error.ts';
import { periodFacts } from '../modules/convert/rules.ts';
import { isUntouched } from '../modules/guard/rules/certified-guard.ts';
import type { Guard } from '../modules/guard/rules/guard.ts';
import type { PersonalKey } from '../modules/personal-keys/rules/personal-key.ts';
import {
  addressText,
  guardText,
  periodText,
  personalKeyText,
  personText,
  receivingText,
  walletText,
} from './certificate-texts.ts';
import type { CertificateCheck, Certifier } from './ports/certificates.ts';
import type { Vault } from './ports/vault.ts';

type ForgedRow = {
  readonly table: 'users' | 'wallets' | 'guards' | 'address_book' | 'convert_periods';
  readonly row: string;
};

/** Certificates that were found right, and rows that were reported: more than the people of one minute. */
const MOST_KEPT = 20_000;

/** The signer as the readers and writers of guards ask it. */
type GuardDesk = Pick<Vault, 'certifyGuard' | 'certifyAddress'>;

/** The signer's journal, where it is in this process. */
type GuardVersions = {
  readonly isNewest: (guard: Pick<Guard, 'userId' | 'version'>) => Promise<boolean>;
};

export type LateCheck = CertificateCheck & {
  /** The public half of the signer's key, once it was asked. Until then no row is believed. */
  readonly begin: (publicKey: string) => void;
  /** Until then no guard is changed, and no address added. */
  readonly beginGuards: (desk: GuardDesk, versions?: GuardVersions | null) => void;
};

type Proofs = {
  readonly begin: (publicKey: string) => void;
  readonly isProved: Prove;
  /** Throws ROW_FORGED, and reports the row where it is the first time. */
  readonly refuse: (row: ForgedRow) => never;
};

/** One that was found right is known by its certificate and its facts, so that it costs a comparison the next time. */
function createProofs(onForged: (row: ForgedRow) => void): Proofs {
  let isRight: ((text: string, certificate: string) => boolean) | null = null;
  const known = new Map<string, string>();
  const told = new Set<string>();
  return {
    begin: (publicKey) => {
      isRight = verifierOf(publicKey);
      known.clear();
    },
    isProved: (text, certificate) => {
      if (isRight === null) throw new Error('the signer was not asked for its public key yet');
      if (certificate === null) return false;
      if (known.get(certificate) === text) return true;
      if (!isRight(text, certificate)) return false;
      if (known.size >= MOST_KEPT) known.clear();
      known.set(certificate, text);
      return true;
    },
    refuse: (row) => {
      const name = `${row.table}/${row.row}`;
      if (!told.has(name)) {
        if (told.size >= MOST_KEPT) told.clear();
        told.add(name);
        onForged(row);
      }
      throw new AppError('ROW_FORGED', row);
    },
  };
}

/** Checks rows with the signer's public key. A row without a right certificate is reported once, and refused each time. */
export function createCertificateCheck(onForged: (row: ForgedRow) => void): LateCheck {
  const { begin, isProved, refuse } = createProofs(onForged);
  let desk: GuardDesk | null = null;
  let versions: GuardVersions | null = null;
  const signer = (): GuardDesk => {
    if (desk === null) throw new Error('the signer is not asked for certificates yet');
    return desk;
  };
  const check = (text: string, certificate: string | null, row: ForgedRow): void => {
    if (!isProved(text, certificate)) refuse(row);
  };
  return {
    begin,
    beginGuards: (given, journal = null) => {
      desk = given;
      versions = journal;
    },
    person: (facts, certificate) => check(personText(facts), certificate, { table: 'users', row: facts.id }),
    wallet: (facts, certificate) =>
      check(walletText(facts), certificate, { table: 'wallets', row: facts.id }),
    receiving: (facts, certificate) =>
      check(receivingText(facts), certificate, { table: 'wallets', row: facts.walletId }),
    guard: async (row) => {
      const isNewest = isCertified(row, isProved) && (await versions?.isNewest(row)) !== false;
      if (!isNewest) refuse({ table: 'guards', row: row.userId });
    },
    address: (facts, certificate) =>
      check(addressText(facts), certificate, { table: 'address_book', row: facts.id }),
    period: (row) => {
      const facts = periodFacts(row);
      // Its points go back, and nothing is paid from it.
      if (facts === null && row.status === 'CANCELLED') return;
      if (facts === null || !isProved(periodText(facts), row.seal?.certificate ?? null))
        refuse({ table: 'convert_periods', row: `${row.number}` });
    },
    certifyAddress: (facts) => signer().certifyAddress(facts),
    certifyGuard: async (row, { act, transactionId }) => {
      if (isCertified(row, isProved)) return row;
      try {
        return {
          ...row,
          ...(await signer().certifyGuard({ guard: row, transactionId: await transactionId() })),
        };
      } catch (error) {
        if (act === 'panic' && hasCode(error, 'SIGNER_UNAVAILABLE')) return null;
        throw error;
      }
    },
  };
}

type Prove = (text: string, certificate: string | null) => boolean;

/** Whether the guard is as the signer certified it, or was never touched. */
function isCertified(guard: Guard, isProved: Prove): boolean {
  return guard.version === 0
    ? guard.certificate === null && isUntouched(guard)
    : isProved(guardText(guard), guard.certificate);
}

/** For an operator's command, which shows rows and moves no money: rows as they are. */
export const UNCHECKED: CertificateCheck = {
  person: () => undefined,
  wallet: () => undefined,
  receiving: () => undefined,
  guard: async () => undefined,
  address: () => undefined,
  period: () => undefined,
  certifyAddress: async ({ addedAt }) => ({ addedAt, certificate: null }),
  certifyGuard: async (row) => row,
};

/**
 * For operators' commands: rows as they are, and changes of guards with a certificate by the master key, which is opened at the first
 * one. No change of a guard that was not certified itself: `ops trust adopt` shows and repairs these. A certificate is newer than each
 * of the signer's, so that its journal takes it for the newest.
 */
export function operatorCheck(
  certifier: () => Promise<Pick<Certifier, 'guard' | 'publicKey'>>,
  now: () => number,
): CertificateCheck {
  const seen = new Map<string, Guard>();
  return {
    ...UNCHECKED,
    guard: async (row) => {
      seen.set(row.userId, row);
    },
    certifyGuard: async (row) => {
      const own = await certifier();
      const isRight = verifierOf(own.publicKey);
      const before = seen.get(row.userId);
      if (before === undefined) throw new Error('a guard is read under its lock before it is changed');
      if (!isCertified(before, (text, certificate) => certificate !== null && isRight(text, certificate)))
        throw new AppError('ROW_FORGED', { table: 'guards', row: row.userId });
      const version = Math.max(now(), before.version + 1);
      return { ...row, version, certificate: own.guard({ ...row, version }) };
    },
  };
}

/** Tells of a row whether the signer with this public key certified the personal key so. */
export function personalKeyCheck(publicKey: string): (key: PersonalKey) => boolean {
  const isRight = verifierOf(publicKey);
  return (key) => key.certificate !== null && isRight(personalKeyText(key), key.certificate);
}

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
