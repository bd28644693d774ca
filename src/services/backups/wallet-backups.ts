import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Vault } from '../../core/ports/vault.ts';
import { MOST_KEY_TEXT } from '../../core/wallets/backup-text.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { freeWalletName } from '../../core/wallets/wallet-name.ts';
import type { GuardDeps } from '../guard/deps.ts';
import { ownWallet } from '../wallets/own-wallet.ts';
import { walletLimit } from '../wallets/wallet-limit.ts';

export const PASSPHRASE_MIN = 12;
export const PASSPHRASE_MAX = 256;
/** As for wallets that were opened here: so many times the limit may be left behind deleted. */
const LIFETIME_FACTOR = 10;

export type BackupDeps = GuardDeps & {
  readonly vault: Pick<Vault, 'adopt' | 'authorizeExport' | 'export'>;
  readonly maxWallets: number;
};

/** Throws PASSPHRASE_UNSUITABLE unless it has 12 to 256 characters. */
export function assertPassphrase(passphrase: string): void {
  const { length } = Array.from(passphrase);
  if (length < PASSPHRASE_MIN || length > PASSPHRASE_MAX) {
    throw new AppError('PASSPHRASE_UNSUITABLE', { minLength: PASSPHRASE_MIN, maxLength: PASSPHRASE_MAX });
  }
}

/**
 * The first half of an export: the PIN was right. `proof` goes into the second half, so that no dialogue keeps a PIN: it is
 * good once, for this wallet and a quarter of an hour, and a PIN that changes meanwhile voids it. Throws what `verifyPin` throws, ACCOUNT_FROZEN,
 * WALLET_NOT_FOUND.
 */
export async function authorizeExport(
  deps: BackupDeps,
  input: { readonly userId: string; readonly walletId: string; readonly pin: string },
): Promise<{ readonly wallet: Wallet; readonly proof: string }> {
  const proof = await deps.vault.authorizeExport(input);
  return { wallet: await ownWallet(deps.db.wallets, input), proof };
}

/**
 * The wallet's key in an encrypted file: the only way a key leaves. Throws PASSPHRASE_UNSUITABLE, PIN_REQUIRED when the
 * proof is void, ACCOUNT_FROZEN, WALLET_NOT_FOUND, SECRET_UNREADABLE.
 */
export async function exportWallet(
  deps: BackupDeps,
  input: {
    readonly userId: string;
    readonly walletId: string;
    readonly proof: string;
    readonly passphrase: string;
  },
): Promise<{ readonly wallet: Wallet; readonly file: Uint8Array }> {
  assertPassphrase(input.passphrase);
  const { userId, walletId, proof, passphrase } = input;
  const wallet = await ownWallet(deps.db.wallets, input);
  return { wallet, file: await deps.vault.export({ userId, walletId, proof, passphrase }) };
}

/**
 * A wallet from a key that somebody brings; sealed before anything is stored, and counted like one that was opened here.
 * Throws KEY_UNREADABLE, BACKUP_UNREADABLE, WALLET_KNOWN, WALLET_LIMIT_REACHED, USER_NOT_FOUND.
 */
export async function importWallet(
  deps: BackupDeps,
  input: { readonly userId: string; readonly material: string; readonly passphrase: string | null },
): Promise<Wallet> {
  const { userId, material, passphrase } = input;
  if (material.length > MOST_KEY_TEXT) throw new AppError('KEY_UNREADABLE', {});
  const walletId = deps.ids.ulid();
  const secret = await deps.vault.adopt({ userId, walletId, material, passphrase });
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    if ((await stores.wallets.findByAddress(secret.publicKey)) !== null) {
      throw new AppError('WALLET_KNOWN', {});
    }
    const all = await stores.wallets.listByUser(userId, { deleted: true });
    const active = all.filter(({ deletedAt }) => deletedAt === null);
    const max = await walletLimit(stores.shop, deps.maxWallets, user.id);
    if (active.length >= max || all.length >= max * LIFETIME_FACTOR) {
      throw new AppError('WALLET_LIMIT_REACHED', { max });
    }
    const wallet: Wallet = {
      id: walletId,
      userId,
      name: freeWalletName(active.map(({ name }) => name)),
      address: secret.publicKey,
      createdAt: deps.clock.now(),
      deletedAt: null,
    };
    await stores.wallets.insert(wallet, secret);
    if (user.activeWalletId === null) await stores.users.update(userId, { activeWalletId: wallet.id });
    const details = { walletId, address: wallet.address };
    await stores.auditLog.record(ownAct(userId, wallet.createdAt, 'wallet-imported', details));
    return wallet;
  });
}
