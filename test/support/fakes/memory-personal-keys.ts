import type { KeyUse } from '../../../src/modules/personal-keys/rules/key-use.ts';
import type { PersonalKeyStore } from '../../../src/modules/personal-keys/store-port.ts';
import { byId, type MemoryAccess, requireRow } from './memory-state.ts';

const placeOf = ({ keyId, nonce }: Pick<KeyUse, 'keyId' | 'nonce'>): string => `${keyId} ${nonce}`;
const inOrder = (one: KeyUse, other: KeyUse): number =>
  one.at - other.at || (one.nonce < other.nonce ? -1 : 1);

export function memoryPersonalKeyStore({ read, write }: MemoryAccess): PersonalKeyStore {
  return {
    insert: (_passed, key) =>
      write((view) => {
        const { userId, publicKey } = key;
        const open = view.personalKeys.rows().filter(({ endedAt }) => endedAt === null);
        if (open.some((one) => one.userId === userId && one.publicKey === publicKey)) return false;
        requireRow(view.users, 'users', userId);
        requireRow(view.wallets, 'wallets', key.walletId);
        view.personalKeys.set(key.id, key);
        return true;
      }),
    find: (id) => read((view) => view.personalKeys.get(id) ?? null),
    listByUser: (userId) =>
      read((view) =>
        view.personalKeys
          .rows()
          .filter((key) => key.userId === userId && key.endedAt === null)
          .sort(byId),
      ),
    end: (_passed, { id, userId }, at) =>
      write((view) => {
        const key = view.personalKeys.get(id);
        if (key === undefined || key.userId !== userId || key.endedAt !== null) return false;
        view.personalKeys.set(id, { ...key, endedAt: at });
        return true;
      }),
    endedSince: (since) =>
      read((view) =>
        view.personalKeys
          .rows()
          .filter(({ endedAt }) => endedAt !== null && endedAt >= since)
          .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0) || byId(a, b))
          .map(({ id }) => id),
      ),
    endAll: (_passed, userId, at) =>
      write((view) => {
        const open = view.personalKeys.rows().filter((key) => key.userId === userId && key.endedAt === null);
        for (const key of open) view.personalKeys.set(key.id, { ...key, endedAt: at });
        return open.length;
      }),
    takeNonce: ({ keyId, nonce, until }) =>
      write((view) => {
        const place = placeOf({ keyId, nonce });
        if (view.personalKeyNonces.get(place) !== undefined) return false;
        requireRow(view.personalKeys, 'personal_keys', keyId);
        view.personalKeyNonces.set(place, { keyId, nonce, until });
        return true;
      }),
    addUse: (use) =>
      write((view) => {
        if (view.personalKeyUses.get(placeOf(use)) !== undefined) return false;
        requireRow(view.personalKeys, 'personal_keys', use.keyId);
        view.personalKeyUses.set(placeOf(use), use);
        return true;
      }),
    findUse: (keyId, nonce) => read((view) => view.personalKeyUses.get(placeOf({ keyId, nonce })) ?? null),
    uses: (keyId, since) =>
      read((view) =>
        view.personalKeyUses
          .rows()
          .filter((use) => use.keyId === keyId && use.at > since)
          .sort(inOrder),
      ),
    lockUntold: (limit) =>
      read((view) =>
        view.personalKeyUses
          .rows()
          .filter(({ toldAt }) => toldAt === null)
          .sort(inOrder)
          .slice(0, limit),
      ),
    saveTold: (uses, at) =>
      write((view) => {
        for (const use of uses) {
          const known = view.personalKeyUses.get(placeOf(use));
          if (known !== undefined) view.personalKeyUses.set(placeOf(use), { ...known, toldAt: at });
        }
      }),
  };
}
