import { describe, expect, it } from 'vitest';
import type { SealedSecret } from '../../src/platform/ports/sealed-secret-store.ts';
import { findSealedSecret, loadSealedSecret } from '../../src/platform/sealed-secret.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';

const [kek, former] = [localKek(new Uint8Array(32).fill(1)), localKek(new Uint8Array(32).fill(2))];
const ring = keyring(kek, [former]);

/** A store with the rows of a writer of the database. */
function storeOf(rows: SealedSecret[] = []) {
  return {
    rows,
    find: async (name: string) => rows.find((row) => row.name === name) ?? null,
    insert: async (row: SealedSecret) => rows.push(row) > 0,
    rewrap: async () => true,
  };
}

describe('a sealed secret', () => {
  it.each<[string, (own: SealedSecret, other: SealedSecret) => SealedSecret]>([
    ['the box of another name', (own, other) => ({ ...own, wrapped: other.wrapped })],
    ['another name', (own, other) => ({ ...other, name: own.name })],
    ['the id of another key', (own) => ({ ...own, kekId: former.id })],
    ['the id of no key', (own) => ({ ...own, kekId: 'none' })],
    [
      'a changed bit',
      ({ wrapped, ...own }) => ({ ...own, wrapped: wrapped.map((byte, at) => byte ^ Number(at === 20)) }),
    ],
    ['an empty box', (own) => ({ ...own, wrapped: new Uint8Array() })],
  ])('opens to nothing with %s, and is not made anew', async (_, forge) => {
    const store = storeOf();
    await loadSealedSecret({ keyring: ring, store }, 'confirmations');
    await loadSealedSecret({ keyring: ring, store }, 'pin-pepper');
    const [own, other] = store.rows;
    if (own === undefined || other === undefined) throw new Error('two rows');
    const forged = storeOf([forge(own, other)]);
    for (const open of [loadSealedSecret, findSealedSecret])
      await expect(open({ keyring: ring, store: forged }, own.name)).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
      });
    expect(forged.rows).toHaveLength(1);
  });
});
