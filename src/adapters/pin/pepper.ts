import { randomBytes } from 'node:crypto';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { SealedSecretStore } from '../../core/ports/sealed-secret-store.ts';

/** What is needed of a key-encryption key. */
type Kek = {
  readonly id: string;
  wrap(plain: Uint8Array, aad: Uint8Array): Promise<Uint8Array>;
  unwrap(box: Uint8Array, aad: Uint8Array): Promise<Uint8Array>;
};

export type PepperDeps = {
  readonly keyring: { readonly current: Kek; find(id: string): Kek | null };
  readonly store: SealedSecretStore;
};

const NAME = 'pin-pepper';
const BYTES = 32;

const aad = (kekId: string): Uint8Array => Buffer.from(`tradepost/1/${NAME}/${kekId}`, 'utf8');

/**
 * The pepper of all PINs: 32 random bytes, made once. The database holds them only wrapped by the key-encryption key, so
 * that a dump alone cannot try the million PINs; any kind of key-encryption key will do, and PINs survive its rotation:
 * a pepper under an older key is rewrapped under the current one here. Throws SECRET_UNREADABLE when its key is not on
 * the ring, KEK_UNAVAILABLE when the key's provider cannot be asked.
 */
export async function loadPepper({ keyring, store }: PepperDeps): Promise<Uint8Array> {
  const { current } = keyring;
  let row = await store.find(NAME);
  if (row === null) {
    const fresh = randomBytes(BYTES);
    const wrapped = await current.wrap(fresh, aad(current.id));
    if (await store.insert({ name: NAME, kekId: current.id, wrapped })) return fresh;
    // Another process made one at the same time: there is one pepper, and it is theirs.
    fresh.fill(0);
    row = await store.find(NAME);
  }
  const kek = row === null ? null : keyring.find(row.kekId);
  if (row === null || kek === null) throw unreadable();
  let pepper: Uint8Array;
  try {
    pepper = await kek.unwrap(row.wrapped, aad(kek.id));
  } catch (error) {
    throw isAppError(error) ? error : unreadable(error);
  }
  if (pepper.length !== BYTES) throw unreadable();
  if (kek.id !== current.id) {
    const wrapped = await current.wrap(pepper, aad(current.id));
    await store.rewrap({ name: NAME, kekId: current.id, wrapped }, kek.id);
  }
  return pepper;
}

function unreadable(cause?: unknown): AppError {
  return new AppError('SECRET_UNREADABLE', { walletId: NAME }, { cause });
}
