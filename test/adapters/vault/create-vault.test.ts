import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVault } from '../../../src/adapters/vault/create-vault.ts';
import { openBox, sealBox } from '../../../src/adapters/vault/gcm-box.ts';
import { keyring } from '../../../src/adapters/vault/kek.ts';
import { localKek } from '../../../src/adapters/vault/local-kek.ts';
import { sealSeed, unsealSeed } from '../../../src/adapters/vault/seal.ts';
import { keyAddress, signingKey, signMessage } from '../../../src/adapters/vault/sign.ts';
import type { WalletSecret } from '../../../src/core/wallets/wallet.ts';
import { describeVault } from '../../conformance/vault.ts';

const kek = localKek(new Uint8Array(32).fill(5));
const ring = keyring(kek);

describeVault('createVault', () => {
  const secrets = new Map<string, WalletSecret>();
  return {
    secrets,
    vault: createVault({
      keyring: ring,
      secrets: { secret: async (walletId) => secrets.get(walletId) ?? null },
      venuePrograms: [],
    }),
  };
});

const seed = Buffer.alloc(32, 9);
const publicKey = keyAddress(signingKey(seed));
const seal = (walletId = 'wallet-1', userId: string | null = 'user-1') =>
  sealSeed(seed, { walletId, userId, publicKey }, kek);

describe('a sealed seed', () => {
  it('opens to what was sealed', async () => {
    expect(await unsealSeed(await seal(), ring)).toEqual(seed);
  });

  it('opens with no bit changed in any of its boxes', async () => {
    const row = await seal();
    for (const field of ['wrappedDek', 'sealedSeed'] as const) {
      for (let bit = 0; bit < row[field].length * 8; bit++) {
        const bytes = new Uint8Array(row[field]);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        await expect(unsealSeed({ ...row, [field]: bytes }, ring)).rejects.toMatchObject({
          code: 'SECRET_UNREADABLE',
        });
      }
    }
  });

  it('opens under no other name, owner, key or field than its own', async () => {
    const row = await seal();
    const other = await seal('wallet-2', 'user-2');
    const changes: Partial<WalletSecret>[] = [
      { walletId: 'wallet-2' },
      { userId: 'user-2' },
      { userId: null },
      { publicKey: keyAddress(signingKey(Buffer.alloc(32, 1))) },
      { kekId: 'local-unknown' },
      { wrappedDek: other.wrappedDek },
      { sealedSeed: other.sealedSeed },
      { wrappedDek: other.wrappedDek, sealedSeed: other.sealedSeed },
      { wrappedDek: row.sealedSeed, sealedSeed: row.wrappedDek },
      { wrappedDek: new Uint8Array() },
    ];
    for (const change of changes) {
      await expect(unsealSeed({ ...row, ...change }, ring)).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
      });
    }
  });

  it('cannot be confused by moving characters from one field to the next', async () => {
    const row = await sealSeed(seed, { walletId: 'bc', userId: 'a', publicKey }, kek);
    await expect(unsealSeed({ ...row, walletId: 'c', userId: 'ab' }, ring)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
  });

  it('opens with an older key of the ring, and not without it', async () => {
    const newer = localKek(new Uint8Array(32).fill(6));
    const row = await seal();
    expect(await unsealSeed(row, keyring(newer, [kek]))).toEqual(seed);
    await expect(unsealSeed(row, keyring(newer))).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    expect(() => keyring(kek, [kek])).toThrow(RangeError);
  });

  it('never repeats a ciphertext', async () => {
    const rows = await Promise.all(Array.from({ length: 50 }, () => seal()));
    expect(new Set(rows.map((row) => Buffer.from(row.sealedSeed).toString('hex'))).size).toBe(50);
  });
});

describe('a sealed box', () => {
  it('gives back any bytes under any additional data, and refuses a tag of 4 bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 80 }),
        fc.uint8Array({ maxLength: 40 }),
        (key, plain, aad) => {
          const box = sealBox(key, plain, aad);
          expect(new Uint8Array(openBox(key, box, aad))).toEqual(plain);
          // What an attacker would store: iv, ciphertext and a tag short enough to be guessed.
          expect(() => openBox(key, box.subarray(0, box.length - 12), aad)).toThrow();
          expect(() => openBox(key, box.subarray(0, 27), aad)).toThrow(RangeError);
        },
      ),
    );
  });
});

describe('the signer', () => {
  it('agrees with RFC 8032, test 1', () => {
    const key = signingKey(
      Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
    );
    expect(Buffer.from(signMessage(key, new Uint8Array())).toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    );
  });

  it('reaches no package and nothing but core and its own folder', () => {
    for (const file of [
      'create-vault',
      'seal',
      'sign',
      'gcm-box',
      'kek',
      'kek-file',
      'kek-env',
      'kek-vault-transit',
      'kek-aws-kms',
      'local-kek',
      'rewrap',
    ]) {
      const source = readFileSync(new URL(`../../../src/adapters/vault/${file}.ts`, import.meta.url), 'utf8');
      for (const [, specifier] of source.matchAll(/from '([^']+)'/g)) {
        expect(specifier).toMatch(
          /^(?:node:(?:crypto|fs\/promises|path)|\.\/[a-z-]+\.ts|\.\.\/\.\.\/core\/.+)$/,
        );
      }
    }
  });
});
