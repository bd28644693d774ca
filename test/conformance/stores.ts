import { beforeAll, describe, expect, it } from 'vitest';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { ownAct } from '../../src/engine/audit/rules.ts';
import { encodeLooks } from '../../src/engine/intents/rules/death.ts';
import { encodeIntentNotice } from '../../src/engine/intents/rules/notice-payload.ts';
import type { Notice } from '../../src/engine/notices/store-port.ts';
import { DEFAULT_SETTINGS } from '../../src/modules/settings/rules/settings.ts';
import { payoutWallet } from '../../src/modules/wallets/rules/receiving-wallet.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { describeAlertStore } from './alert-store.ts';
import { describeCommitRules } from './commit-rules.ts';
import { describeConvertStores } from './convert-stores.ts';
import { describeCopyStore } from './copy-store.ts';
import { describeDepositStore } from './deposit-store.ts';
import { describeEpochFence } from './epoch-fence.ts';
import { describeFollowStore } from './follow-store.ts';
import { describeFunderRows } from './funder-rows.ts';
import { describeGameStores } from './game-stores.ts';
import { describeGroupStore } from './group-store.ts';
import { describeGuardStores } from './guard-stores.ts';
import { describeLaunchStore } from './launch-store.ts';
import { describeOrderStores } from './order-stores.ts';
import { describePersonalKeyStore } from './personal-key-store.ts';
import { describePointStores } from './point-stores.ts';
import { describePositionStore } from './position-store.ts';
import { describeSeenLaunchStore } from './seen-launch-store.ts';
import { describeSignalStore } from './signal-store.ts';
import {
  attemptRow,
  buttonRow,
  feeTransfer,
  intentRow,
  moveTransfer,
  NOW,
  newId,
  noticeRow,
  outboxRow,
  rewardRow,
  secretRow,
  storedIntent,
  storedPerson,
  userRow,
  walletRow,
} from './store-rows.ts';
import { describeTokenStore } from './token-store.ts';

/** As the death rule keeps it. */
const DEATH_PROOF = encodeLooks([
  {
    endpoint: 'https://a.example',
    endpoints: 2,
    at: 5,
    finalizedHeight: 5n,
    finalizedSlot: 6n,
    statusSlot: 7n,
    firstAvailableBlock: 0n,
  },
]);

/** The rules of the stores. One database serves all of them, so each test makes rows of its own. */
export function describeStores(make: () => Promise<Database>): void {
  let db: Database;
  beforeAll(async () => {
    db = await make();
  });

  describe('transact', () => {
    it('commits all writes together and returns what the work returns', async () => {
      const user = userRow();
      const wallet = walletRow({ userId: user.id });
      const result = await db.transact(async (stores) => {
        await stores.users.insert(user);
        await stores.wallets.insert(PASSED, wallet, secretRow(wallet));
        await stores.users.activate(PASSED, user.id, wallet.id);
        expect(await stores.users.find(user.id)).toEqual({ ...user, activeWalletId: wallet.id });
        return 'done';
      });
      expect(result).toBe('done');
      expect((await db.users.find(user.id))?.activeWalletId).toBe(wallet.id);
    });

    it('leaves nothing behind when the work throws, and passes its error on', async () => {
      const user = userRow();
      const failure = new Error('no');
      await expect(
        db.transact(async (stores) => {
          await stores.users.insert(user);
          await stores.outbox.add([outboxRow({ key: `gone-${user.id}` })]);
          throw failure;
        }),
      ).rejects.toBe(failure);
      expect(await db.users.find(user.id)).toBeNull();
    });

    it('hides its rows from others until it commits', async () => {
      const user = userRow();
      await db.transact(async (stores) => {
        await stores.users.insert(user);
        expect(await db.users.find(user.id)).toBeNull();
      });
      expect(await db.users.find(user.id)).toEqual(user);
    });

    it('lets twenty transactions on one person count one at a time', async () => {
      const { user } = await storedPerson(db);
      const limit = 5;
      const made = await Promise.all(
        Array.from({ length: 20 }, () =>
          db.transact(async (stores) => {
            await stores.users.lock(user.id);
            const have = await stores.wallets.listByUser(user.id);
            if (have.length >= limit) return false;
            const wallet = walletRow({ userId: user.id });
            await stores.wallets.insert(PASSED, wallet, secretRow(wallet));
            return true;
          }),
        ),
      );
      expect(made.filter(Boolean)).toHaveLength(limit - 1);
      expect(await db.wallets.listByUser(user.id)).toHaveLength(limit);
    });
  });

  describe('users', () => {
    it('keeps every field, amounts beyond 2^53 included', async () => {
      const inviter = (await db.users.insert(userRow())).user;
      const user = userRow({
        firstName: '名前 <b>',
        telegramLanguage: null,
        settings: { ...DEFAULT_SETTINGS, buyPresets: [1n, 2n, 3n, 9_007_199_254_740_993n], language: 'de' },
        inviterId: inviter.id,
        screenMessageId: 77,
        blockedAt: NOW + 1,
      });
      expect(await db.users.insert(user)).toEqual({ user, created: true });
      expect(await db.users.find(user.id)).toEqual(user);
      expect(await db.users.findByTelegramId(user.telegramId)).toEqual(user);
      expect(await db.transact((stores) => stores.users.lock(user.id))).toEqual(user);
    });

    it('returns the standing row when the Telegram id is known, and never rebinds its inviter', async () => {
      const inviter = (await db.users.insert(userRow())).user;
      const { user } = await db.users.insert(userRow());
      const again = await db.users.insert(userRow({ telegramId: user.telegramId, inviterId: inviter.id }));
      expect(again).toEqual({ user, created: false });
    });

    it('makes one row of twenty simultaneous first contacts', async () => {
      const { telegramId } = userRow();
      const results = await Promise.all(
        Array.from({ length: 20 }, () => db.users.insert(userRow({ telegramId }))),
      );
      expect(results.filter((result) => result.created)).toHaveLength(1);
      expect(new Set(results.map((result) => result.user.id)).size).toBe(1);
    });

    it('refuses a person who invites themselves or names an inviter that is not there', async () => {
      const user = userRow();
      await expect(db.users.insert({ ...user, inviterId: user.id })).rejects.toThrow();
      await expect(db.users.insert({ ...user, inviterId: newId() })).rejects.toThrow();
      expect(await db.users.find(user.id)).toBeNull();
    });

    it('changes only the fields that a patch names, also back to null', async () => {
      const { user, wallet } = await storedPerson(db, { blockedAt: NOW });
      await db.users.activate(PASSED, user.id, wallet.id);
      await db.users.update(user.id, { screenMessageId: 5, blockedAt: null });
      expect(await db.users.find(user.id)).toEqual({
        ...user,
        activeWalletId: wallet.id,
        screenMessageId: 5,
        blockedAt: null,
      });
      await db.users.update(user.id, {
        firstName: 'Bo',
        telegramLanguage: 'fr',
        settings: { ...DEFAULT_SETTINGS, tier: 'turbo' },
        screenMessageId: null,
      });
      await db.users.activate(PASSED, user.id, null);
      await db.users.update(user.id, {});
      const changed = await db.users.find(user.id);
      expect(changed).toMatchObject({ firstName: 'Bo', telegramLanguage: 'fr', activeWalletId: null });
      expect(changed?.settings).toEqual({ ...DEFAULT_SETTINGS, tier: 'turbo' });
    });

    it('meets a person with their active wallet and the button that they tapped', async () => {
      const { user, wallet } = await storedPerson(db);
      const other = await storedPerson(db);
      const asked = (buttonId: string | null, now = NOW) => db.users.arrive(user.telegramId, buttonId, now);
      const mine = buttonRow(user.id, { expiresAt: NOW + 10 });
      const theirs = buttonRow(other.user.id, { expiresAt: NOW + 10 });
      await db.buttons.insert([mine, theirs]);
      expect(await asked(mine.id)).toEqual({ user, wallet: null, button: mine });
      await db.users.activate(PASSED, user.id, wallet.id);
      const active = { ...user, activeWalletId: wallet.id };
      expect(await asked(null)).toEqual({ user: active, wallet, button: null });
      expect((await asked(theirs.id))?.button).toBeNull();
      expect((await asked(mine.id, NOW + 10))?.button).toBeNull();
      await db.wallets.setDeletedAt(PASSED, wallet.id, NOW);
      expect((await asked(mine.id))?.wallet).toEqual({ ...wallet, deletedAt: NOW });
      await db.buttons.consume(mine.id, user.id, NOW);
      expect((await asked(mine.id))?.button).toBeNull();
      expect(await db.users.arrive(-1n, mine.id, NOW)).toBeNull();
    });

    it('answers null for a person who is not there', async () => {
      expect(await db.users.find(newId())).toBeNull();
      expect(await db.users.findByTelegramId(-1n)).toBeNull();
      expect(await db.transact((stores) => stores.users.lock('nobody'))).toBeNull();
    });
  });

  describe('wallets', () => {
    it('keeps the wallet and its sealed key byte for byte', async () => {
      const { user } = await db.users.insert(userRow());
      const wallet = walletRow({ userId: user.id, name: "O'Brien €" });
      const secret = secretRow(wallet);
      await db.wallets.insert(PASSED, wallet, secret);
      expect(await db.wallets.find(wallet.id)).toEqual(wallet);
      expect(await db.wallets.findByAddress(wallet.address)).toEqual(wallet);
      const stored = await db.wallets.secret(wallet.id);
      expect(
        stored && { ...stored, wrappedDek: [...stored.wrappedDek], sealedSeed: [...stored.sealedSeed] },
      ).toEqual({
        ...secret,
        wrappedDek: [...secret.wrappedDek],
        sealedSeed: [...secret.sealedSeed],
      });
      expect(await db.wallets.secret(newId())).toBeNull();
    });

    it('stores neither the wallet nor the key when one of them is refused', async () => {
      const { user } = await db.users.insert(userRow());
      const wallet = walletRow({ userId: user.id });
      await expect(
        db.wallets.insert(PASSED, wallet, { ...secretRow(wallet), walletId: newId() }),
      ).rejects.toThrow();
      expect(await db.wallets.find(wallet.id)).toBeNull();
    });

    it('lists oldest first, and deleted ones only when asked', async () => {
      const { user, wallet: first } = await storedPerson(db);
      const second = walletRow({ userId: user.id });
      await db.wallets.insert(PASSED, second, secretRow(second));
      await db.wallets.setDeletedAt(PASSED, first.id, NOW);
      expect(await db.wallets.listByUser(user.id)).toEqual([second]);
      expect(await db.wallets.listByUser(user.id, { deleted: true })).toEqual([
        { ...first, deletedAt: NOW },
        second,
      ]);
    });

    it('refuses a second active wallet of one name, whatever the case, when inserting, renaming and restoring', async () => {
      const { user } = await db.users.insert(userRow());
      const main = walletRow({ userId: user.id, name: 'Main' });
      await db.wallets.insert(PASSED, main, secretRow(main));
      const taken = (error: unknown) => hasCode(error, 'WALLET_NAME_TAKEN');

      const twin = walletRow({ userId: user.id, name: 'MAIN' });
      await expect(db.wallets.insert(PASSED, twin, secretRow(twin))).rejects.toSatisfy(taken);
      const other = walletRow({ userId: user.id, name: 'Other' });
      await db.wallets.insert(PASSED, other, secretRow(other));
      await expect(db.wallets.rename(PASSED, other.id, 'main')).rejects.toSatisfy(taken);

      await db.wallets.setDeletedAt(PASSED, main.id, NOW);
      await db.wallets.rename(PASSED, other.id, 'Main');
      await expect(db.wallets.setDeletedAt(PASSED, main.id, null)).rejects.toSatisfy(taken);
      await expect(
        db.transact((stores) => stores.wallets.setDeletedAt(PASSED, main.id, null)),
      ).rejects.toSatisfy(taken);
      expect((await db.wallets.find(main.id))?.deletedAt).toBe(NOW);
    });

    it('takes back what of a person is to receive later, and no more', async () => {
      const { user, wallet } = await storedPerson(db);
      const other = await storedPerson(db);
      const late = walletRow({ userId: user.id, name: 'Late', origin: 'imported' });
      await db.wallets.insert(PASSED, late, secretRow(late));
      await db.wallets.letReceive(PASSED, wallet.id, { payoutFrom: NOW, certificate: 'C' });
      await db.wallets.letReceive(PASSED, late.id, { confirmedAt: NOW, certificate: 'C' });
      await db.wallets.letReceive(PASSED, late.id, { payoutFrom: NOW + 1, certificate: 'C' });
      await db.wallets.letReceive(PASSED, other.wallet.id, { payoutFrom: NOW + 1, certificate: 'C' });
      await db.wallets.stopReceiving(PASSED, user.id, NOW);
      const of = async (id: string) => {
        const found = await db.wallets.find(id);
        return [found?.confirmedAt, found?.payoutFrom];
      };
      expect(await of(wallet.id)).toEqual([null, NOW]);
      expect(await of(late.id)).toEqual([NOW, null]);
      expect(await of(other.wallet.id)).toEqual([null, NOW + 1]);
    });

    it('lets two people use one name, and refuses an address twice', async () => {
      const a = await storedPerson(db);
      const b = await storedPerson(db);
      await db.wallets.rename(PASSED, a.wallet.id, 'Same');
      await db.wallets.rename(PASSED, b.wallet.id, 'Same');
      const copy = walletRow({ userId: b.user.id, address: a.wallet.address });
      await expect(db.wallets.insert(PASSED, copy, secretRow(copy))).rejects.toThrow();
    });

    it('lets one process after the other look for a treasury that it would make', async () => {
      const order: string[] = [];
      const look = (name: string) =>
        db.transact(async ({ wallets }) => {
          await wallets.treasuryLocked();
          order.push(`${name} in`);
          await wallets.treasury();
          order.push(`${name} out`);
        });
      await Promise.all([look('a'), look('b')]);
      const [first = ''] = order;
      expect(order).toEqual(
        first.startsWith('a') ? ['a in', 'a out', 'b in', 'b out'] : ['b in', 'b out', 'a in', 'a out'],
      );
    });

    it('holds one treasury', async () => {
      const before = await db.wallets.treasury();
      const treasury = before ?? walletRow({ name: 'Treasury' });
      if (!before) await db.wallets.insert(PASSED, treasury, secretRow(treasury));
      expect(await db.wallets.treasury()).toEqual(treasury);
      const second = walletRow();
      await expect(db.wallets.insert(PASSED, second, secretRow(second))).rejects.toThrow();
      expect(await db.wallets.treasury()).toEqual(treasury);
    });
  });

  describe('intents', () => {
    it('keeps every field of an intent', async () => {
      const { wallet } = await storedPerson(db);
      const intent = intentRow(wallet, {
        notBefore: NOW + 5,
        outcome: {
          reason: null,
          details: { a: ['b'] },
          receipt: {
            signature: 's',
            slot: 1n,
            landedAt: NOW,
            feeLamports: 5_000n,
            baseFeeLamports: 5_000n,
            priorityFeeLamports: 0n,
            walletLamportsDelta: -(2n ** 63n),
            tokenDeltas: [{ mint: wallet.address, delta: 2n ** 64n - 1n }],
            rentLamports: 0n,
            platformFeeLamports: 0n,
          },
        },
      });
      expect(await db.intents.insert(intent)).toEqual({ intent, created: true });
      expect(await db.intents.find(intent.id)).toEqual(intent);
      expect(await db.intents.findByKey(intent.idemKey)).toEqual(intent);
      expect(await db.intents.find(newId())).toBeNull();
    });

    it('makes one intent of twenty simultaneous confirmations', async () => {
      const { wallet } = await storedPerson(db);
      const { idemKey } = intentRow(wallet);
      const results = await Promise.all(
        Array.from({ length: 20 }, () =>
          db.transact((stores) => stores.intents.insert(intentRow(wallet, { idemKey }))),
        ),
      );
      expect(results.filter((result) => result.created)).toHaveLength(1);
      expect(new Set(results.map((result) => result.intent.id)).size).toBe(1);
    });

    it('refuses an intent of a wallet that is not there', async () => {
      const { wallet } = await storedPerson(db);
      await expect(db.intents.insert(intentRow(wallet, { walletId: newId() }))).rejects.toThrow();
    });

    it('leases to one of twenty, and to the next once the lease is over', async () => {
      const intent = await storedIntent(db);
      const claim = { now: NOW, until: NOW + 30_000 };
      const leases = await Promise.all(
        Array.from({ length: 20 }, (_, i) => db.intents.lease(intent.id, { ...claim, owner: `w${i}` })),
      );
      const won = leases.filter((lease) => lease !== null);
      expect(won).toHaveLength(1);
      expect(won[0]?.intent).toMatchObject({ leaseEpoch: 1, leaseUntil: NOW + 30_000, status: 'CREATED' });

      expect(await db.intents.lease(intent.id, { owner: 'late', now: NOW + 29_999, until: NOW })).toBeNull();
      const next = await db.intents.lease(intent.id, {
        owner: 'next',
        now: NOW + 30_000,
        until: NOW + 60_000,
      });
      expect(next?.intent).toMatchObject({ leaseOwner: 'next', leaseEpoch: 2 });
    });

    it('leases no final and no missing intent', async () => {
      const intent = await storedIntent(db, { status: 'SUCCEEDED' });
      const claim = { owner: 'w', now: NOW, until: NOW + 1 };
      expect(await db.intents.lease(intent.id, claim)).toBeNull();
      expect(await db.intents.lease(newId(), claim)).toBeNull();
    });

    it('releases a lease only for its own epoch', async () => {
      const intent = await storedIntent(db);
      await db.intents.lease(intent.id, { owner: 'a', now: NOW, until: NOW + 30_000 });
      expect(await db.intents.release(intent.id, 0)).toBe(false);
      expect(await db.intents.release(intent.id, 1)).toBe(true);
      expect(await db.intents.find(intent.id)).toMatchObject({
        leaseOwner: null,
        leaseUntil: null,
        leaseEpoch: 1,
      });
    });

    it('updates only what is as expected: status and epoch', async () => {
      const intent = await storedIntent(db);
      await db.intents.lease(intent.id, { owner: 'a', now: NOW, until: NOW + 30_000 });
      const patch = { status: 'ACTIVE', updatedAt: NOW + 1 } as const;
      expect(await db.intents.update(intent.id, { statuses: ['ACTIVE'] }, patch)).toBe(false);
      expect(await db.intents.update(intent.id, { epoch: 0, statuses: ['CREATED'] }, patch)).toBe(false);
      expect(await db.intents.find(intent.id)).toMatchObject({ status: 'CREATED', updatedAt: NOW });
      expect(await db.intents.update(intent.id, { epoch: 1, statuses: ['CREATED', 'ACTIVE'] }, patch)).toBe(
        true,
      );
      expect(await db.intents.find(intent.id)).toMatchObject({ status: 'ACTIVE', updatedAt: NOW + 1 });
      const outcome = { reason: 'NO_ROUTE', details: { left: '1' }, receipt: null };
      expect(
        await db.intents.update(
          intent.id,
          { statuses: ['ACTIVE'] },
          { status: 'REJECTED', outcome, notBefore: NOW },
        ),
      ).toBe(true);
      expect(await db.intents.find(intent.id)).toMatchObject({ status: 'REJECTED', outcome, notBefore: NOW });
    });

    it('lets either cancel or start win, never both', async () => {
      for (let round = 0; round < 10; round += 1) {
        const intent = await storedIntent(db);
        const [cancelled, started] = await Promise.all([
          db.intents.update(intent.id, { statuses: ['CREATED'] }, { status: 'CANCELLED' }),
          db.intents.update(intent.id, { statuses: ['CREATED'] }, { status: 'ACTIVE' }),
        ]);
        expect([cancelled, started].filter(Boolean)).toHaveLength(1);
      }
    });

    it('lists due intents oldest first: open, not leased, not before their time', async () => {
      const early = NOW - 1_000_000_000;
      const first = await storedIntent(db);
      const later = await storedIntent(db, { notBefore: NOW + 1 });
      const leased = await storedIntent(db);
      await db.intents.lease(leased.id, { owner: 'a', now: NOW, until: NOW + 10 });
      const final = await storedIntent(db, { status: 'EXPIRED' });
      const last = await storedIntent(db, { status: 'ACTIVE', notBefore: early });
      const mine = new Set([first.id, later.id, leased.id, final.id, last.id]);
      const due = async (now: number) => (await db.intents.due(now, 1_000)).filter((id) => mine.has(id));
      expect(await due(NOW)).toEqual([first.id, last.id]);
      expect(await due(NOW + 10)).toEqual([first.id, later.id, leased.id, last.id]);
      expect(await db.intents.due(NOW, 1)).toHaveLength(1);
    });

    it('finds in one look what due, undelivered and the outbox say', async () => {
      const { user, wallet } = await storedPerson(db);
      const open = await storedIntent(db);
      await storedIntent(db, { status: 'FAILED' });
      const notice = noticeRow(user.id, { createdAt: NOW - 10 });
      await db.notices.add([notice, noticeRow(user.id, { createdAt: NOW + 10 })]);
      const asked = { now: NOW, watchedSince: NOW - 60_000, noticesBefore: NOW, limit: 1_000 };
      const found = await db.watch.forgotten(asked);
      expect(found.intents).toEqual(await db.intents.due(NOW, 1_000, { watchedSince: asked.watchedSince }));
      expect(found.intents).toContain(open.id);
      expect(found.notices).toEqual(await db.notices.undelivered(NOW, 1_000));
      expect(found.notices).toContain(notice.id);
      expect((await db.watch.forgotten({ ...asked, limit: 1 })).intents).toHaveLength(1);
      const dispatchAll = () =>
        db.transact(async ({ outbox }) => {
          const rows = await outbox.claim(1_000);
          await outbox.markDispatched(
            rows.map(({ id }) => id),
            NOW,
          );
        });
      await dispatchAll();
      expect((await db.watch.forgotten(asked)).outbox).toBe(false);
      await db.outbox.add([outboxRow()]);
      expect((await db.watch.forgotten(asked)).outbox).toBe(true);
      await dispatchAll();
      expect(wallet.userId).toBe(user.id);
    });

    it('a beat says whether anything is forgotten, as that look does', async () => {
      const { user } = await storedPerson(db);
      const asked = { owner: 'news', now: NOW, until: NOW + 5_000, limit: 1_000 };
      const says = async (watchedSince: number, noticesBefore: number): Promise<boolean> => {
        const { isForgotten, owners } = await db.watch.beat({ ...asked, watchedSince, noticesBefore });
        const { intents, notices, outbox } = await db.watch.forgotten({
          ...asked,
          watchedSince,
          noticesBefore,
        });
        expect(owners.filter((owner) => owner === 'news')).toEqual(['news']);
        expect(isForgotten).toBe(intents.length > 0 || notices.length > 0 || outbox);
        return isForgotten;
      };
      for (const { id } of await db.transact(async ({ outbox }) => await outbox.claim(1_000)))
        await db.transact(({ outbox }) => outbox.markDispatched([id], NOW));
      await says(NOW - 60_000, 0);
      await db.notices.add([noticeRow(user.id, { createdAt: 1 })]);
      expect(await says(NOW - 60_000, 2)).toBe(true);
      const { id } = await storedIntent(db, { status: 'ACTIVE' });
      expect(await says(NOW - 60_000, 0)).toBe(true);
      await db.intents.update(id, { statuses: ['ACTIVE'] }, { status: 'FAILED' });
      await says(NOW - 60_000, 0);
      await db.watch.leave('news');
    });

    it('counts the open intents of a wallet', async () => {
      const { wallet } = await storedPerson(db);
      await db.intents.insert(intentRow(wallet));
      await db.intents.insert(intentRow(wallet, { status: 'ACTIVE' }));
      await db.intents.insert(intentRow(wallet, { status: 'FAILED' }));
      expect(await db.intents.countOpenByWallet(wallet.id)).toBe(2);
    });

    it('pages a person through their intents, newest first, by kind when asked', async () => {
      const { user, wallet } = await storedPerson(db);
      const [a, b, c] = [intentRow(wallet), intentRow(wallet, { kind: 'buy' }), intentRow(wallet)];
      for (const intent of [a, b, c]) await db.intents.insert(intent);
      const idsOf = async (page: Parameters<typeof db.intents.listByUser>[1]) =>
        (await db.intents.listByUser(user.id, page)).map((intent) => intent.id);
      expect(await idsOf({ limit: 2 })).toEqual([c.id, b.id]);
      expect(await idsOf({ limit: 2, before: b.id })).toEqual([a.id]);
      expect(await idsOf({ limit: 9, kinds: ['withdraw-sol', 'sell'] })).toEqual([c.id, a.id]);
    });

    it('lists those of a person that are open, newest first', async () => {
      const { user, wallet } = await storedPerson(db);
      const other = await storedPerson(db);
      const [waits, active, over] = [
        intentRow(wallet, { notBefore: NOW + 1 }),
        intentRow(wallet, { kind: 'buy', status: 'ACTIVE' }),
        intentRow(wallet, { status: 'CANCELLED' }),
      ];
      for (const intent of [waits, active, over, intentRow(other.wallet)]) await db.intents.insert(intent);
      expect((await db.intents.listOpen(user.id)).map(({ id }) => id)).toEqual([active.id, waits.id]);
    });
  });

  describeCommitRules(() => db);
  describeEpochFence(() => db);

  describe('attempts', () => {
    it('keeps every field, bytes included, oldest first', async () => {
      const intent = await storedIntent(db);
      const first = attemptRow(intent, { status: 'DEAD', deathProof: DEATH_PROOF });
      const second = attemptRow(intent, {
        n: 2,
        terms: {
          amountIn: 1n,
          quotedOut: 2n ** 64n - 1n,
          minOut: 1n,
          platformFeeLamports: 0n,
          priceImpactBps: 3,
          slippageBps: 4,
          route: [
            {
              venue: 'desk',
              pool: (await storedPerson(db)).wallet.address,
              percent: 100,
              from: null,
              to: null,
            },
          ],
        },
      });
      expect(await db.intents.insertAttempt(second)).toBe(true);
      expect(await db.intents.insertAttempt(first)).toBe(true);
      expect(await db.intents.attempts(intent.id)).toEqual([first, second]);
    });

    it('refuses a second live attempt, a known signature and a number taken, without throwing', async () => {
      const intent = await storedIntent(db);
      const other = await storedIntent(db);
      const first = attemptRow(intent);
      await db.transact(async (stores) => {
        expect(await stores.intents.insertAttempt(first)).toBe(true);
        expect(await stores.intents.insertAttempt(attemptRow(intent, { n: 2 }))).toBe(false);
        expect(await stores.intents.insertAttempt(attemptRow(other, { signature: first.signature }))).toBe(
          false,
        );
        expect(
          await stores.intents.updateAttempt(first.id, { statuses: ['SIGNED'] }, { status: 'DEAD' }),
        ).toBe(true);
        expect(await stores.intents.insertAttempt(attemptRow(intent, { n: 1 }))).toBe(false);
        expect(await stores.intents.insertAttempt(attemptRow(intent, { n: 2 }))).toBe(true);
      });
      expect((await db.intents.attempts(intent.id)).map((attempt) => attempt.n)).toEqual([1, 2]);
    });

    it('lets one of twenty workers insert', async () => {
      const intent = await storedIntent(db);
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, i) => db.intents.insertAttempt(attemptRow(intent, { n: i + 1 }))),
      );
      expect(made.filter(Boolean)).toHaveLength(1);
    });

    it('updates an attempt only from the statuses expected, and never revives one beside a live one', async () => {
      const intent = await storedIntent(db);
      const attempt = attemptRow(intent);
      await db.intents.insertAttempt(attempt);
      expect(
        await db.intents.updateAttempt(attempt.id, { statuses: ['SEEN'] }, { status: 'CONFIRMED' }),
      ).toBe(false);
      const patch = {
        status: 'LANDED_ERR',
        sendCount: 3,
        lastSentAt: NOW,
        landedSlot: 9n,
        chainError: '{}',
      } as const;
      expect(await db.intents.updateAttempt(attempt.id, { statuses: ['SIGNED', 'SEEN'] }, patch)).toBe(true);
      expect(await db.intents.attempts(intent.id)).toEqual([{ ...attempt, ...patch }]);
      await db.intents.insertAttempt(attemptRow(intent, { n: 2 }));
      await expect(
        db.intents.updateAttempt(attempt.id, { statuses: ['LANDED_ERR'] }, { status: 'SEEN' }),
      ).rejects.toThrow();
    });
  });

  describe('outbox', () => {
    const claimMine = async (keys: readonly string[]) =>
      (await db.transact((stores) => stores.outbox.claim(1_000))).filter((row) => keys.includes(row.key));

    it('hands out rows oldest first until they are marked', async () => {
      const rows = [outboxRow(), outboxRow({ notBefore: NOW }), outboxRow()];
      const keys = rows.map((row) => row.key);
      await db.outbox.add(rows);
      expect(await claimMine(keys)).toEqual(rows);
      await db.outbox.markDispatched([rows[0]?.id ?? ''], NOW);
      expect(await claimMine(keys)).toEqual(rows.slice(1));
      expect(await db.outbox.deleteDispatched(NOW)).toBe(0);
      expect(await db.outbox.deleteDispatched(NOW + 1)).toBeGreaterThanOrEqual(1);
      expect(await claimMine(keys)).toEqual(rows.slice(1));
    });

    it('keeps one waiting row per key, with the earlier time', async () => {
      const row = outboxRow({ notBefore: NOW + 100 });
      await db.outbox.add([row]);
      await db.outbox.add([
        outboxRow({ key: row.key, notBefore: NOW + 50 }),
        outboxRow({ key: row.key, notBefore: NOW + 70 }),
      ]);
      expect(await claimMine([row.key])).toEqual([{ ...row, notBefore: NOW + 50 }]);
      await db.outbox.add([outboxRow({ key: row.key })]);
      expect(await claimMine([row.key])).toEqual([{ ...row, notBefore: null }]);
    });

    it('accepts a key again once its row is dispatched', async () => {
      const first = outboxRow();
      await db.outbox.add([first]);
      await db.outbox.markDispatched([first.id], NOW);
      const second = outboxRow({ key: first.key });
      await db.outbox.add([second]);
      expect(await claimMine([first.key])).toEqual([second]);
    });

    it('loses a row with the transaction that was to write it', async () => {
      const row = outboxRow();
      await expect(
        db.transact(async (stores) => {
          await stores.outbox.add([row]);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await claimMine([row.key])).toEqual([]);
    });
  });

  describe('ledger', () => {
    it('moves balances once, whoever repeats the transfer', async () => {
      const owner = newId();
      const account = { kind: 'referral-payable', owner } as const;
      const treasury = await db.ledger.balance({ kind: 'treasury' });
      const transfer = feeTransfer(owner, 500n);
      const applied = await Promise.all(
        Array.from({ length: 20 }, () => db.ledger.post({ ...transfer, id: newId() })),
      );
      expect(applied.filter(Boolean)).toHaveLength(1);
      expect(await db.ledger.balance(account)).toBe(500n);
      expect(await db.ledger.balance({ kind: 'treasury' })).toBe(treasury - 500n);
      expect(await db.ledger.balance({ kind: 'referral-in-flight', owner })).toBe(0n);
    });

    it('refuses entries that do not sum to zero', async () => {
      const owner = newId();
      const transfer = feeTransfer(owner, 5n);
      const lopsided = { ...transfer, entries: transfer.entries.slice(1) };
      await expect(db.ledger.post(lopsided)).rejects.toBeInstanceOf(RangeError);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner })).toBe(0n);
    });

    it('refuses to take a person below zero, and undoes the rest of that transaction', async () => {
      const [from, to] = [newId(), newId()];
      await db.ledger.post(feeTransfer(from, 10n));
      await expect(
        db.transact(async (stores) => {
          await stores.ledger.post(moveTransfer(from, to, 4n));
          await stores.ledger.post(moveTransfer(from, to, 7n));
        }),
      ).rejects.toBeInstanceOf(RangeError);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: from })).toBe(10n);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: to })).toBe(0n);
    });

    it('answers false for a repeat that could no longer be afforded', async () => {
      const [from, to] = [newId(), newId()];
      await db.ledger.post(feeTransfer(from, 10n));
      const move = moveTransfer(from, to, 10n);
      expect(await db.ledger.post(move)).toBe(true);
      expect(await db.ledger.post({ ...move, id: newId() })).toBe(false);
    });

    it('adds up several entries of one account', async () => {
      const owner = newId();
      const account = { kind: 'referral-payable', owner } as const;
      await db.ledger.post(
        feeTransfer(owner, 0n, {
          entries: [
            { account, amount: 3n },
            { account, amount: 4n },
            { account: { kind: 'revenue' }, amount: -7n },
          ],
        }),
      );
      expect(await db.ledger.balance(account)).toBe(7n);
    });

    it('applies several transfers in one step, those that are new', async () => {
      const [a, b] = [newId(), newId()];
      const [first, second] = [feeTransfer(a, 10n), feeTransfer(b, 20n)];
      expect(await db.ledger.postAll([])).toBe(0);
      expect(await db.ledger.post(first)).toBe(true);
      const third = moveTransfer(a, b, 6n);
      expect(
        await db.ledger.postAll([
          { ...first, id: newId() },
          second,
          third,
          third,
          { ...second, id: newId() },
        ]),
      ).toBe(2);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: a })).toBe(4n);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: b })).toBe(26n);
    });

    it('applies none of several when one is lopsided or cannot be afforded', async () => {
      const [from, to] = [newId(), newId()];
      await db.ledger.post(feeTransfer(from, 10n));
      const good = feeTransfer(to, 5n);
      const dear = moveTransfer(from, to, 11n);
      const lopsided = { ...feeTransfer(to, 1n), entries: feeTransfer(to, 1n).entries.slice(1) };
      await expect(db.ledger.postAll([good, dear])).rejects.toBeInstanceOf(RangeError);
      await expect(db.ledger.postAll([good, lopsided])).rejects.toBeInstanceOf(RangeError);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: from })).toBe(10n);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: to })).toBe(0n);
      expect(await db.ledger.post({ ...good, id: newId() })).toBe(true);
    });

    it('judges several transfers after the last of them', async () => {
      const [from, to] = [newId(), newId()];
      expect(await db.ledger.postAll([moveTransfer(from, to, 3n), feeTransfer(from, 3n)])).toBe(2);
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: from })).toBe(0n);
    });

    it('posts inside a larger unit of work: visible there, gone when that fails', async () => {
      const [from, to] = [newId(), newId()];
      const fee = feeTransfer(from, 10n);
      const failing = db.transact(async (stores) => {
        expect(await stores.ledger.postAll([fee, moveTransfer(from, to, 4n)])).toBe(2);
        expect(await stores.ledger.balance({ kind: 'referral-payable', owner: from })).toBe(6n);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await db.ledger.balance({ kind: 'referral-payable', owner: from })).toBe(0n);
      expect(await db.ledger.post(fee)).toBe(true);
    });

    it('survives a crowd that moves money both ways: nothing lost, nobody below zero', async () => {
      const people = Array.from({ length: 6 }, newId);
      for (const owner of people) await db.ledger.post(feeTransfer(owner, 100n));
      const moves = Array.from({ length: 150 }, (_, i) => {
        const from = people[(i * 7) % 6] ?? '';
        const to = people[(i * 5 + 1) % 6] ?? '';
        return moveTransfer(from, to, BigInt((i % 40) + 1));
      }).filter((move) => move.entries[0]?.account !== move.entries[1]?.account);
      const outcomes = await Promise.allSettled(moves.map((move) => db.ledger.post(move)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RangeError);
      }
      const balances = await Promise.all(
        people.map((owner) => db.ledger.balance({ kind: 'referral-payable', owner })),
      );
      expect(balances.every((balance) => balance >= 0n)).toBe(true);
      expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(600n);
    });
  });

  describe('referrals', () => {
    async function trade() {
      const { user: inviter } = await storedPerson(db);
      const { user: invitee, wallet } = await storedPerson(db, { inviterId: inviter.id });
      const { intent } = await db.intents.insert(intentRow(wallet, { kind: 'buy', status: 'SUCCEEDED' }));
      return { inviter, invitee, wallet, intent };
    }

    it('opens one account per person', async () => {
      const { user } = await storedPerson(db);
      const account = { userId: user.id, code: newId().slice(-8), createdAt: NOW, codesChosen: 0 };
      expect(await db.referrals.account(user.id)).toBeNull();
      expect(await db.referrals.open(account)).toEqual(account);
      expect(await db.referrals.open({ ...account, code: 'OTHER' })).toEqual(account);
      expect(await db.referrals.accountByCode(account.code)).toEqual(account);
      expect(await db.referrals.accountByCode('OTHER')).toBeNull();
    });

    it('refuses a code that another person has', async () => {
      const [a, b] = [await storedPerson(db), await storedPerson(db)];
      const code = newId().slice(-8);
      await db.referrals.open({ userId: a.user.id, code, createdAt: NOW, codesChosen: 0 });
      await expect(
        db.referrals.open({ userId: b.user.id, code, createdAt: NOW, codesChosen: 0 }),
      ).rejects.toThrow();
    });

    it('keeps a retired code from everybody but its owner', async () => {
      const [a, b] = [await storedPerson(db), await storedPerson(db)];
      const [old, request, other] = [newId().slice(-8), newId().slice(-9), newId().slice(-10)];
      await db.referrals.open({ userId: a.user.id, code: old, createdAt: NOW, codesChosen: 0 });
      await db.referrals.open({ userId: b.user.id, code: other, createdAt: NOW, codesChosen: 0 });
      const rename = (userId: string, code: string) =>
        db.transact((stores) => stores.referrals.rename(PASSED, userId, code, NOW));
      expect(await rename(a.user.id, other)).toBe(false);
      expect(await rename(a.user.id, request)).toBe(true);
      expect(await db.referrals.account(a.user.id)).toMatchObject({ code: request, codesChosen: 1 });
      expect(await db.referrals.accountByCode(old)).toBeNull();
      expect(await db.referrals.codeOwner(old)).toBe(a.user.id);
      expect(await rename(b.user.id, old)).toBe(false);
      expect(await rename(b.user.id, request)).toBe(false);
      expect(await rename(a.user.id, old)).toBe(true);
      expect(await db.referrals.codeOwner(request)).toBe(a.user.id);
      expect(await db.referrals.codeOwner(newId().slice(-11))).toBeNull();
    });

    it('gives a code that two people choose at once to one of them', async () => {
      const request = newId().slice(-10);
      const people = await Promise.all(Array.from({ length: 6 }, () => storedPerson(db)));
      for (const { user } of people)
        await db.referrals.open({
          userId: user.id,
          code: newId().slice(-12),
          createdAt: NOW,
          codesChosen: 0,
        });
      const taken = await Promise.all(
        people.map(({ user }) =>
          db.transact((stores) => stores.referrals.rename(PASSED, user.id, request, NOW)),
        ),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    it('counts people by the tag they came through, once each', async () => {
      const { inviter, invitee, intent } = await trade();
      const quiet = await storedPerson(db, { inviterId: inviter.id });
      for (const [inviteeId, tag] of [
        [invitee.id, 'X-1'],
        [quiet.user.id, 'X-1'],
        [quiet.user.id, 'OTHER'],
      ] as const)
        await db.referrals.addArrival({ inviteeId, inviterId: inviter.id, tag });
      const reward = rewardRow(inviter, invitee, intent);
      await db.referrals.addReward(reward);
      expect(await db.referrals.campaigns(inviter.id, 9)).toEqual([
        { tag: 'X-1', invited: 2, active: 1, earnedLamports: reward.lamports },
      ]);
    });

    it('offers for payout the wallet that was chosen, else the oldest made here, and none that was only imported', async () => {
      const { inviter, invitee, intent } = await trade();
      const bare = await storedPerson(db);
      const due = 8_000_000_000_000n;
      for (const owner of [inviter, bare.user]) {
        await db.referrals.addReward(
          rewardRow(owner, invitee, intent, { lamports: due, feeLamports: due * 2n }),
        );
      }
      for (const { id } of await db.wallets.listByUser(bare.user.id))
        await db.wallets.setDeletedAt(PASSED, id, NOW);
      const recipient = async (now = NOW) => {
        const page = { offset: 0, limit: 1_000, leastLamports: due, now, conversions: [] };
        const found = (await db.referrals.payoutCandidates(page)).filter(({ inviterId }) =>
          [inviter.id, bare.user.id].includes(inviterId),
        );
        expect(found.every((one) => one.inviterId === inviter.id && one.lamports === due)).toBe(true);
        expect(found).toHaveLength(found.length === 0 ? 0 : 1);
        const wallets = await db.wallets.listByUser(inviter.id);
        expect(found[0]?.recipient).toBe(payoutWallet(wallets, now)?.address);
        return found[0]?.recipient;
      };
      const add = async (change: Partial<Wallet>) => {
        const row = walletRow({ userId: inviter.id, ...change });
        await db.wallets.insert(PASSED, row, secretRow(row));
        return row;
      };
      const [first] = await db.wallets.listByUser(inviter.id);
      const imported = await add({ origin: 'imported' });
      await db.users.activate(PASSED, inviter.id, imported.id);
      expect(await recipient()).toBe(first?.address);
      await db.users.activate(PASSED, inviter.id, null);
      expect(await recipient()).toBe(first?.address);
      const chosen = await add({ payoutFrom: NOW + 10 });
      const confirmed = await add({ origin: 'imported', confirmedAt: NOW + 20, payoutFrom: NOW + 20 });
      expect(await recipient(NOW + 9)).toBe(first?.address);
      expect(await recipient(NOW + 10)).toBe(chosen.address);
      expect(await recipient(NOW + 20)).toBe(confirmed.address);
      await db.wallets.setDeletedAt(PASSED, confirmed.id, NOW + 21);
      expect(await recipient(NOW + 21)).toBe(chosen.address);
      for (const id of [chosen.id, first?.id ?? '']) await db.wallets.setDeletedAt(PASSED, id, NOW + 21);
      expect(await recipient(NOW + 21)).toBeUndefined();
    });

    it('shows an inviter each share with its receipt, and what brought none', async () => {
      const { inviter, invitee, wallet, intent } = await trade();
      const reward = rewardRow(inviter, invitee, intent);
      await db.referrals.addReward(reward);
      const { intent: failed } = await db.intents.insert(
        intentRow(wallet, { kind: 'sell', status: 'FAILED', outcome: null }),
      );
      await db.intents.insert(intentRow(wallet, { kind: 'withdraw-sol', status: 'SUCCEEDED' }));
      const page = { offset: 0, limit: 9 };
      const shares = await db.referrals.rewardLines(inviter.id, page);
      expect(shares).toEqual([
        {
          ...reward,
          inviteeMark: expect.stringMatching(/^[0-9a-f]{8}$/),
          receipt: intent.receipt,
          kind: 'buy',
          payoutSignature: null,
        },
      ]);
      expect(await db.referrals.rewardLines(inviter.id, { ...page, offset: 1 })).toEqual([]);
      expect(await db.referrals.uncounted(inviter.id, page)).toEqual([
        {
          inviteeMark: shares[0]?.inviteeMark,
          receipt: failed.receipt,
          kind: 'sell',
          status: 'FAILED',
          feeLamports: null,
          createdAt: failed.createdAt,
        },
      ]);
    });

    it('adds one reward per signature and lists them newest first', async () => {
      const { inviter, invitee, intent } = await trade();
      const [a, b] = [rewardRow(inviter, invitee, intent), rewardRow(inviter, invitee, intent)];
      expect(await db.referrals.addReward(a)).toBe(true);
      expect(await db.referrals.addReward({ ...b, signature: a.signature })).toBe(false);
      expect(await db.referrals.addReward(b)).toBe(true);
      expect(await db.referrals.rewards(inviter.id, 9)).toEqual([b, a]);
      expect(await db.referrals.rewards(inviter.id, 1)).toEqual([b]);
    });

    it('carries rewards from accrued to paid, and back when the payout did not land', async () => {
      const { inviter, invitee, wallet, intent } = await trade();
      const quiet = await storedPerson(db, { inviterId: inviter.id });
      expect(quiet.user.inviterId).toBe(inviter.id);
      const rewards = [300n, 1_000_000n].map((lamports) =>
        rewardRow(inviter, invitee, intent, { lamports, feeLamports: lamports * 3n }),
      );
      for (const reward of rewards) await db.referrals.addReward(reward);
      const ids = rewards.map((reward) => reward.id);

      const accrued = await db.transact((stores) => stores.referrals.lockAccrued([inviter.id], []));
      expect(accrued.find((sum) => sum.inviterId === inviter.id)).toEqual({
        inviterId: inviter.id,
        lamports: 1_000_300n,
        rewardIds: ids,
      });
      const amounts = accrued.map((sum) => sum.lamports);
      expect(amounts).toEqual([...amounts].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));

      const { intent: failed } = await db.intents.insert(intentRow(wallet, { kind: 'payout' }));
      await db.referrals.markBatched(ids, failed.id);
      await expect(db.referrals.markBatched(ids, failed.id)).rejects.toThrow('ACCRUED');
      await db.referrals.settle(failed.id, 'ACCRUED');
      expect(
        (await db.referrals.rewards(inviter.id, 9)).every((r) => r.status === 'ACCRUED' && !r.payoutIntentId),
      ).toBe(true);

      const { intent: payout } = await db.intents.insert(
        intentRow(wallet, { kind: 'payout', updatedAt: NOW + 9 }),
      );
      await db.referrals.markBatched(ids.slice(0, 1), payout.id);
      const landed = attemptRow(payout, { status: 'FINALIZED' });
      await db.intents.insertAttempt(landed);
      await db.referrals.settle(payout.id, 'PAID');
      // A second settlement, as after a crash, moves nothing back.
      await db.referrals.settle(payout.id, 'ACCRUED');
      expect(await db.referrals.totals(inviter.id)).toEqual({
        invited: 2,
        active: 1,
        earnedLamports: 1_000_300n,
        paidLamports: 300n,
        pendingLamports: 1_000_000n,
        lastPayout: { signature: landed.signature, at: NOW + 9 },
      });
    });

    it('sums what invitees traded since a moment, by what landed', async () => {
      const { inviter, wallet } = await trade();
      const receipt = {
        signature: 's',
        slot: 1n,
        landedAt: NOW,
        feeLamports: 5_000n,
        baseFeeLamports: 5_000n,
        priorityFeeLamports: 0n,
        tokenDeltas: [],
        rentLamports: 2_000n,
        platformFeeLamports: 10n,
      };
      const ended = async (kind: 'buy' | 'sell', walletLamportsDelta: bigint, updatedAt: number) => {
        const { intent } = await db.intents.insert(intentRow(wallet, { kind }));
        await db.intents.update(
          intent.id,
          { statuses: [intent.status] },
          {
            status: 'SUCCEEDED',
            outcome: { reason: null, details: {}, receipt: { ...receipt, walletLamportsDelta } },
            updatedAt,
          },
        );
      };
      await ended('buy', -1_007_000n, NOW + 10);
      await ended('sell', 493_000n, NOW + 20);
      await ended('buy', -9_007_000n, NOW - 10);
      expect(await db.referrals.volume(inviter.id, NOW + 5)).toBe(1_000_000n + 500_010n);
      expect(await db.referrals.volume(inviter.id, NOW + 15)).toBe(500_010n);
      expect(await db.referrals.volume(newId(), 0)).toBe(0n);
    });

    it('tells whom a payout pays for what', async () => {
      const { inviter, invitee, wallet, intent } = await trade();
      const [shared, rebate] = [
        rewardRow(inviter, invitee, intent),
        rewardRow(inviter, invitee, intent, {
          source: 'rebate',
          inviteeId: null,
          intentId: null,
          feeLamports: null,
        }),
      ];
      const { intent: payout } = await db.intents.insert(intentRow(wallet, { kind: 'payout' }));
      for (const reward of [shared, rebate]) await db.referrals.addReward(reward);
      await db.referrals.markBatched([shared.id], payout.id);
      expect(await db.referrals.payoutSources(payout.id)).toEqual([
        { inviterId: inviter.id, source: 'referral' },
      ]);
      await db.referrals.markBatched([rebate.id], payout.id);
      expect((await db.referrals.payoutSources(payout.id)).map(({ source }) => source).sort()).toEqual([
        'rebate',
        'referral',
      ]);
      expect(await db.referrals.payoutSources(newId())).toEqual([]);
    });

    it('gives nothing to somebody who invited nobody', async () => {
      expect(await db.referrals.totals(newId())).toEqual({
        invited: 0,
        active: 0,
        earnedLamports: 0n,
        paidLamports: 0n,
        pendingLamports: 0n,
        lastPayout: null,
      });
    });

    it('gives a reward to one of two collectors', async () => {
      const { inviter, invitee, wallet, intent } = await trade();
      await db.referrals.addReward(rewardRow(inviter, invitee, intent));
      const collect = () =>
        db.transact(async (stores) => {
          const mine = (await stores.referrals.lockAccrued([inviter.id], [])).find(
            (sum) => sum.inviterId === inviter.id,
          );
          if (!mine) return 0n;
          const payout = (await stores.intents.insert(intentRow(wallet, { kind: 'payout' }))).intent;
          await stores.referrals.markBatched(mine.rewardIds, payout.id);
          return mine.lamports;
        });
      const collected = await Promise.all([collect(), collect(), collect()]);
      expect(collected.reduce((sum, lamports) => sum + lamports, 0n)).toBe(300n);
    });
  });

  describe('buttons', () => {
    it('shows a button to its owner as often as they look', async () => {
      const { user } = await storedPerson(db);
      const button = buttonRow(user.id);
      await db.buttons.insert([button, buttonRow(user.id, { payload: { v: 1, d: null } })]);
      expect(await db.buttons.peek(button.id, user.id, NOW)).toEqual(button);
      expect(await db.buttons.peek(button.id, user.id, NOW)).toEqual(button);
    });

    it('is used up by the first of twenty taps', async () => {
      const { user } = await storedPerson(db);
      const button = buttonRow(user.id);
      await db.buttons.insert([button]);
      const taps = await Promise.all(
        Array.from({ length: 20 }, () => db.buttons.consume(button.id, user.id, NOW)),
      );
      expect(taps.filter((tap) => tap !== null)).toEqual([{ ...button, usedAt: NOW }]);
      expect(await db.buttons.peek(button.id, user.id, NOW)).toBeNull();
    });

    it('is nothing to another person, and nothing once expired', async () => {
      const [mine, other] = [await storedPerson(db), await storedPerson(db)];
      const button = buttonRow(mine.user.id);
      await db.buttons.insert([button]);
      expect(await db.buttons.peek(button.id, other.user.id, NOW)).toBeNull();
      expect(await db.buttons.consume(button.id, other.user.id, NOW)).toBeNull();
      expect(await db.buttons.consume(button.id, mine.user.id, button.expiresAt)).toBeNull();
      expect(await db.buttons.peek(button.id, mine.user.id, button.expiresAt)).toBeNull();
      expect(await db.buttons.consume(button.id, mine.user.id, button.expiresAt - 1)).not.toBeNull();
    });

    it('is forgotten when expired', async () => {
      const { user } = await storedPerson(db);
      const [old, young] = [buttonRow(user.id, { expiresAt: NOW }), buttonRow(user.id)];
      await db.buttons.insert([old, young]);
      expect(await db.buttons.deleteExpired(NOW + 1)).toBeGreaterThanOrEqual(1);
      expect(await db.buttons.peek(old.id, user.id, NOW - 1)).toBeNull();
      expect(await db.buttons.peek(young.id, user.id, NOW)).toEqual(young);
    });
  });

  describe('notices and flags', () => {
    it('lists what is not delivered, oldest first, and counts attempts', async () => {
      const { user, wallet } = await storedPerson(db);
      const { intent } = await db.intents.insert(intentRow(wallet));
      const [a, b, c] = [
        noticeRow(user.id, { intentId: intent.id }),
        noticeRow(user.id),
        noticeRow(user.id, { createdAt: NOW + 50 }),
      ];
      await db.notices.add([a, b, c]);
      const mine = new Set([a.id, b.id, c.id]);
      const open = async (before: number) =>
        (await db.notices.undelivered(before, 1_000)).filter((id) => mine.has(id));
      expect(await open(NOW + 1)).toEqual([a.id, b.id]);
      await db.notices.markDelivered(a.id, NOW + 2);
      await db.notices.markDelivered(a.id, NOW + 9);
      await db.notices.begin(b.id);
      expect(await open(NOW + 100)).toEqual([b.id, c.id]);
      expect(await db.notices.find(a.id)).toEqual({ ...a, deliveredAt: NOW + 2 });
      expect(await db.notices.find(b.id)).toEqual({ ...b, attempts: 1 });
      expect(await db.notices.find(newId())).toBeNull();
      // Whoever blocked the bot is left alone, and told when they are back.
      await db.users.update(user.id, { blockedAt: NOW });
      expect(await open(NOW + 100)).toEqual([]);
      await db.users.update(user.id, { blockedAt: null });
      expect(await open(NOW + 100)).toEqual([b.id, c.id]);
    });

    it('finds the newest confirmation of an intent, delivered or not', async () => {
      const { user, wallet } = await storedPerson(db);
      const { intent } = await db.intents.insert(intentRow(wallet));
      const payload = encodeIntentNotice({
        status: 'ACTIVE',
        signature: 'sig',
        attempt: 1,
        lastValidBlockHeight: 9n,
        sentAt: NOW,
        terms: null,
        outcome: null,
      });
      const of = (kind: Notice['kind']) => noticeRow(user.id, { intentId: intent.id, kind, payload });
      await db.notices.add([of('progress')]);
      expect(await db.notices.confirmedOf(intent.id)).toBeNull();
      const [first, second] = [of('confirmed'), of('confirmed')];
      await db.notices.add([first, second, of('final')]);
      await db.notices.markDelivered(second.id, NOW + 2);
      expect(await db.notices.confirmedOf(intent.id)).toEqual({ ...second, deliveredAt: NOW + 2 });
    });

    it('remembers the latest progress message of an intent', async () => {
      const intent = await storedIntent(db);
      expect(await db.notices.progressMessage(intent.id)).toBeNull();
      await db.notices.setProgressMessage({ intentId: intent.id, chatId: -1_001_234_567_890n, messageId: 1 });
      await db.notices.setProgressMessage({ intentId: intent.id, chatId: -1_001_234_567_890n, messageId: 2 });
      expect(await db.notices.progressMessage(intent.id)).toEqual({
        intentId: intent.id,
        chatId: -1_001_234_567_890n,
        messageId: 2,
      });
    });

    it('switches flags on and off', async () => {
      expect(await db.flags.isSet('payouts-paused')).toBe(false);
      await db.flags.set('payouts-paused', true, NOW);
      expect(await db.flags.isSet('payouts-paused')).toBe(true);
      expect(await db.flags.isSet('trading-paused')).toBe(false);
      await db.flags.set('signing-paused', true, NOW);
      expect(await db.transact(({ flags }) => flags.hold())).toEqual(
        new Set(['payouts-paused', 'signing-paused']),
      );
      await db.flags.set('payouts-paused', false, NOW);
      expect(await db.flags.isSet('payouts-paused')).toBe(false);
      expect(await db.transact(({ flags }) => flags.hold())).toEqual(new Set(['signing-paused']));
      await db.flags.set('signing-paused', false, NOW);
    });

    it('tells what is paused, why and until when, and what a change took the place of', async () => {
      const until = Date.now() + 3_600_000;
      expect(await db.flags.set('venue:desk-paused', true, NOW, { reason: 'one', until: null })).toBeNull();
      const one = { what: 'venue:desk', reason: 'one', since: NOW, until: null };
      expect(await db.flags.set('venue:desk-paused', true, NOW + 1, { reason: 'two', until })).toEqual(one);
      await db.flags.set('games-paused', true, NOW, { reason: 'over', until: Date.now() - 1 });
      await db.flags.set('quarantined', true, NOW);
      const two = { what: 'venue:desk', reason: 'two', since: NOW + 1, until };
      expect(await db.flags.pauses()).toEqual([two]);
      expect(await db.flags.isSet('games-paused')).toBe(false);
      expect(await db.transact(({ flags }) => flags.hold())).toEqual(
        new Set(['venue:desk-paused', 'quarantined']),
      );
      await db.flags.set('quarantined', false, NOW);
      expect(await db.flags.set('venue:desk-paused', false, NOW)).toEqual(two);
      expect(await db.flags.pauses()).toEqual([]);
    });

    it('keeps acts in one chain, newest first, filtered and paged', async () => {
      const [ann, bob] = [newId(), newId()];
      const before = (await db.auditLog.links(0n, 10_000)).at(-1)?.id ?? 0n;
      for (let n = 0; n < 12; n += 1)
        await db.auditLog.record(ownAct(n % 2 === 0 ? ann : bob, NOW + n, n < 6 ? 'frozen' : 'pin-set', {}));
      await expect(
        db.transact(async ({ auditLog }) => {
          await auditLog.record(ownAct(ann, NOW, 'frozen', {}));
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      const links = await db.auditLog.links(before, 100);
      expect(links.map(({ id }) => id - before)).toEqual(Array.from({ length: 12 }, (_, n) => BigInt(n + 1)));
      expect(links.slice(1).map(({ prev }) => prev)).toEqual(links.slice(0, -1).map(({ hash }) => hash));
      const times = async (...[filter, page]: Parameters<typeof db.auditLog.list>) =>
        (await db.auditLog.list(filter, page)).map(({ at }) => at - NOW);
      expect(await times({ subject: ann }, { limit: 2, offset: 0 })).toEqual([10, 8]);
      expect(await times({ subject: ann }, { limit: 2, offset: 2 })).toEqual([6, 4]);
      expect(await times({ subject: bob, act: 'frozen' }, { limit: 9, offset: 0 })).toEqual([5, 3, 1]);
      expect(await times({ subject: bob, since: NOW + 9 }, { limit: 9, offset: 0 })).toEqual([11, 9]);
      expect(await db.auditLog.list({ subject: ann }, { limit: 1, offset: 0 })).toEqual([
        { id: before + 11n, ...ownAct(ann, NOW + 10, 'pin-set', {}) },
      ]);
    });
  });

  describeGuardStores(() => db);
  describeAlertStore(() => db);
  describeFollowStore(() => db);
  describeFunderRows(() => db);
  describeSignalStore(() => db);
  describeGroupStore(() => db);
  describeSeenLaunchStore(() => db);
  describeCopyStore(() => db);
  describePersonalKeyStore(() => db);
  describePointStores(() => db);
  describeGameStores(() => db);
  describeConvertStores(() => db);
  describeTokenStore(() => db);
  describeLaunchStore(() => db);
  describeOrderStores(() => db);
  describePositionStore(() => db);
  describeDepositStore(() => db);
}
