import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyUse } from '../../src/modules/personal-keys/rules/key-use.ts';
import type { PersonalKey } from '../../src/modules/personal-keys/rules/personal-key.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { NOW, newAddress, newId, storedPerson } from './store-rows.ts';

const SOL = 1_000_000_000n;

export function personalKeyRow(
  of: { readonly userId: string; readonly walletId: string },
  more: Partial<PersonalKey> = {},
): PersonalKey {
  return {
    id: newId(),
    ...of,
    publicKey: newAddress(),
    host: 'desk.example',
    terms: {
      rights: ['read', 'trade'],
      orderLamports: SOL,
      dayLamports: 3n * SOL,
      tokens: [newAddress()],
      ips: ['203.0.113.7'],
    },
    lockEpoch: 2,
    until: NOW + 1_000,
    certificate: 'word',
    createdAt: NOW,
    endedAt: null,
    ...more,
  };
}

export function keyUseRow(key: PersonalKey, more: Partial<KeyUse> = {}): KeyUse {
  return {
    keyId: key.id,
    nonce: newId(),
    userId: key.userId,
    what: 'trade',
    subject: newId(),
    side: 'buy',
    mint: newAddress(),
    lamports: SOL,
    at: NOW,
    toldAt: null,
    ...more,
  };
}

/** The rules of personal keys as they are stored. */
export function describePersonalKeyStore(database: () => Database): void {
  let db: Database;
  let of: { readonly userId: string; readonly walletId: string };
  beforeAll(async () => {
    db = database();
    const { user, wallet } = await storedPerson(db);
    of = { userId: user.id, walletId: wallet.id };
  });

  describe('personal keys', () => {
    it('are stored whole, and one public key once per person until it is ended', async () => {
      const key = personalKeyRow(of);
      expect(await db.personalKeys.insert(PASSED, key)).toBe(true);
      expect(await db.personalKeys.insert(PASSED, { ...key, id: newId() })).toBe(false);
      expect(await db.personalKeys.find(key.id)).toEqual(key);
      expect(await db.personalKeys.find(newId())).toBeNull();
      const any = personalKeyRow(of, { terms: { ...key.terms, tokens: null, ips: null }, certificate: null });
      expect(await db.personalKeys.insert(PASSED, any)).toBe(true);
      expect(await db.personalKeys.find(any.id)).toEqual(any);
      const listed = async () => (await db.personalKeys.listByUser(of.userId)).map(({ id }) => id);
      expect(await listed()).toEqual([key.id, any.id].sort());
      expect(await db.personalKeys.end(PASSED, { id: key.id, userId: newId() }, NOW)).toBe(false);
      expect(await db.personalKeys.end(PASSED, key, NOW + 5)).toBe(true);
      expect(await db.personalKeys.end(PASSED, key, NOW + 6)).toBe(false);
      expect(await db.personalKeys.find(key.id)).toEqual({ ...key, endedAt: NOW + 5 });
      expect(await listed()).toEqual([any.id]);
      expect(await db.personalKeys.insert(PASSED, { ...key, id: newId() })).toBe(true);
    });

    it('end all at once, and those of their person alone', async () => {
      const other = await storedPerson(db);
      const theirs = personalKeyRow({ userId: other.user.id, walletId: other.wallet.id });
      await db.personalKeys.insert(PASSED, theirs);
      const mine = personalKeyRow(of);
      await db.personalKeys.insert(PASSED, mine);
      expect(await db.personalKeys.endAll(PASSED, of.userId, NOW + 7)).toBeGreaterThanOrEqual(1);
      expect(await db.personalKeys.listByUser(of.userId)).toEqual([]);
      expect(await db.personalKeys.endAll(PASSED, of.userId, NOW + 8)).toBe(0);
      expect((await db.personalKeys.find(mine.id))?.endedAt).toBe(NOW + 7);
      expect(await db.personalKeys.endedSince(NOW + 7)).toContain(mine.id);
      expect(await db.personalKeys.endedSince(NOW + 8)).toEqual([]);
      expect(await db.personalKeys.listByUser(other.user.id)).toEqual([theirs]);
    });

    it('take the nonce of a request once, whoever asks at the same time, each key its own', async () => {
      const [one, two] = [personalKeyRow(of), personalKeyRow(of)];
      for (const key of [one, two]) await db.personalKeys.insert(PASSED, key);
      const take = (key: PersonalKey, nonce: string) =>
        db.personalKeys.takeNonce({ keyId: key.id, nonce, until: NOW + 60_000 });
      const taken = await Promise.all(Array.from({ length: 8 }, () => take(one, 'same')));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect([await take(one, 'same'), await take(one, 'other'), await take(two, 'same')]).toEqual([
        false,
        true,
        true,
      ]);
    });

    it('take each nonce once, and tell each use once', async () => {
      const key = personalKeyRow(of);
      await db.personalKeys.insert(PASSED, key);
      const first = keyUseRow(key, { at: NOW, nonce: 'a' });
      const second = keyUseRow(key, { at: NOW + 9, nonce: 'b', what: 'order', side: 'sell', lamports: 0n });
      expect(await db.personalKeys.addUse(first)).toBe(true);
      expect(await db.personalKeys.addUse({ ...second, nonce: first.nonce })).toBe(false);
      expect(await db.personalKeys.addUse(second)).toBe(true);
      expect(await db.personalKeys.findUse(key.id, 'a')).toEqual(first);
      expect(await db.personalKeys.findUse(key.id, 'c')).toBeNull();
      expect(await db.personalKeys.uses(key.id, NOW - 1)).toEqual([first, second]);
      expect(await db.personalKeys.uses(key.id, NOW)).toEqual([second]);
      const untold = async () =>
        (await db.transact((stores) => stores.personalKeys.lockUntold(1_000))).filter(
          ({ keyId }) => keyId === key.id,
        );
      expect(await untold()).toEqual([first, second]);
      await db.personalKeys.saveTold([first], NOW + 20);
      expect(await untold()).toEqual([second]);
      expect((await db.personalKeys.findUse(key.id, 'a'))?.toldAt).toBe(NOW + 20);
    });
  });
}
