import { NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import type { CreatedToken } from '../../src/modules/mint/rules/created-token.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { intentRow, NOW, newId, storedPerson, walletRow } from './store-rows.ts';

/** The rules of the store that remembers created tokens. */
export function describeTokenStore(database: () => Database): void {
  const stored = async (db: Database, change: Partial<CreatedToken> = {}) => {
    const { user, wallet } = await storedPerson(db);
    const { intent } = await db.intents.insert(intentRow(wallet));
    const token: CreatedToken = {
      mint: walletRow().address,
      userId: user.id,
      walletId: wallet.id,
      creator: wallet.address,
      intentId: intent.id,
      signature: `signature-${newId()}`,
      spec: {
        program: 'token2022',
        name: 'Puppy “ü” 😀',
        symbol: 'PUP',
        decimals: 9,
        supply: 18_446_744_073_709_551_615n,
        mintTo: wallet.address,
        mintAuthority: true,
        freezeAuthority: false,
        updateAuthority: true,
        extensions: {
          ...NO_SPEC_EXTENSIONS,
          transferFee: {
            configAuthority: wallet.address,
            withdrawalAuthority: wallet.address,
            bps: 100,
            maximum: 2n ** 64n - 1n,
          },
        },
      },
      way: 'native',
      uri: 'https://desk.example/metadata/x.json',
      metadataHash: 'ab'.repeat(32),
      createdAt: NOW,
      revocations: { freeze: { signature: 'S', at: NOW } },
      ...change,
    };
    return { token, user, wallet };
  };

  describe('created tokens', () => {
    it('are kept whole, once per mint, intent and signature', async () => {
      const db = database();
      const { token } = await stored(db);
      expect(await db.createdTokens.find(token.mint)).toBeNull();
      expect(await db.createdTokens.insert(token)).toBe(true);
      expect(await db.createdTokens.insert(token)).toBe(false);
      const { token: other } = await stored(db);
      expect(await db.createdTokens.insert({ ...other, intentId: token.intentId })).toBe(false);
      expect(await db.createdTokens.insert({ ...other, signature: token.signature })).toBe(false);
      expect(await db.createdTokens.find(token.mint)).toEqual(token);
      expect(await db.createdTokens.findByIntent(token.intentId)).toEqual(token);
      expect(await db.createdTokens.findByIntent(newId())).toBeNull();
    });

    it('are listed newest first, by person and by creating wallet', async () => {
      const db = database();
      const { token: first, wallet } = await stored(db);
      const { intent } = await db.intents.insert(intentRow(wallet));
      const second = {
        ...first,
        mint: walletRow().address,
        intentId: intent.id,
        signature: `signature-${newId()}`,
        createdAt: NOW + 1,
        metadataHash: null,
      };
      await db.createdTokens.insert(first);
      await db.createdTokens.insert(second);
      expect(await db.createdTokens.listByUser(first.userId, 10)).toEqual([second, first]);
      expect(await db.createdTokens.listByCreator(first.creator, 1)).toEqual([second]);
      expect(await db.createdTokens.listByUser(newId(), 10)).toEqual([]);
      expect(await db.createdTokens.findAll([first.mint, walletRow().address])).toEqual([first]);
      expect(await db.createdTokens.findAll([])).toEqual([]);
    });

    it('lose an authority once: the first proof stands', async () => {
      const db = database();
      const { token } = await stored(db);
      const proof = { signature: 'A', at: NOW + 5 };
      expect(await db.createdTokens.markRevoked(token.mint, 'mint', proof)).toBe(false);
      await db.createdTokens.insert(token);
      expect(await db.createdTokens.markRevoked(token.mint, 'mint', proof)).toBe(true);
      expect(await db.createdTokens.markRevoked(token.mint, 'mint', { signature: 'B', at: 1 })).toBe(false);
      expect(await db.createdTokens.markRevoked(token.mint, 'freeze', proof)).toBe(false);
      expect((await db.createdTokens.find(token.mint))?.revocations).toEqual({
        ...token.revocations,
        mint: proof,
      });
    });

    it('need their person, wallet and intent', async () => {
      const db = database();
      const { token } = await stored(db);
      await expect(db.createdTokens.insert({ ...token, intentId: newId() })).rejects.toThrow();
      await expect(db.createdTokens.insert({ ...token, userId: newId() })).rejects.toThrow();
    });
  });
}
