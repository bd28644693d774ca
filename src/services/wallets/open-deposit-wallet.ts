import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Vault } from '../../core/ports/vault.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { freeWalletName } from '../../core/wallets/wallet-name.ts';
import { walletLimit } from './wallet-limit.ts';

export type OpenWalletDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly vault: Pick<Vault, 'create'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly maxWallets: number;
};

/** Deleted wallets keep their sealed keys; this many times the limit is what one person may leave behind. */
const LIFETIME_FACTOR = 10;

/**
 * A new deposit wallet with its sealed key; the first one becomes the active one. `expectedCount` is the number of
 * wallets on the screen that was tapped: when there are more by now, a repeated tap got here, and the newest wallet comes
 * back instead of another. Counted under the person's lock. Throws WALLET_LIMIT_REACHED, USER_NOT_FOUND.
 */
export async function openDepositWallet(
  deps: OpenWalletDeps,
  input: { readonly userId: string; readonly expectedCount: number },
): Promise<{ readonly wallet: Wallet; readonly created: boolean; readonly count: number }> {
  const walletId = deps.ids.ulid();
  const secret = await deps.vault.create({ walletId, userId: input.userId });
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const all = await stores.wallets.listByUser(user.id, { deleted: true });
    const active = all.filter((wallet) => wallet.deletedAt === null);
    const newest = active.at(-1);
    if (active.length > input.expectedCount && newest !== undefined) {
      return { wallet: newest, created: false, count: active.length };
    }
    const max = await walletLimit(stores.shop, deps.maxWallets, user.id);
    if (active.length >= max || all.length >= max * LIFETIME_FACTOR) {
      throw new AppError('WALLET_LIMIT_REACHED', { max });
    }
    const wallet: Wallet = {
      id: walletId,
      userId: user.id,
      name: freeWalletName(active.map(({ name }) => name)),
      address: secret.publicKey,
      createdAt: deps.clock.now(),
      deletedAt: null,
    };
    await stores.wallets.insert(wallet, secret);
    if (user.activeWalletId === null) await stores.users.update(user.id, { activeWalletId: wallet.id });
    const details = { walletId, address: wallet.address };
    await stores.auditLog.record(ownAct(user.id, wallet.createdAt, 'wallet-created', details));
    return { wallet, created: true, count: active.length + 1 };
  });
}
