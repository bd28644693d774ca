import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { rotateKek } from '../../../src/modules/operations/use/rotate-kek.ts';
import type { WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import type { SecretRotation } from '../../../src/platform/ports/operations.ts';
import { DESTINATION } from '../../engine/intents/build.ts';

const secretOf = (walletId: string, kekId = 'old'): WalletSecret => ({
  walletId,
  userId: null,
  publicKey: DESTINATION,
  version: 1,
  kekId,
  wrappedDek: new Uint8Array(60),
  sealedSeed: new Uint8Array(60),
});

/** Rows in memory; a change counts only where the row is still as it was read. */
function secretsOf(...walletIds: readonly string[]) {
  const rows = new Map(walletIds.map((id) => [id, secretOf(id)]));
  const store: SecretRotation = {
    countByKek: async () => [],
    notUnder: async (kekId, after, limit) =>
      [...rows.values()]
        .filter((row) => row.kekId !== kekId && row.walletId > after)
        .sort((a, b) => (a.walletId < b.walletId ? -1 : 1))
        .slice(0, limit),
    rewrap: async (changes) => {
      const open = changes.filter(({ from }) => rows.get(from.walletId) === from);
      for (const { to } of open) rows.set(to.walletId, to);
      return open.length;
    },
  };
  return { rows, store };
}

describe('a rotation', () => {
  it('leaves a row that no key opens as it was, names it, and moves every other', async () => {
    const { rows, store } = secretsOf('a', 'b', 'c', 'd', 'e');
    const bad = rows.get('c');
    const seen: number[] = [];
    const rotation = await rotateKek({
      secrets: store,
      currentKekId: 'new',
      batch: 2,
      rewrap: async (secret) => {
        if (secret.walletId === 'c') throw new AppError('SECRET_UNREADABLE', { walletId: 'c' });
        return { ...secret, kekId: 'new' };
      },
      onProgress: (count) => seen.push(count),
    });
    expect(rotation).toEqual({ rewrapped: 4, unreadable: ['c'] });
    expect(rows.get('c')).toBe(bad);
    expect([...rows.values()].map(({ kekId }) => kekId)).toEqual(['new', 'new', 'old', 'new', 'new']);
    expect(seen.at(-1)).toBe(4);
  });

  it('ends with the reason when a key cannot be asked, and keeps what it moved before', async () => {
    const { rows, store } = secretsOf('a', 'b', 'c');
    const refused = new AppError('KEK_UNAVAILABLE', { cause: 'the key service does not answer' });
    const rotation = rotateKek({
      secrets: store,
      currentKekId: 'new',
      batch: 1,
      rewrap: async (secret) => {
        if (secret.walletId === 'b') throw refused;
        return { ...secret, kekId: 'new' };
      },
      onProgress: () => undefined,
    });
    await expect(rotation).rejects.toBe(refused);
    expect([...rows.values()].map(({ kekId }) => kekId)).toEqual(['new', 'old', 'old']);
  });

  it('goes round again for wallets that were made under the older key meanwhile', async () => {
    const { rows, store } = secretsOf('m');
    const rotation = await rotateKek({
      secrets: store,
      currentKekId: 'new',
      rewrap: async (secret) => {
        // Sorts before the row of this pass.
        if (secret.walletId === 'm') rows.set('a', secretOf('a'));
        return { ...secret, kekId: 'new' };
      },
      onProgress: () => undefined,
    });
    expect(rotation).toEqual({ rewrapped: 2, unreadable: [] });
    expect(rows.get('a')?.kekId).toBe('new');
  });
});
