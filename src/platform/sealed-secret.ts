import { randomBytes } from 'node:crypto';
import { AppError, isAppError } from '../core/errors/app-error.ts';
import type { SealedSecretStore } from './ports/sealed-secret-store.ts';

/** The needed part of a key-encryption key. */
type Kek = {
  readonly id: string;
  wrap(plain: Uint8Array, aad: Uint8Array): Promise<Uint8Array>;
  unwrap(box: Uint8Array, aad: Uint8Array): Promise<Uint8Array>;
};

export type SealedSecretDeps = {
  readonly keyring: { readonly current: Kek; find(id: string): Kek | null };
  readonly store: SealedSecretStore;
};

const BYTES = 32;

/**
 * A secret of the service itself: 32 random bytes, made once. The database holds them only wrapped by the key-encryption key, so
 * that a dump alone gives nothing away; any kind of key-encryption key will do, and the secret survives its rotation: one under
 * an older key is rewrapped under the current one here. Throws SECRET_UNREADABLE when its key is not on the ring,
 * KEK_UNAVAILABLE when the key's provider cannot be asked.
 */
export async function loadSealedSecret(
  { keyring, store }: SealedSecretDeps,
  name: string,
): Promise<Uint8Array> {
  const { current } = keyring;
  const known = await findSealedSecret({ keyring, store }, name);
  if (known !== null) return known;
  const fresh = randomBytes(BYTES);
  const wrapped = await current.wrap(fresh, aadOf(name, current.id));
  if (await store.insert({ name, kekId: current.id, wrapped })) return fresh;
  // Another process made one at the same time: there is one secret, and it is theirs.
  fresh.fill(0);
  const theirs = await findSealedSecret({ keyring, store }, name);
  if (theirs === null) throw unreadable(name);
  return theirs;
}

function aadOf(name: string, kekId: string): Uint8Array {
  return Buffer.from(`tradepost/1/${name}/${kekId}`, 'utf8');
}

/**
 * The same secret where it was made before, else null: for an operator's command, which makes none. One under an older key is
 * rewrapped under the current one here. Throws as `loadSealedSecret` does.
 */
export async function findSealedSecret(
  { keyring, store }: SealedSecretDeps,
  name: string,
): Promise<Uint8Array | null> {
  const { current } = keyring;
  const aad = (kekId: string): Uint8Array => aadOf(name, kekId);
  const row = await store.find(name);
  if (row === null) return null;
  const kek = keyring.find(row.kekId);
  if (kek === null) throw unreadable(name);
  let secret: Uint8Array;
  try {
    secret = await kek.unwrap(row.wrapped, aad(kek.id));
  } catch (error) {
    throw isAppError(error) ? error : unreadable(name, error);
  }
  if (secret.length !== BYTES) throw unreadable(name);
  if (kek.id !== current.id) {
    const wrapped = await current.wrap(secret, aad(current.id));
    await store.rewrap({ name, kekId: current.id, wrapped }, kek.id);
  }
  return secret;
}

function unreadable(name: string, cause?: unknown): AppError {
  return new AppError('SECRET_UNREADABLE', { walletId: name }, { cause });
}
