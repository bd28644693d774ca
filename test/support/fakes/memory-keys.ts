import type { ApiKeyStore } from '../../../src/modules/keys/store/api-key-store-port.ts';
import type { KeyRequestStore } from '../../../src/modules/keys/store/key-request-store-port.ts';
import type { OneTimeLinkStore } from '../../../src/modules/keys/store/one-time-link-store-port.ts';
import type { Mail, MailStore } from '../../../src/modules/mail/store-port.ts';
import { insertRow, type MemoryAccess } from './memory-state.ts';

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
const newestFirst = (a: { readonly createdAt: number }, b: { readonly createdAt: number }): number =>
  b.createdAt - a.createdAt;

export function memoryApiKeyStore({ read, write }: MemoryAccess): ApiKeyStore {
  return {
    find: (id) => read((view) => view.apiKeys.get(id) ?? null),
    insert: (_passed, key) =>
      write((view) => {
        if (view.apiKeys.get(key.id) !== undefined) return false;
        view.apiKeys.set(key.id, key);
        return true;
      }),
    list: () => read((view) => view.apiKeys.rows().toSorted(newestFirst)),
    listByEmail: (email) =>
      read((view) =>
        view.apiKeys
          .rows()
          .filter((key) => key.email === email)
          .toSorted(newestFirst),
      ),
    replace: (_passed, id, { id: replacedBy, expiresAt, now }) =>
      write((view) => {
        const key = view.apiKeys.get(id);
        if (key === undefined || key.replacedBy !== null || key.revokedAt !== null) return false;
        if (key.expiresAt !== null && key.expiresAt <= now) return false;
        view.apiKeys.set(id, {
          ...key,
          replacedBy,
          expiresAt: Math.min(key.expiresAt ?? expiresAt, expiresAt),
        });
        return true;
      }),
    revoke: (_passed, id, at) =>
      write((view) => {
        const key = view.apiKeys.get(id);
        if (key === undefined || key.revokedAt !== null) return false;
        if (key.expiresAt !== null && key.expiresAt <= at) return false;
        view.apiKeys.set(id, { ...key, revokedAt: at });
        return true;
      }),
  };
}

export function memoryKeyRequestStore({ read, write }: MemoryAccess): KeyRequestStore {
  const open = ['unconfirmed', 'confirmed'];
  return {
    insert: (request) =>
      write((view) => {
        const taken = view.keyRequests
          .rows()
          .some(({ email, status }) => email === request.email && open.includes(status));
        if (!taken) insertRow(view.keyRequests, 'api_key_requests', request.id, request);
        return !taken;
      }),
    find: (id) => read((view) => view.keyRequests.get(id) ?? null),
    change: (id, from, patch, asked) =>
      write((view) => {
        const request = view.keyRequests.get(id);
        if (request === undefined || !from.includes(request.status)) return null;
        if (asked !== undefined && (request.question !== asked.question || request.answer !== null))
          return null;
        const changed = structuredClone({ ...request, ...patch });
        view.keyRequests.set(id, changed);
        return changed;
      }),
    list: (status, limit) =>
      read((view) =>
        view.keyRequests
          .rows()
          .filter((request) => request.status === status)
          .toSorted((a, b) => a.createdAt - b.createdAt)
          .slice(0, limit),
      ),
    listByEmail: (email, limit) =>
      read((view) =>
        view.keyRequests
          .rows()
          .filter((request) => request.email === email)
          .toSorted(newestFirst)
          .slice(0, limit),
      ),
    dropUnconfirmed: (email, before) =>
      write((view) => {
        for (const request of view.keyRequests.rows()) {
          const isOld = request.status === 'unconfirmed' && request.createdAt < before;
          if (isOld && request.email === email) view.keyRequests.delete(request.id);
        }
      }),
    deleteOld: ({ unconfirmed, refused }) =>
      write((view) => {
        const old = view.keyRequests
          .rows()
          .filter(({ status, createdAt, decidedAt }) =>
            status === 'refused' || (status === 'bounced' && decidedAt !== null)
              ? (decidedAt ?? 0) < refused
              : ['unconfirmed', 'bounced'].includes(status) && createdAt < unconfirmed,
          );
        for (const { id } of old) view.keyRequests.delete(id);
        return old.length;
      }),
  };
}

export function memoryOneTimeLinkStore({ read, write }: MemoryAccess): OneTimeLinkStore {
  return {
    insert: (link) => write((view) => insertRow(view.links, 'one_time_links', hex(link.hash), link)),
    find: (hash) => read((view) => view.links.get(hex(hash)) ?? null),
    use: (hash, at) =>
      write((view) => {
        const link = view.links.get(hex(hash));
        if (link === undefined || link.usedAt !== null || link.expiresAt <= at) return false;
        view.links.set(hex(hash), { ...link, usedAt: at });
        return true;
      }),
    end: (purpose, subject, at) =>
      write((view) => {
        for (const link of view.links.rows()) {
          const isLive = link.usedAt === null && link.expiresAt > at;
          if (isLive && link.purpose === purpose && link.subject === subject)
            view.links.set(hex(link.hash), { ...link, expiresAt: at });
        }
      }),
    deleteExpired: (before) =>
      write((view) => {
        const old = view.links.rows().filter(({ expiresAt }) => expiresAt < before);
        for (const { hash } of old) view.links.delete(hex(hash));
        return old.length;
      }),
  };
}

export function memoryMailStore({ read, write }: MemoryAccess): MailStore {
  return {
    insert: (mail) =>
      write((view) => {
        if (view.mails.get(mail.id) !== undefined) return false;
        insertRow(view.mails, 'mails', mail.id, structuredClone(mail));
        return true;
      }),
    find: (id) => read((view) => view.mails.get(id) ?? null),
    claim: (id, now, leaseUntil) =>
      write((view) => {
        const mail = view.mails.get(id);
        if (mail === undefined || mail.status !== 'waiting' || mail.dueAt > now) return null;
        const claimed = { ...mail, attempts: mail.attempts + 1, dueAt: leaseUntil };
        view.mails.set(id, claimed);
        return claimed;
      }),
    finish: (id, end) =>
      write((view) => {
        const mail = view.mails.get(id);
        if (mail?.status === 'waiting') view.mails.set(id, { ...mail, ...end });
      }),
    markBounced: (id, lastError) =>
      write((view) => {
        const mail = view.mails.get(id);
        if (mail?.status !== 'sent') return null;
        const bounced: Mail = { ...mail, status: 'bounced', lastError };
        view.mails.set(id, bounced);
        return bounced;
      }),
    due: (now, limit) =>
      read((view) =>
        view.mails
          .rows()
          .filter(({ status, dueAt }) => status === 'waiting' && dueAt <= now)
          .toSorted((a, b) => a.dueAt - b.dueAt)
          .slice(0, limit)
          .map(({ id }) => id),
      ),
    newestTo: (to, template) =>
      read(
        (view) =>
          view.mails
            .rows()
            .filter((mail) => mail.to === to && mail.template === template && mail.status !== 'waiting')
            .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))[0] ?? null,
      ),
    countSince: (to, template, since) =>
      read(
        (view) =>
          view.mails
            .rows()
            .filter((mail) => mail.to === to && mail.template === template && mail.createdAt >= since).length,
      ),
    list: (limit) => read((view) => view.mails.rows().toSorted(newestFirst).slice(0, limit)),
    deleteOld: (before) =>
      write((view) => {
        const old = view.mails
          .rows()
          .filter(({ status, createdAt }) => status !== 'waiting' && createdAt < before);
        for (const { id } of old) view.mails.delete(id);
        return old.length;
      }),
  };
}
