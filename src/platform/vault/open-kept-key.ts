import { hasCode } from '../../core/errors/app-error.ts';
import type { KeyEntry } from '../../engine/signing/rules/record.ts';
import type { WalletSecret } from '../../modules/wallets/rules/wallet.ts';
import type { Keyring } from './kek.ts';
import { sealSeed, unsealSeed } from './seal.ts';
import { seedAddress } from './seed-signer.ts';

/**
 * A line of the keybook as a row of this person under the ring's current key, proved by opening it. Null when no key of the ring opens
 * it, or the key inside is of another address. Throws KEK_UNAVAILABLE.
 */
export async function openKeptKey(
  line: KeyEntry,
  userId: string,
  keyring: Keyring,
): Promise<WalletSecret | null> {
  const { walletId, publicKey, version, kekId } = line;
  const secret: WalletSecret = {
    walletId,
    userId: line.userId,
    publicKey,
    version,
    kekId,
    wrappedDek: Buffer.from(line.wrappedDek, 'base64'),
    sealedSeed: Buffer.from(line.sealedSeed, 'base64'),
  };
  let seed: Buffer | null = null;
  try {
    seed = await unsealSeed(secret, keyring);
    if (seed.length !== 32 || seedAddress(seed) !== publicKey) return null;
    return await sealSeed(seed, { walletId, userId, publicKey }, keyring.current);
  } catch (error) {
    if (hasCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  } finally {
    seed?.fill(0);
  }
}
