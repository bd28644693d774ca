import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { GuardDeps } from '../../guard/use/deps.ts';
import { passGate } from '../../guard/use/pass-gate.ts';
import { assertPermitted, usePermit } from '../../guard/use/permit.ts';
import { MOST_KEY_TEXT } from '../rules/backup-text.ts';
import type { Wallet } from '../rules/wallet.ts';
import { freeWalletName, nameHolders } from '../rules/wallet-name.ts';
import { encodeWalletNotice } from '../rules/wallet-notice.ts';
import { reservedNames } from './reserved-names.ts';
import { walletLimit } from './wallet-limit.ts';

/** As for wallets that were opened here: so many times the limit may be left behind deleted. */
const LIFETIME_FACTOR = 10;

export type BackupDeps = GuardDeps & {
  readonly vault: Pick<Vault, 'adopt'>;
  readonly maxWallets: number;
};

/**
 * A wallet from a key that a person brings; sealed before anything is stored, and counted like one that was opened here. It trades, and
 * is no address for deposits or payouts. The person gets a notice with a button that freezes. Throws the errors of the gate for
 * `wallet-import`, KEY_UNREADABLE, BACKUP_UNREADABLE, WALLET_KNOWN, WALLET_LIMIT_REACHED, USER_NOT_FOUND.
 */
export async function importWallet(
  deps: BackupDeps,
  input: {
    readonly userId: string;
    readonly material: string;
    readonly passphrase: string | null;
    /** The permit of `givePermit` for the PIN; null for a person without one. */
    readonly permit: string | null;
  },
): Promise<Wallet> {
  const { userId, material, passphrase, permit } = input;
  await assertPermitted(deps, { userId, act: 'wallet-import', permit });
  if (material.length > MOST_KEY_TEXT) throw new AppError('KEY_UNREADABLE', {});
  const walletId = deps.ids.ulid();
  const secret = await deps.vault.adopt({ userId, walletId, material, passphrase });
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const proof = await usePermit(stores, { userId, act: 'wallet-import', permit, now: deps.clock.now() });
    const passed = await passGate(stores, deps, { act: 'wallet-import', userId, proof });
    if ((await stores.wallets.findByAddress(secret.publicKey)) !== null) {
      throw new AppError('WALLET_KNOWN', {});
    }
    const all = await stores.wallets.listByUser(userId, { deleted: true });
    const active = all.filter(({ deletedAt }) => deletedAt === null);
    const max = await walletLimit(stores.shop, deps.maxWallets, user.id);
    if (active.length >= max || all.length >= max * LIFETIME_FACTOR) {
      throw new AppError('WALLET_LIMIT_REACHED', { max });
    }
    const now = deps.clock.now();
    const reserved = await reservedNames(stores, userId, now);
    const held = nameHolders(reserved, walletId, now).map(({ name }) => name);
    const wallet: Wallet = {
      id: walletId,
      userId,
      name: freeWalletName(held, 'imported'),
      address: secret.publicKey,
      createdAt: now,
      deletedAt: null,
      origin: 'imported',
      confirmedAt: null,
      payoutFrom: null,
    };
    await stores.wallets.insert(passed, wallet, secret);
    if (user.activeWalletId === null) await stores.users.activate(passed, userId, wallet.id);
    const details = { walletId, address: wallet.address };
    await stores.auditLog.record(ownAct(userId, wallet.createdAt, 'wallet-imported', details));
    await addNotices(deps, stores, [
      {
        userId,
        intentId: null,
        kind: 'wallet',
        payload: encodeWalletNotice({ walletId, event: 'imported', was: null }),
      },
    ]);
    return wallet;
  });
}
