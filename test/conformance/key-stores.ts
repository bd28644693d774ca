import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyRequest } from '../../src/modules/keys/rules/key-request.ts';
import type { ApiKey } from '../../src/modules/keys/store/api-key-store-port.ts';
import type { Mail } from '../../src/modules/mail/store-port.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { PASSED } from '../support/passed.ts';
import { NOW, newId } from './store-rows.ts';

const DAY_MS = 86_400_000;
let serial = 0;
const newEmail = (): string => {
  serial += 1;
  return `person${process.pid}n${serial}@example.org`;
};

export function requestRow(change: Partial<KeyRequest> = {}): KeyRequest {
  return {
    id: newId(),
    email: newEmail(),
    project: 'Rebalancer',
    use: 'It rebalances <b>a small</b> portfolio.',
    perDay: 10_000,
    peakPerSecond: 2,
    scopes: ['swap', 'market'],
    status: 'unconfirmed',
    createdAt: NOW,
    confirmedAt: null,
    decidedAt: null,
    decidedBy: null,
    reason: null,
    question: null,
    answer: null,
    granted: null,
    keyId: null,
    claimedAt: null,
    ...change,
  };
}

export const keyRow = (change: Partial<ApiKey> = {}): ApiKey => ({
  id: newId(),
  account: newId(),
  hash: new Uint8Array(32).fill(7),
  scopes: ['swap'],
  ratePerSecond: 2,
  burst: 4,
  dayQuota: 15_000,
  maxReferrerFeeBps: 300,
  email: newEmail(),
  replacedBy: null,
  createdAt: NOW,
  expiresAt: null,
  revokedAt: null,
  ...change,
});

export const mailRow = (change: Partial<Mail> = {}): Mail => ({
  id: newId(),
  to: newEmail(),
  template: 'claim',
  subject: newId(),
  args: { project: 'a "quoted" <b>name</b>', limits: '2 a second' },
  status: 'waiting',
  attempts: 0,
  lastError: null,
  createdAt: NOW,
  dueAt: NOW,
  ...change,
});

/** The rules of the stores behind requests for keys. */
export function describeKeyStores(make: () => Promise<Database>): void {
  let db: Database;
  beforeAll(async () => {
    db = await make();
  });

  describe('requests for keys', () => {
    it('are one per address while open, and any number after', async () => {
      const first = requestRow();
      const second = requestRow({ email: first.email, createdAt: NOW + 1 });
      expect(await db.keyRequests.insert(first)).toBe(true);
      expect(await db.keyRequests.insert(second)).toBe(false);
      await db.keyRequests.change(first.id, ['unconfirmed'], { status: 'refused', decidedAt: NOW });
      expect(await db.keyRequests.insert(second)).toBe(true);
      expect(await db.keyRequests.find(second.id)).toEqual(second);
      expect((await db.keyRequests.listByEmail(first.email, 10)).map(({ id }) => id)).toEqual([
        second.id,
        first.id,
      ]);
    });

    it('change from a given state only, for the first of many', async () => {
      const request = requestRow();
      await db.keyRequests.insert(request);
      const granted = {
        ratePerSecond: 2,
        burst: 4,
        dayQuota: null,
        maxReferrerFeeBps: 300,
        scopes: ['swap'] as const,
        days: 30,
      };
      const patch = { status: 'granted' as const, decidedAt: NOW, decidedBy: 'ops', granted };
      expect(await db.keyRequests.change(request.id, ['confirmed'], patch)).toBeNull();
      await db.keyRequests.change(request.id, ['unconfirmed'], { status: 'confirmed', confirmedAt: NOW });
      const all = await Promise.all(
        Array.from({ length: 10 }, () => db.keyRequests.change(request.id, ['confirmed'], patch)),
      );
      expect(all.filter((one) => one !== null)).toEqual([{ ...request, confirmedAt: NOW, ...patch }]);
      await db.keyRequests.change(request.id, ['granted'], { question: 'Why?', answer: null });
      expect((await db.keyRequests.find(request.id))?.question).toBe('Why?');
      expect(await db.keyRequests.change('nobody', ['confirmed'], patch)).toBeNull();
    });

    it('make room when they were never confirmed, and are forgotten in time', async () => {
      const old = requestRow({ createdAt: NOW - 20 * DAY_MS });
      await db.keyRequests.insert(old);
      await db.keyRequests.dropUnconfirmed(old.email, NOW - 30 * DAY_MS);
      expect(await db.keyRequests.find(old.id)).not.toBeNull();
      await db.keyRequests.dropUnconfirmed('somebody@else.example', NOW);
      expect(await db.keyRequests.find(old.id)).not.toBeNull();
      await db.keyRequests.dropUnconfirmed(old.email, NOW);
      expect(await db.keyRequests.find(old.id)).toBeNull();

      const stale = requestRow({ createdAt: NOW - 8 * DAY_MS });
      const refused = requestRow({ status: 'refused', decidedAt: NOW - 91 * DAY_MS });
      const old8 = { createdAt: NOW - 8 * DAY_MS };
      const unanswered = requestRow(old8);
      const answered = requestRow(old8);
      const kept = [
        answered,
        requestRow({ createdAt: NOW - 6 * DAY_MS }),
        requestRow({ status: 'confirmed', createdAt: NOW - 100 * DAY_MS }),
      ];
      for (const one of [stale, unanswered, ...kept]) await db.keyRequests.insert(one);
      const bounced = { status: 'bounced' } as const;
      await db.keyRequests.change(unanswered.id, ['unconfirmed'], bounced);
      await db.keyRequests.change(answered.id, ['unconfirmed'], { ...bounced, decidedAt: NOW - 8 * DAY_MS });
      await db.keyRequests.insert({ ...refused, status: 'confirmed' });
      await db.keyRequests.change(refused.id, ['confirmed'], {
        status: 'refused',
        decidedAt: refused.decidedAt,
      });
      await db.keyRequests.deleteOld({ unconfirmed: NOW - 7 * DAY_MS, refused: NOW - 90 * DAY_MS });
      expect(await db.keyRequests.find(stale.id)).toBeNull();
      expect(await db.keyRequests.find(unanswered.id)).toBeNull();
      expect(await db.keyRequests.find(refused.id)).toBeNull();
      for (const { id } of kept) expect(await db.keyRequests.find(id)).not.toBeNull();
      expect((await db.keyRequests.list('confirmed', 1_000)).map(({ id }) => id)).toContain(kept[2]?.id);
    });
  });

  describe('one-time links', () => {
    it('are used by one of many, not after their time, and forgotten later', async () => {
      serial += 1;
      const hash = new Uint8Array(32).fill(serial);
      const link = {
        hash,
        purpose: 'claim',
        subject: newId(),
        expiresAt: NOW + 1_000,
        usedAt: null,
      } as const;
      await db.links.insert(link);
      expect(await db.links.find(hash)).toEqual(link);
      const uses = await Promise.all(Array.from({ length: 20 }, () => db.links.use(hash, NOW)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect((await db.links.find(hash))?.usedAt).toBe(NOW);

      serial += 1;
      const late = new Uint8Array(32).fill(serial);
      await db.links.insert({ ...link, hash: late });
      expect(await db.links.use(late, NOW + 1_000)).toBe(false);
      serial += 1;
      const ended = new Uint8Array(32).fill(serial);
      await db.links.insert({ ...link, hash: ended });
      await db.links.end('rotate', link.subject, NOW);
      await db.links.end('claim', newId(), NOW);
      expect((await db.links.find(ended))?.expiresAt).toBe(NOW + 1_000);
      await db.links.end('claim', link.subject, NOW);
      expect(await db.links.use(ended, NOW)).toBe(false);
      // One that was used still says when.
      expect(await db.links.find(hash)).toMatchObject({ usedAt: NOW, expiresAt: NOW + 1_000 });
      expect(await db.links.find(new Uint8Array(32).fill(255))).toBeNull();
      await db.links.deleteExpired(NOW + 1_001);
      expect(await db.links.find(late)).toBeNull();
    });
  });

  describe('mails', () => {
    it('are taken by one of many, and again when their lease is over', async () => {
      const mail = mailRow();
      await db.mails.insert(mail);
      expect(await db.mails.find(mail.id)).toEqual(mail);
      const claims = await Promise.all(
        Array.from({ length: 10 }, () => db.mails.claim(mail.id, NOW, NOW + 1_000)),
      );
      expect(claims.filter((one) => one !== null)).toEqual([{ ...mail, attempts: 1, dueAt: NOW + 1_000 }]);
      expect(await db.mails.claim(mail.id, NOW + 999, NOW + 5_000)).toBeNull();
      expect((await db.mails.claim(mail.id, NOW + 1_000, NOW + 5_000))?.attempts).toBe(2);
      expect(await db.mails.due(NOW + 4_999, 1_000)).not.toContain(mail.id);
      expect(await db.mails.due(NOW + 5_000, 1_000)).toContain(mail.id);
      await db.mails.finish(mail.id, { status: 'sent', lastError: null, dueAt: NOW });
      expect(await db.mails.due(NOW + 5_000, 1_000)).not.toContain(mail.id);
      expect(await db.mails.claim(mail.id, NOW + 9_000, NOW + 9_999)).toBeNull();
      // What ended does not begin again.
      await db.mails.finish(mail.id, { status: 'waiting', lastError: 'x', dueAt: NOW });
      expect((await db.mails.find(mail.id))?.status).toBe('sent');
    });

    it('go in once, also at once, and the first stays', async () => {
      const mail = mailRow({ template: 'notice', args: {} });
      const other = { ...mail, to: 'other@example.org' };
      const taken = await Promise.all([db.mails.insert(mail), db.mails.insert(mail), db.mails.insert(mail)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await db.mails.insert(other)).toBe(false);
      expect(await db.mails.find(mail.id)).toEqual(mail);
    });

    it('tell the newest of a template to an address that does not wait', async () => {
      const to = `newest-${newId()}@example.org`;
      const one = (more: Partial<Mail>) => mailRow({ to, template: 'notice', args: {}, ...more });
      expect(await db.mails.newestTo(to, 'notice')).toBeNull();
      const sent = one({ status: 'sent', createdAt: NOW - 3 });
      const bounced = one({ status: 'bounced', createdAt: NOW - 2, lastError: '550' });
      const rows = [
        bounced,
        sent,
        one({ createdAt: NOW - 1 }),
        one({ template: 'notice-code', status: 'sent' }),
      ];
      for (const row of rows) await db.mails.insert(row);
      expect(await db.mails.newestTo(to, 'notice')).toEqual(bounced);
    });

    it('that were sent may come back, once', async () => {
      const mail = mailRow();
      await db.mails.insert(mail);
      expect(await db.mails.markBounced(mail.id, 'came back')).toBeNull();
      await db.mails.finish(mail.id, { status: 'sent', lastError: null, dueAt: NOW });
      const bounced = { status: 'bounced', lastError: 'came back' };
      expect(await db.mails.markBounced(mail.id, 'came back')).toMatchObject(bounced);
      expect(await db.mails.markBounced(mail.id, 'again')).toBeNull();
      expect(await db.mails.find(mail.id)).toMatchObject(bounced);
    });

    it('are counted by address and forgotten in time, unless they wait', async () => {
      const old = mailRow({ status: 'sent', createdAt: NOW - 100 * DAY_MS });
      const waiting = mailRow({ createdAt: NOW - 100 * DAY_MS });
      await db.mails.insert(old);
      await db.mails.insert(waiting);
      await db.mails.insert(mailRow({ to: old.to }));
      expect(await db.mails.countSince(old.to, 'claim', NOW - 1)).toBe(1);
      expect(await db.mails.countSince(old.to, 'claim', 0)).toBe(2);
      expect(await db.mails.countSince(old.to, 'login', 0)).toBe(0);
      await db.mails.deleteOld(NOW - 90 * DAY_MS);
      expect(await db.mails.find(old.id)).toBeNull();
      expect(await db.mails.find(waiting.id)).not.toBeNull();
      expect((await db.mails.list(1_000)).map(({ id }) => id)).toContain(waiting.id);
    });
  });

  describe('keys', () => {
    it('are found by address and replaced once, while they work', async () => {
      const key = keyRow();
      expect(await db.apiKeys.insert(PASSED, key)).toBe(true);
      expect(await db.apiKeys.insert(PASSED, key)).toBe(false);
      expect(await db.apiKeys.listByEmail(key.email ?? '')).toEqual([key]);
      const by = (id: string) =>
        db.apiKeys.replace(PASSED, key.id, { id, expiresAt: NOW + 7 * DAY_MS, now: NOW });
      const replaced = await Promise.all(['a', 'b', 'c'].map(by));
      expect(replaced.filter(Boolean)).toHaveLength(1);
      expect((await db.apiKeys.find(key.id))?.expiresAt).toBe(NOW + 7 * DAY_MS);

      const ending = keyRow({ expiresAt: NOW + DAY_MS });
      await db.apiKeys.insert(PASSED, ending);
      await db.apiKeys.replace(PASSED, ending.id, { id: 'd', expiresAt: NOW + 7 * DAY_MS, now: NOW });
      expect((await db.apiKeys.find(ending.id))?.expiresAt).toBe(NOW + DAY_MS);
      const dead = keyRow({ revokedAt: NOW - 1 });
      const ended = keyRow({ expiresAt: NOW });
      for (const one of [dead, ended]) {
        await db.apiKeys.insert(PASSED, one);
        expect(await db.apiKeys.replace(PASSED, one.id, { id: 'e', expiresAt: NOW + 1, now: NOW })).toBe(
          false,
        );
      }
    });

    it('commit together with the request that they are made of, or not at all', async () => {
      const request = requestRow({ status: 'confirmed' });
      const key = keyRow();
      await db.keyRequests.insert(request);
      await expect(
        db.transact(async (stores) => {
          await stores.apiKeys.insert(PASSED, key);
          await stores.keyRequests.change(request.id, ['confirmed'], { status: 'claimed', keyId: key.id });
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await db.apiKeys.find(key.id)).toBeNull();
      expect((await db.keyRequests.find(request.id))?.status).toBe('confirmed');
    });
  });
}
