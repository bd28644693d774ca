import type * as crypto from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { createKeyTransfer } from '../../../src/platform/vault/key-transfer.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';
import { rewrapSecret } from '../../../src/platform/vault/rewrap.ts';
import { withdrawal } from '../../conformance/key-holder.ts';
import { buildIntent, TREASURY } from '../../engine/intents/build.ts';

/** Every buffer that cryptography or joining handed out, and the random bytes that made keys, as they were then. */
const seen = vi.hoisted(() => ({ buffers: [] as Buffer[], secrets: [] as Buffer[] }));

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return {
    ...real,
    randomBytes: (size: number) => {
      const bytes = real.randomBytes(size);
      seen.buffers.push(bytes);
      if (size === 32) seen.secrets.push(Buffer.from(bytes));
      return bytes;
    },
    createDecipheriv: (...args: Parameters<typeof real.createDecipheriv>) => {
      const decipher = real.createDecipheriv(...args);
      const update = decipher.update.bind(decipher);
      return Object.assign(decipher, {
        update: (data: Uint8Array) => {
          const plain = update(data);
          seen.buffers.push(plain);
          return plain;
        },
      });
    },
  };
});

/** The secrets among the buffers that the vault's code has let go of. */
function leftovers(): readonly string[] {
  return seen.secrets.flatMap((secret) =>
    seen.buffers.filter((buffer) => buffer.includes(secret)).map((buffer) => `${buffer.length} bytes`),
  );
}

function watch(): void {
  vi.restoreAllMocks();
  const join = Buffer.concat.bind(Buffer);
  vi.spyOn(Buffer, 'concat').mockImplementation((...args) => {
    const joined = join(...args);
    seen.buffers.push(joined);
    return joined;
  });
  seen.buffers.length = 0;
  seen.secrets.length = 0;
}
afterEach(() => {
  vi.restoreAllMocks();
});

const [old, fresh] = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)];

describe('seeds and data keys', () => {
  it('are wiped from every buffer once a wallet is made, signed for, moved to another key and backed up', async () => {
    watch();
    const ring = keyring(localKek(old));
    const make = (row: () => Promise<Awaited<ReturnType<typeof rewrapSecret>> | null>) =>
      createVault({ keyring: ring, secrets: { secret: row }, venuePrograms: [] });
    const secret = await make(async () => null).create({ walletId: 'wallet-1', userId: 'user-1' });
    expect(seen.secrets).toHaveLength(2);
    expect(leftovers()).toEqual([]);

    const wallet = { id: 'wallet-1', userId: 'user-1', address: secret.publicKey };
    const message = withdrawal(secret.publicKey);
    await make(async () => secret).sign({ intent: buildIntent(), wallet, message, treasury: TREASURY });
    expect(leftovers()).toEqual([]);

    await rewrapSecret(secret, keyring(localKek(fresh), [localKek(old)]));
    expect(leftovers()).toEqual([]);

    const transfer = createKeyTransfer({ keyring: ring, secrets: { secret: async () => secret } });
    const whole = {
      ...wallet,
      name: 'Main',
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    };
    const found = await transfer.withSeed(whole, async (seed) =>
      seen.secrets.some((known) => known.equals(seed)),
    );
    expect(found).toBe(true);
    expect(leftovers()).toEqual([]);
  });

  it('are wiped when a seal, an opening or a signature fails half-way', async () => {
    watch();
    const refusing = { ...localKek(old), wrap: () => Promise.reject(new Error('no')) };
    const vault = createVault({
      keyring: keyring(refusing),
      secrets: { secret: async () => null },
      venuePrograms: [],
    });
    await expect(vault.create({ walletId: 'wallet-1', userId: null })).rejects.toThrow('no');
    expect(seen.secrets).toHaveLength(2);
    expect(leftovers()).toEqual([]);
  });

  it('are wiped once a mint has its key', () => {
    watch();
    const key = createMintKeys().generate();
    key.sign(new Uint8Array([1]));
    expect(seen.secrets).toHaveLength(1);
    expect(leftovers()).toEqual([]);
  });
});
