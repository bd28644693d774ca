import { describe, expect, it } from 'vitest';
import { emptyGuard, type Guard } from '../../src/core/guard/guard.ts';
import type { Database } from '../../src/core/ports/stores.ts';
import { intentRow, NOW, newId, storedPerson, walletRow } from './store-rows.ts';

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
      };
      await db.guards.save(full);
      expect(await db.guards.find(user.id)).toEqual(full);
      expect(await db.guards.findByTotpLink(`link-${user.id}`)).toBe(user.id);
      await db.guards.save(emptyGuard(user.id));
      expect(await db.guards.findByTotpLink(`link-${user.id}`)).toBeNull();
      expect(await db.guards.find(user.id)).toEqual(emptyGuard(user.id));
    });

    it('come with what is paused, and with what was spent, in one look', async () => {
      const db = database();
      const { user, wallet } = await storedPerson(db);
      const names = async () => [...(await db.guards.findWithPauses(user.id)).paused].toSorted();
      const before = await names();
      expect((await db.guards.findWithPauses(user.id)).guard).toEqual(emptyGuard(user.id));
      expect(await db.guards.findWithSpent(user.id, 0)).toEqual({ guard: emptyGuard(user.id), spent: 0n });
      await db.guards.save({ ...emptyGuard(user.id), frozenAt: NOW });
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
      const spent = { spent: 7n, guard: { frozenAt: NOW } };
      expect(await db.guards.findWithSpent(user.id, NOW)).toMatchObject(spent);
      expect(await db.guards.spentSince(user.id, NOW)).toBe(7n);
      expect((await db.guards.findWithSpent(user.id, NOW + 1)).spent).toBe(0n);
    });

    it('let twenty transactions count one at a time, the first one included', async () => {
      const db = database();
      const { user } = await storedPerson(db);
      await Promise.all(
        Array.from({ length: 20 }, () =>
          db.transact(async (stores) => {
            const guard = await stores.guards.lock(user.id);
            await stores.guards.save({ ...guard, pinFailures: guard.pinFailures + 1 });
          }),
        ),
      );
      expect((await db.guards.find(user.id)).pinFailures).toBe(20);
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
      expect(await db.guards.spentSince(user.id, NOW)).toBe(101n + 2n ** 60n);
      expect(await db.guards.spentSince(newId(), NOW)).toBe(0n);
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
      expect(await db.addressBook.insert(entry)).toEqual(entry);
      const again = { ...entry, id: newId(), name: 'Warm', addedAt: NOW + 9 };
      expect(await db.addressBook.insert(again)).toEqual(entry);
      const elsewhere = { ...entry, id: newId(), userId: other.user.id, walletId: other.wallet.id };
      expect(await db.addressBook.insert(elsewhere)).toEqual(elsewhere);
      expect(await db.addressBook.list(wallet.id)).toEqual([entry]);
      expect(await db.addressBook.find(wallet.id, entry.address)).toEqual(entry);
      expect(await db.addressBook.remove(entry.id, other.user.id)).toBeNull();
      await db.addressBook.rename(entry.id, 'Ledger');
      expect(await db.addressBook.list(wallet.id)).toEqual([{ ...entry, name: 'Ledger' }]);
      expect(await db.addressBook.list(other.wallet.id)).toEqual([elsewhere]);
      await db.addressBook.rename(entry.id, entry.name);
      expect(await db.addressBook.remove(entry.id, user.id)).toEqual(entry);
      expect(await db.addressBook.remove(entry.id, user.id)).toBeNull();
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
