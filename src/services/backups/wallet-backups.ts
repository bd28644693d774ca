import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { assertNotFrozen } from '../../core/guard/freeze.ts';
import type { Backups } from '../../core/ports/backups.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { freeWalletName } from '../../core/wallets/wallet-name.ts';
import type { GuardDeps } from '../guard/deps.ts';
import { verifyPin } from '../guard/verify-pin.ts';
import { ownWallet } from '../wallets/own-wallet.ts';
import { walletLimit } from '../wallets/wallet-limit.ts';

export const PASSPHRASE_MIN = 12;
export const PASSPHRASE_MAX = 256;
/** As for wallets that were opened here: so many times the limit may be left behind deleted. */
const LIFETIME_FACTOR = 10;

export type BackupDeps = GuardDeps & { readonly backups: Backups; readonly maxWallets: number };

/** Throws PASSPHRASE_UNSUITABLE unless it has 12 to 256 characters. */
export function assertPassphrase(passphrase: string): void {
  const { length } = Array.from(passphrase);
  if (length < PASSPHRASE_MIN || length > PASSPHRASE_MAX) {
    throw new AppError('PASSPHRASE_UNSUITABLE', { minLength: PASSPHRASE_MIN, maxLength: PASSPHRASE_MAX });
  }
}

/**
 * The first half of an export: the PIN was right. `proof` goes into the second half, so that no dialogue keeps a PIN: it is
 * the PIN's stored hash, and a PIN that changes meanwhile voids it. Throws what `verifyPin` throws, ACCOUNT_FROZEN,
 * WALLET_NOT_FOUND.
 */
export async function authorizeExport(
  deps: BackupDeps,
  input: { readonly userId: string; readonly walletId: string; readonly pin: string },
): Promise<{ readonly wallet: Wallet; readonly proof: string }> {
  await verifyPin(deps, input);
  const { pinHash } = await deps.db.guards.find(input.userId);
  const proof = pinHash ?? '';
  return { wallet: await provenWallet(deps, { ...input, proof }), proof };
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
  const wallet = await provenWallet(deps, input);
  const file = await deps.backups.seal(wallet, input.passphrase);
  const details = { walletId: wallet.id, address: wallet.address };
  // Before anybody has it: a file that left without a line in the trail would be what the trail is for.
  await deps.db.auditLog.record(ownAct(input.userId, deps.clock.now(), 'wallet-exported', details));
  return { wallet, file };
}

async function provenWallet(
  { db, clock }: BackupDeps,
  input: { readonly userId: string; readonly walletId: string; readonly proof: string },
): Promise<Wallet> {
  const guard = await db.guards.find(input.userId);
  if (guard.pinHash === null || guard.pinHash !== input.proof) throw new AppError('PIN_REQUIRED', {});
  assertNotFrozen(guard, clock.now());
  return ownWallet(db.wallets, input);
}

/**
 * A wallet from a key that somebody brings; sealed before anything is stored, and counted like one that was opened here.
 * Throws KEY_UNREADABLE, BACKUP_UNREADABLE, WALLET_KNOWN, WALLET_LIMIT_REACHED, USER_NOT_FOUND.
 */
export async function importWallet(
  deps: BackupDeps,
  input: { readonly userId: string; readonly material: string; readonly passphrase: string | null },
): Promise<Wallet> {
  const { userId } = input;
  const walletId = deps.ids.ulid();
  const secret = await deps.backups.adopt({ ...input, walletId });
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
