import type { Wallet, WalletSecret } from '../../modules/wallets/rules/wallet.ts';

/** Keys on their way out, in an encrypted file only, and in. No method returns a key. */
export interface Backups {
  /**
   * The wallet's key in a file that only the passphrase opens, as `docs/backup-format.md` says. Throws SECRET_UNREADABLE,
   * KEK_UNAVAILABLE.
   */
  seal(wallet: Wallet, passphrase: string): Promise<Uint8Array>;
  /**
   * The sealed row of a key that a person brings: base58 or a JSON array of 64 or 32 bytes, or with a passphrase a backup file. Nothing is
   * stored. Throws KEY_UNREADABLE, BACKUP_UNREADABLE.
   */
  adopt(input: {
    readonly walletId: string;
    readonly userId: string;
    readonly material: string;
    readonly passphrase: string | null;
  }): Promise<WalletSecret>;
}
