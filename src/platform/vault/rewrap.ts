import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { WalletSecret } from '../../modules/wallets/rules/wallet.ts';
import type { Keyring } from './kek.ts';
import { dekAad } from './seal.ts';

/**
 * The same secret with its data key under the ring's current key: the seed stays sealed and is not even read. A row that is
 * under the current key comes back as it is. Throws SECRET_UNREADABLE when the row's key is not on the ring or the row was
 * changed, KEK_UNAVAILABLE when a key cannot be asked.
 */
export async function rewrapSecret(secret: WalletSecret, keyring: Keyring): Promise<WalletSecret> {
  const { current } = keyring;
  if (secret.kekId === current.id) return secret;
  const unreadable = (cause?: unknown): AppError =>
    new AppError('SECRET_UNREADABLE', { walletId: secret.walletId }, { cause });
  const older = keyring.find(secret.kekId);
  if (older === null) throw unreadable();
  let dek: Uint8Array | null = null;
  try {
    dek = await older.unwrap(secret.wrappedDek, dekAad(secret, secret.kekId));
    return { ...secret, kekId: current.id, wrappedDek: await current.wrap(dek, dekAad(secret, current.id)) };
  } catch (error) {
    if (isAppError(error)) throw error;
    throw unreadable(error);
  } finally {
    dek?.fill(0);
  }
}
