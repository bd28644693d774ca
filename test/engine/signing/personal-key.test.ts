import { addressFromBytes } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import { type KeyFacts, keyFacts } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { personalKeyRow } from '../../conformance/personal-key-store.ts';
import { NOW, newId, storedPerson } from '../../conformance/store-rows.ts';
import { botKey } from '../../modules/personal-keys/bot-key.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../../support/signer.ts';

const SOL = 1_000_000_000n;
const PIN = '739154';
const DENIED = { code: 'POLICY_DENIED', details: { rule: 'personal-key' } };

let db: Database;
let vault: Vault;
let facts: KeyFacts;
const bot = botKey();

beforeEach(async () => {
  db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  const guard = await db.guards.find(user.id);
  await db.guards.save({ ...guard, pinHash: await fakePins().hash(PIN, user.id), pinSetAt: 0 }, PASSED);
  vault = testSigner({ db, clock: { now: () => NOW } as Parameters<typeof testSigner>[0]['clock'] });
  facts = keyFacts(
    personalKeyRow(
      { userId: user.id, walletId: wallet.id },
      { publicKey: bot.publicKey, lockEpoch: 0, until: NOW + 86_400_000 },
    ),
  );
});

const certify = (key: KeyFacts, pin = PIN) => vault.certifyPersonalKey({ key, pin });

describe('the certificate of a personal key', () => {
  it('is given for the PIN itself, over all that was agreed', async () => {
    expect(await certify(facts)).toBe(TEST_CERTIFIER.personalKey(facts));
    await expect(certify(facts, '111222')).rejects.toMatchObject({ code: 'PIN_WRONG' });
    const changed: readonly KeyFacts[] = [
      { ...facts, id: newId() },
      { ...facts, userId: newId() },
      { ...facts, walletId: newId() },
      { ...facts, publicKey: botKey().publicKey },
      { ...facts, host: 'other.example' },
      { ...facts, terms: { ...facts.terms, dayLamports: 4n * SOL } },
      { ...facts, terms: { ...facts.terms, tokens: null } },
      { ...facts, terms: { ...facts.terms, ips: null } },
      { ...facts, terms: { ...facts.terms, rights: ['read', 'trade', 'orders'] } },
      { ...facts, lockEpoch: 1 },
      { ...facts, until: facts.until + 1 },
    ];
    const words = new Set([facts, ...changed].map((one) => TEST_CERTIFIER.personalKey(one)));
    expect(words.size).toBe(changed.length + 1);
  });

  it('is not given where anything does not fit, and the PIN is not compared then', async () => {
    const { terms } = facts;
    const misfits: readonly KeyFacts[] = [
      { ...facts, terms: { ...terms, rights: [] } },
      { ...facts, terms: { ...terms, rights: ['read', 'read'] } },
      { ...facts, terms: { ...terms, orderLamports: 9_999_999n } },
      { ...facts, terms: { ...terms, orderLamports: terms.dayLamports + 1n } },
      // Above the spending cap of the chat.
      { ...facts, terms: { ...terms, dayLamports: 1_000_000n * SOL } },
      { ...facts, terms: { ...terms, tokens: [] } },
      { ...facts, terms: { ...terms, ips: ['203.000.113.7'] } },
      { ...facts, lockEpoch: 1 },
      { ...facts, until: NOW + 91 * 86_400_000 },
      { ...facts, publicKey: addressFromBytes(new Uint8Array(32)) },
    ];
    for (const key of misfits) await expect(certify(key, '111222')).rejects.toMatchObject(DENIED);
    const other = await storedPerson(db);
    await expect(certify({ ...facts, walletId: other.wallet.id })).rejects.toMatchObject({
      details: { rule: 'foreign-wallet' },
    });
    await expect(certify({ ...facts, userId: newId() })).rejects.toMatchObject({
      details: { rule: 'unknown-person' },
    });
  });

  it('is not given a second time for a row that is there, nor by a PIN that is not old enough', async () => {
    await db.personalKeys.insert(PASSED, personalKeyRow(facts, { ...facts }));
    await expect(certify(facts)).rejects.toMatchObject(DENIED);
    const guard = await db.guards.find(facts.userId);
    await db.guards.save({ ...guard, unlocksFrom: NOW + 1 }, PASSED);
    await expect(certify({ ...facts, id: newId() })).rejects.toMatchObject({ code: 'PIN_TOO_NEW' });
  });
});
