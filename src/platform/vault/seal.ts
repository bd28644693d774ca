import { randomBytes } from 'node:crypto';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { WalletSecret } from '../../modules/wallets/rules/wallet.ts';
import { openBox, sealBox } from '../gcm-box.ts';
import type { KeyEncryptionKey, Keyring } from './kek.ts';

type SealedFor = Pick<WalletSecret, 'walletId' | 'userId' | 'publicKey'>;

/**
 * Envelope encryption of a 32-byte seed: a fresh data key per wallet seals the seed, the key-encryption key wraps the data
 * key. Both layers are bound to the row's own columns, so that a database writer can neither swap rows nor fields: a
 * victim's key under the attacker's wallet does not open. The caller wipes `seed`.
 */
export async function sealSeed(
  seed: Uint8Array,
  owner: SealedFor,
  kek: KeyEncryptionKey,
): Promise<WalletSecret> {
  const dek = randomBytes(32);
  try {
    const sealedSeed = sealBox(dek, seed, seedAad(owner));
    const wrappedDek = await kek.wrap(dek, dekAad(owner, kek.id));
    return { ...owner, version: 1, kekId: kek.id, wrappedDek, sealedSeed };
  } finally {
    dek.fill(0);
  }
}

/**
 * The seed of a stored row, for the caller to wipe. Throws SECRET_UNREADABLE when anything in the row was changed or its
 * key-encryption key is not on the ring, KEK_UNAVAILABLE when the key's provider cannot be asked.
 */
export async function unsealSeed(secret: WalletSecret, keyring: Keyring): Promise<Buffer> {
  const unreadable = (cause?: unknown): AppError =>
    new AppError('SECRET_UNREADABLE', { walletId: secret.walletId }, { cause });
  const kek = keyring.find(secret.kekId);
  if (kek === null || secret.version !== 1) throw unreadable();
  let dek: Uint8Array | null = null;
  try {
    dek = await kek.unwrap(secret.wrappedDek, dekAad(secret, secret.kekId));
    return openBox(dek, secret.sealedSeed, seedAad(secret));
  } catch (error) {
    if (isAppError(error)) throw error;
    throw unreadable(error);
  } finally {
    dek?.fill(0);
  }
}

/** Without the key-encryption key's id: rotating it must not force every seed to be decrypted. */
function seedAad(owner: SealedFor): Uint8Array {
  return additionalData(['1', 'wallet-seed', owner.userId ?? '', owner.walletId, owner.publicKey]);
}

/** The data that binds a wrapped data key: the row, and the key that wraps it. */
export function dekAad(owner: SealedFor, kekId: string): Uint8Array {
  return additionalData(['1', 'dek', owner.userId ?? '', owner.walletId, owner.publicKey, kekId]);
}

/** Each field as two length bytes, big endian, and its text: no two lists of fields give the same bytes. */
function additionalData(fields: readonly string[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap((field) => {
      const text = Buffer.from(field);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(text.length);
      return [length, text];
    }),
  );
}
