import type { CreatedToken } from '../../../src/modules/mint/rules/created-token.ts';
import type { CreatedTokenStore } from '../../../src/modules/mint/store/created-token-store-port.ts';
import { insertRow, type MemoryAccess, requireRow } from './memory-state.ts';

export function memoryCreatedTokenStore({ read, write }: MemoryAccess): CreatedTokenStore {
  const newest = (matches: (token: CreatedToken) => boolean, limit: number) =>
    read((view) =>
      view.createdTokens
        .rows()
        .filter(matches)
        .sort((a, b) => b.createdAt - a.createdAt || (a.mint < b.mint ? -1 : 1))
        .slice(0, limit),
    );
  return {
    insert: (token) =>
      write((view) => {
        const taken = view.createdTokens
          .rows()
          .some(
            (other) =>
              other.mint === token.mint ||
              other.intentId === token.intentId ||
              other.signature === token.signature,
          );
        if (taken) return false;
        requireRow(view.users, 'users', token.userId);
        requireRow(view.wallets, 'wallets', token.walletId);
        requireRow(view.intents, 'intents', token.intentId);
        insertRow(view.createdTokens, 'created_tokens', token.mint, { ...token });
        return true;
      }),
    find: (mint) => read((view) => view.createdTokens.get(mint) ?? null),
    findAll: (mints) =>
      read((view) => view.createdTokens.rows().filter((token) => mints.includes(token.mint))),
    findByIntent: (intentId) =>
      read((view) => view.createdTokens.rows().find((token) => token.intentId === intentId) ?? null),
    listByUser: (userId, limit) => newest((token) => token.userId === userId, limit),
    listByCreator: (creator, limit) => newest((token) => token.creator === creator, limit),
    markRevoked: (mint, authority, revocation) =>
      write((view) => {
        const token = view.createdTokens.get(mint);
        if (token === undefined || token.revocations[authority] !== undefined) return false;
        view.createdTokens.set(mint, {
          ...token,
          revocations: { ...token.revocations, [authority]: { ...revocation } },
        });
        return true;
      }),
  };
}
