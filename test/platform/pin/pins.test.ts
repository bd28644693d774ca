import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createArgon2Pins } from '../../../src/platform/pin/argon2-pins.ts';
import { loadPepper } from '../../../src/platform/pin/pepper.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const PIN = '739154';

describe('PINs', () => {
  it('take the right PIN of the right person under the right pepper, and nothing else', async () => {
    const pepper = randomBytes(32);
    const pins = createArgon2Pins({ pepper });
    const hash = await pins.hash(PIN, 'ann');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hash).not.toContain(PIN);
    expect(await pins.hash(PIN, 'ann')).not.toBe(hash);
    expect(await pins.verify(hash, PIN, 'ann')).toBe(true);
    expect(await pins.verify(hash, '739155', 'ann')).toBe(false);
    // Somebody who writes the database copies their own hash into a victim's row.
    expect(await pins.verify(hash, PIN, 'bob')).toBe(false);
    expect(await createArgon2Pins({ pepper: randomBytes(32) }).verify(hash, PIN, 'ann')).toBe(false);
    expect(await pins.verify('', PIN, 'ann')).toBe(false);
    expect(await pins.verify('$argon2id$broken', PIN, 'ann')).toBe(false);
  });
});

describe('the pepper', () => {
  it('is made once, also by processes that start together, and stored only wrapped', async () => {
    const store = fakeDatabase().sealedSecrets;
    const ring = keyring(localKek(randomBytes(32)));
    const peppers = await Promise.all(Array.from({ length: 8 }, () => loadPepper({ keyring: ring, store })));
    const [first = new Uint8Array()] = peppers;
    for (const pepper of peppers) expect(Buffer.from(pepper).equals(first)).toBe(true);
    const row = await store.find('pin-pepper');
    expect(Buffer.from(row?.wrapped ?? []).includes(Buffer.from(first))).toBe(false);
  });

  it('moves to a new key-encryption key while the old one is on the ring, and needs the old one no more', async () => {
    const store = fakeDatabase().sealedSecrets;
    const [old, fresh] = [localKek(randomBytes(32)), localKek(randomBytes(32))];
    const pepper = await loadPepper({ keyring: keyring(old), store });
    await expect(loadPepper({ keyring: keyring(fresh), store })).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
    const moved = await loadPepper({ keyring: keyring(fresh, [old]), store });
    const later = await loadPepper({ keyring: keyring(fresh), store });
    expect(Buffer.from(moved).equals(pepper)).toBe(true);
    expect(Buffer.from(later).equals(pepper)).toBe(true);
    await expect(loadPepper({ keyring: keyring(old), store })).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
  });
});
