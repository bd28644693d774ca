import type { Wallet, WalletSecret } from '../../modules/wallets/rules/wallet.ts';
import type { Backups } from '../ports/backups.ts';
import { type BackupCost, openBackup, sealBackup } from './backup-file.ts';
import { readKey } from './read-key.ts';

/** The vault's door for backups: seeds live in buffers that it wipes. */
type Keys = {
  withSeed<T>(wallet: Wallet, use: (seed: Uint8Array) => Promise<T>): Promise<T>;
  seal(
    seed: Uint8Array,
    owner: { readonly walletId: string; readonly userId: string },
  ): Promise<WalletSecret>;
};

/** `cost` is for tests; absent means the format's own. */
export function createBackups(deps: { readonly keys: Keys; readonly cost?: BackupCost }): Backups {
  return {
    seal: (wallet, passphrase) =>
      deps.keys.withSeed(wallet, (seed) => sealBackup(seed, passphrase, deps.cost)),
    adopt: async ({ walletId, userId, material, passphrase }) => {
      const seed = passphrase === null ? readKey(material) : (await openBackup(material, passphrase)).seed;
      try {
        return await deps.keys.seal(seed, { walletId, userId });
      } finally {
        seed.fill(0);
      }
    },
  };
}
