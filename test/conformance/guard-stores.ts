import { describe, expect, it } from 'vitest';
import { emptyGuard, type Guard } from '../../src/modules/guard/rules/guard.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { attemptRow, intentRow, NOW, newId, storedPerson, walletRow } from './store-rows.ts';

/** The rules of the stores behind the withdrawal guard. */
export function describeGuardStores(database: () => Database): void {
  describe('guards', () => {
    it('are empty until something is set, and keep every field', async () => {
      const db = database();
      const { user } = await storedPerson(db);
      expect(await db.guards.find(user.id)).toEqual(emptyGuard(user.id));
      const full: Guard = {
        userId: user.id,
        pinHash: '$argon2id$x',
        pinSetAt: NOW + 11,
        pinFailures: 3,
        pinLocks: 2,
        pinLockedUntil: NOW + 1,
        delayFrom: NOW + 2,
        frozenAt: NOW + 3,
        unfreezeAt: NOW + 4,
        capLamports: 5n,
        nextCapLamports: 2n ** 60n,
        nextCapAt: NOW + 5,
        totpBox: 'box',
        totpStep: 58_000_000,
        totpEndsAt: NOW + 6,
        nextTotpBox: 'next',
        nextTotpLink: `link-${user.id}`,
        nextTotpUntil: NOW + 7,
        recoveryCodes: ['a', 'b'],
        nextRecoveryCodes: ['c'],
        spendCapLamports: 6n,
        nextSpendCapLamports: 2n ** 61n,
        nextSpendCapAt: NOW + 8,
        unlockedUntil: NOW + 9,
        unlocksFrom: NOW + 10,
        pinTrying: 'digest',
        pinRightAt: NOW + 12,
        lockEpoch: 3,
        pinIsFirst: true,
        noticeMail: 'mara@example.org',
        nextNoticeMail: 'new@example.org',
        nextNoticeMailAt: NOW + 13,
        version: NOW + 14,
        certificate: 'of the signer',
      };
      await db.guards.save(full, PASSED);
      expect(await db.guards.find(user.id)).toEqual(full);
      expect(await db.guards.findByTotpLink(`link-${user.id}`)).toBe(user.id);
      await db.guards.save(emptyGuard(user.id), PASSED);
      expect(await db.guards.findByTotpLink(`link-${user.id}`)).toBeNull();
      expect(await db.guards.find(user.id)).toEqual(emptyGuard(user.id));
    });

    it('come with what is paused, and with what was spent, in one look', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const names = async () => [...(await db.guards.findWithPauses(user.id)).paused].toSorted();
      const before = await names();
      expect((await db.guards.findWithPauses(user.id)).guard).toEqual(emptyGuard(user.id));
      expect(await db.guards.findWithSums(user.id, 0)).toEqual({
        guard: emptyGuard(user.id),
        spent: { s: 0n, k: 0n, d: 0n, floor: 0n, sinceRight: 0n },
      });
      await db.guards.save({ ...emptyGuard(user.id), frozenAt: NOW }, PASSED);
      await db.flags.set('quarantined', true, NOW);
      await db.flags.set('venue:desk-paused', true, NOW);
      await db.flags.set('trading-paused', true, NOW, { reason: 'over', until: 1 });
      try {
        expect((await db.guards.findWithPauses(user.id)).guard.frozenAt).toBe(NOW);
        expect(await names()).toEqual([...before, 'venue:desk-paused'].toSorted());
      } finally {
        for (const flag of ['quarantined', 'venue:desk-paused', 'trading-paused'] as const)
          await db.flags.set(flag, false, NOW);
      }
      for (const status of ['ACTIVE', 'FAILED'] as const) {
        const intent = intentRow(wallet, { status });
        await db.intents.insert(intent);
        await db.guards.addSpending({ intentId: intent.id, userId: user.id, lamports: 7n, countsAt: NOW });
      }
      const spent = { spent: { s: 7n, k: 7n, d: 0n }, guard: { frozenAt: NOW } };
      expect(await db.guards.findWithSums(user.id, NOW)).toMatchObject(spent);
      expect((await db.guards.sumsSince(user.id, NOW)).s).toBe(7n);
      expect((await db.guards.findWithSums(user.id, NOW + 1)).spent.s).toBe(0n);
    });

    it('let twenty transactions count one at a time, the first one included', async () => {
      const db = database();
      const { user } = await storedPerson(db);
      await Promise.all(
        Array.from({ length: 20 }, () =>
          db.transact(async (stores) => {
            const guard = await stores.guards.lock(user.id);
            await stores.guards.save({ ...guard, pinFailures: guard.pinFailures + 1 }, PASSED);
          }),
        ),
      );
      expect((await db.guards.find(user.id)).pinFailures).toBe(20);
    });

    it('tell when acts of one rate were done, the oldest first', async () => {
      const db = database();
      const { user } = await storedPerson(db);
      const { user: other } = await storedPerson(db);
      for (const [person, rate, at] of [
        [user, 'import', NOW + 5],
        [user, 'import', NOW],
        [user, 'import', NOW - 1],
        [user, 'rename', NOW],
        [other, 'import', NOW],
      ] as const)
        await db.guards.addAct({ id: newId(), by: { userId: person.id }, rate, at });
      expect(await db.guards.actsSince({ userId: user.id }, 'import', NOW)).toEqual([NOW, NOW + 5]);
      expect(await db.guards.actsSince({ userId: user.id }, 'settings', 0)).toEqual([]);
    });

    it('tell the acts of an account of the API apart from those of people and of others', async () => {
      const db = database();
      const { user } = await storedPerson(db);
      const account = `${newId()}@example.org`;
      for (const [by, at] of [
        [{ account }, NOW + 5],
        [{ account }, NOW],
        [{ account: `other-${account}` }, NOW],
        [{ userId: user.id }, NOW],
      ] as const)
        await db.transact(async ({ guards }) => {
          await guards.lockAccount(account);
          await guards.addAct({ id: newId(), by, rate: 'api-keys', at });
        });
      expect(await db.guards.actsSince({ account }, 'api-keys', NOW)).toEqual([NOW, NOW + 5]);
      expect(await db.guards.actsSince({ userId: user.id }, 'api-keys', NOW)).toEqual([NOW]);
    });

    it('sum what counts in a window, without intents that moved nothing', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const use = async (lamports: bigint | null, countsAt: number, change = {}) => {
        const intent = intentRow(wallet, change);
        await db.transact(async (stores) => {
          // Before its intent, as the service does it.
          await stores.guards.addUse({ intentId: intent.id, userId: user.id, lamports, countsAt });
          await stores.intents.insert(intent);
        });
      };
      await use(100n, NOW);
      await use(2n ** 60n, NOW + 10, { status: 'ACTIVE' });
      await use(null, NOW + 10, { status: 'SUCCEEDED' });
      await use(7n, NOW - 1);
      for (const status of ['CANCELLED', 'REJECTED', 'EXPIRED', 'FAILED']) {
        await use(9n, NOW, { status });
        await use(null, NOW, { status });
      }
      await use(1n, NOW, { status: 'NEEDS_REVIEW' });
      expect(await db.guards.usedSince(user.id, NOW)).toEqual({ lamports: 101n + 2n ** 60n, unpriced: 1 });
      expect(await db.guards.usedSince(newId(), NOW)).toEqual({ lamports: 0n, unpriced: 0 });
    });

    it('sum all that was spent, what of it was doubted, and what since the PIN was last right', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const spend = async (countsAt: number, sums: object, change = {}) => {
        const intent = intentRow(wallet, change);
        await db.intents.insert(intent);
        await db.guards.addSpending({
          intentId: intent.id,
          userId: user.id,
          lamports: 0n,
          countsAt,
          ...sums,
        });
      };
      await spend(NOW, { lamports: 3n });
      await spend(NOW + 1, { all: 5n, doubted: 2n });
      await spend(NOW - 1, { lamports: 7n, all: 8n, doubted: 8n });
      await spend(NOW, { lamports: 9n, all: 9n }, { status: 'FAILED' });
      expect(await db.guards.sumsSince(user.id, NOW)).toEqual({
        s: 3n,
        k: 8n,
        d: 2n,
        floor: 0n,
        sinceRight: 10n,
      });
      await db.guards.save({ ...emptyGuard(user.id), pinSetAt: NOW - 1 }, PASSED);
      expect(await db.guards.sumsSince(user.id, NOW)).toMatchObject({ s: 3n, sinceRight: 10n });
      await db.guards.save({ ...emptyGuard(user.id), pinSetAt: NOW - 1, pinRightAt: NOW }, PASSED);
      expect(await db.guards.sumsSince(user.id, NOW)).toMatchObject({ s: 3n, sinceRight: 3n });
      expect(await db.guards.sumsSince(newId(), NOW)).toEqual({
        s: 0n,
        k: 0n,
        d: 0n,
        floor: 0n,
        sinceRight: 0n,
      });
    });

    it('sum of what landed and moved nothing its fees alone, and nothing of what never landed', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const sums = { lamports: 9n, all: 20n, doubted: 20n, fees: 7n };
      for (const landed of ['LANDED_ERR', 'DEAD', null] as const)
        for (const status of ['FAILED', 'REJECTED', 'EXPIRED'] as const) {
          const intent = intentRow(wallet, { status });
          await db.intents.insert(intent);
          if (landed !== null) await db.intents.insertAttempt(attemptRow(intent, { status: landed }));
          await db.guards.addSpending({ intentId: intent.id, userId: user.id, countsAt: NOW, ...sums });
        }
      const sale = intentRow(wallet, { status: 'ACTIVE' });
      await db.intents.insert(sale);
      const atFloor = { lamports: 0n, all: 0n, fees: 5n, floor: 5n };
      await db.guards.addSpending({ intentId: sale.id, userId: user.id, countsAt: NOW, ...atFloor });
      expect(await db.guards.sumsSince(user.id, NOW)).toEqual({
        s: 21n,
        k: 21n,
        d: 21n,
        floor: 5n,
        sinceRight: 21n,
      });
      expect((await db.guards.sumsSince(user.id, NOW)).s).toBe(21n);
      expect((await db.guards.findWithSums(user.id, NOW)).spent.s).toBe(21n);
      expect((await db.guards.sumsSince(user.id, NOW + 1)).floor).toBe(0n);
    });

    it('sum what was spent without a PIN apart from what was withdrawn', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const spend = async (lamports: bigint, countsAt: number, change = {}) => {
        const intent = intentRow(wallet, change);
        await db.transact(async (stores) => {
          await stores.guards.addSpending({ intentId: intent.id, userId: user.id, lamports, countsAt });
          await stores.intents.insert(intent);
        });
      };
      await spend(100n, NOW);
      await spend(2n ** 60n, NOW + 10, { status: 'ACTIVE' });
      await spend(7n, NOW - 1);
      for (const status of ['CANCELLED', 'REJECTED', 'EXPIRED', 'FAILED']) await spend(9n, NOW, { status });
      await spend(1n, NOW, { status: 'NEEDS_REVIEW' });
      expect((await db.guards.sumsSince(user.id, NOW)).s).toBe(101n + 2n ** 60n);
      expect((await db.guards.sumsSince(newId(), NOW)).s).toBe(0n);
      expect(await db.guards.usedSince(user.id, NOW)).toEqual({ lamports: 0n, unpriced: 0 });
    });
  });

  describe('the address book', () => {
    it('keeps an address once per wallet, with its first age, and only its owner removes it', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const other = await storedPerson(db);
      const entry = {
        id: newId(),
        userId: user.id,
        walletId: wallet.id,
        address: walletRow().address,
        name: 'Cold',
        addedAt: NOW,
      };
      expect(await db.addressBook.insert(PASSED, entry)).toEqual(entry);
      const again = { ...entry, id: newId(), name: 'Warm', addedAt: NOW + 9 };
      expect(await db.addressBook.insert(PASSED, again)).toEqual(entry);
      const elsewhere = { ...entry, id: newId(), userId: other.user.id, walletId: other.wallet.id };
      expect(await db.addressBook.insert(PASSED, elsewhere)).toEqual(elsewhere);
      expect(await db.addressBook.list(wallet.id)).toEqual([entry]);
      expect(await db.addressBook.find(wallet.id, entry.address)).toEqual(entry);
      expect(await db.addressBook.remove(PASSED, entry.id, other.user.id)).toBeNull();
      await db.addressBook.rename(PASSED, entry.id, 'Ledger');
      expect(await db.addressBook.list(wallet.id)).toEqual([{ ...entry, name: 'Ledger' }]);
      expect(await db.addressBook.list(other.wallet.id)).toEqual([elsewhere]);
      await db.addressBook.rename(PASSED, entry.id, entry.name);
      expect(await db.addressBook.remove(PASSED, entry.id, user.id)).toEqual(entry);
      expect(await db.addressBook.remove(PASSED, entry.id, user.id)).toBeNull();
      expect(await db.addressBook.find(wallet.id, entry.address)).toBeNull();
    });
  });

  describe('sealed secrets', () => {
    it('are made once and rewrapped from the wrapping that was read', async () => {
      const db = database();
      const first = { name: newId(), kekId: 'a', wrapped: Uint8Array.from([0, 255, 1]) };
      expect(await db.sealedSecrets.find(first.name)).toBeNull();
      expect(await db.sealedSecrets.insert(first)).toBe(true);
      expect(await db.sealedSecrets.insert({ ...first, kekId: 'x' })).toBe(false);
      expect(await db.sealedSecrets.find(first.name)).toEqual(first);
      const second = { ...first, kekId: 'b', wrapped: Uint8Array.from([9]) };
      expect(await db.sealedSecrets.rewrap(second, 'x')).toBe(false);
      expect(await db.sealedSecrets.rewrap(second, 'a')).toBe(true);
      expect(await db.sealedSecrets.find(first.name)).toEqual(second);
    });
  });
}
