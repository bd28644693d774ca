import { ownAct } from '../../core/audit-log/act.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { freeWalletName } from '../../core/wallets/wallet-name.ts';
import { isEmpty, isExpired, walletFunds } from './list-wallets.ts';
import { walletLimit } from './wallet-limit.ts';

/**
 * Brings a deleted wallet back within 30 days, or whenever it holds anything, under another name when its own is taken by now.
 * Throws WALLET_NOT_FOUND, WALLET_LIMIT_REACHED, and CHAIN_UNREACHABLE after the 30 days. Counted under the person's lock.
 */
export async function restoreWallet(
  deps: {
    readonly db: Pick<Database, 'transact' | 'wallets'>;
    readonly chain: Pick<Chain, 'balance' | 'holdings'>;
    readonly clock: Clock;
    readonly maxWallets: number;
  },
  input: { readonly userId: string; readonly walletId: string },
): Promise<Wallet> {
  const seen = await deps.db.wallets.find(input.walletId);
  if (seen === null || seen.userId !== input.userId) throw new AppError('WALLET_NOT_FOUND', {});
  if (isExpired(seen, deps.clock.now()) && isEmpty(await walletFunds(deps.chain, seen))) {
    throw new AppError('WALLET_NOT_FOUND', {});
  }
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const wallet = await stores.wallets.find(input.walletId);
    if (wallet === null || wallet.userId !== user.id) throw new AppError('WALLET_NOT_FOUND', {});
    if (wallet.deletedAt === null) return wallet;
    const active = await stores.wallets.listByUser(user.id);
    const max = await walletLimit(stores.shop, deps.maxWallets, user.id);
    if (active.length >= max) throw new AppError('WALLET_LIMIT_REACHED', { max });
    const names = active.map(({ name }) => name);
    const taken = names.some((name) => name.toLowerCase() === wallet.name.toLowerCase());
    const name = taken ? freeWalletName(names) : wallet.name;
    // The name first: a live wallet may not stand under a taken one, not even for a statement.
    if (taken) await stores.wallets.rename(wallet.id, name);
    await stores.wallets.setDeletedAt(wallet.id, null);
    if (user.activeWalletId === null) await stores.users.update(user.id, { activeWalletId: wallet.id });
    const details = { walletId: wallet.id, address: wallet.address };
    await stores.auditLog.record(ownAct(user.id, deps.clock.now(), 'wallet-restored', details));
    return { ...wallet, name, deletedAt: null };
  });
}
