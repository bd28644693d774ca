import { describe, expect, it } from 'vitest';
import { createCertificateCheck, verifierOf } from '../../src/platform/certificate-check.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';

const signer = createCertifier(new Uint8Array(32).fill(1));
const other = createCertifier(new Uint8Array(32).fill(2));
const PERSON = { id: 'U', telegramId: 7n, inviterId: null };
const WALLET = { id: 'W', userId: 'U', address: 'A', origin: 'made' };
const FORGED = expect.objectContaining({ code: 'ROW_FORGED' });

function setUp() {
  const told: object[] = [];
  const check = createCertificateCheck((row) => told.push(row));
  check.begin(signer.publicKey);
  return { check, told };
}

describe('a certificate', () => {
  it('is believed for its own facts, each time', () => {
    const { check, told } = setUp();
    for (let n = 0; n < 3; n += 1) {
      check.person(PERSON, signer.person(PERSON));
      check.wallet(WALLET, signer.wallet(WALLET));
    }
    expect(told).toEqual([]);
  });

  it.each([
    ['missing', PERSON, null],
    ['empty', PERSON, ''],
    ['cut', PERSON, signer.person(PERSON).slice(0, -1)],
    ['longer', PERSON, `${signer.person(PERSON)}A`],
    ['spelled otherwise', PERSON, Buffer.from(signer.person(PERSON), 'base64url').toString('base64')],
    ["of another signer's key", PERSON, other.person(PERSON)],
    ['of another id', { ...PERSON, id: 'V' }, signer.person(PERSON)],
    ['of another Telegram id', { ...PERSON, telegramId: 8n }, signer.person(PERSON)],
    ['of another inviter', { ...PERSON, inviterId: 'I' }, signer.person(PERSON)],
    ['of a wallet', PERSON, signer.wallet({ id: 'U', userId: null, address: '7', origin: '' })],
  ])('that is %s is refused, and told once', (_, facts, certificate) => {
    const { check, told } = setUp();
    check.person(PERSON, signer.person(PERSON));
    for (let n = 0; n < 2; n += 1) expect(() => check.person(facts, certificate)).toThrow(FORGED);
    expect(told).toEqual([{ table: 'users', row: facts.id }]);
  });

  it.each(['id', 'userId', 'address', 'origin'] as const)('is of this %s of a wallet alone', (fact) => {
    const { check, told } = setUp();
    check.wallet(WALLET, signer.wallet(WALLET));
    expect(() => check.wallet({ ...WALLET, [fact]: 'X' }, signer.wallet(WALLET))).toThrow(FORGED);
    expect(told).toHaveLength(1);
  });

  it('does not move facts from one field into the next', () => {
    const { check } = setUp();
    const moved = { ...WALLET, id: 'WU', userId: '' };
    expect(() => check.wallet(moved, signer.wallet({ ...WALLET, id: 'W', userId: 'U' }))).toThrow(FORGED);
  });

  it('is believed by nobody who has not asked for the public key', () => {
    const check = createCertificateCheck(() => undefined);
    expect(() => check.person(PERSON, signer.person(PERSON))).toThrow(/was not asked/);
  });

  it('needs a public key of 32 bytes', () => {
    for (const key of ['', 'AAAA', `${signer.publicKey}AA`])
      expect(() => verifierOf(key)).toThrow(RangeError);
  });
});
