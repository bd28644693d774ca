import { AppError } from '../../core/errors/app-error.ts';
import type { Wallet, WalletSecret } from '../../modules/wallets/rules/wallet.ts';
import type { WalletStore } from '../../modules/wallets/store/wallet-store-port.ts';
import type { Keyring } from './kek.ts';
import { sealSeed, unsealSeed } from './seal.ts';
import { seedAddress } from './seed-signer.ts';

/** Seeds on their way into and out of the sealed rows, for backups. The buffer is wiped when `use` has ended. */
export type KeyTransfer = {
  /** Throws SECRET_UNREADABLE when the row is not this wallet's or was changed. */
  withSeed<T>(
    wallet: Pick<Wallet, 'id' | 'userId' | 'address'>,
    use: (seed: Uint8Array) => Promise<T>,
  ): Promise<T>;
  /** The sealed row of a 32-byte seed, under the current key-encryption key. The caller wipes `seed`. */
  seal(
    seed: Uint8Array,
    owner: { readonly walletId: string; readonly userId: string },
  ): Promise<WalletSecret>;
};

export function createKeyTransfer(deps: {
  readonly keyring: Keyring;
  readonly secrets: Pick<WalletStore, 'secret'>;
}): KeyTransfer {
  return {
    withSeed: async (wallet, use) => {
      const secret = await deps.secrets.secret(wallet.id);
      const unreadable = new AppError('SECRET_UNREADABLE', { walletId: wallet.id });
      if (secret === null || secret.walletId !== wallet.id || secret.userId !== wallet.userId)
        throw unreadable;
      const seed = await unsealSeed(secret, deps.keyring);
      try {
        if (seed.length !== 32 || seedAddress(seed) !== wallet.address) throw unreadable;
        return await use(seed);
      } finally {
        seed.fill(0);
      }
    },
    seal: (seed, owner) => sealSeed(seed, { ...owner, publicKey: seedAddress(seed) }, deps.keyring.current),
  };
}
