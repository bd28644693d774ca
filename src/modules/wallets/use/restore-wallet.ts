import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { Wallet } from '../rules/wallet.ts';
import { freeWalletName, nameHolders, nameRefusal } from '../rules/wallet-name.ts';
import { isEmpty, isExpired, walletFunds } from './list-wallets.ts';
import { reservedNames } from './reserved-names.ts';
import { walletLimit } from './wallet-limit.ts';

/**
 * Brings a deleted wallet back within 30 days, or whenever it holds anything, under another name when its own is refused by now.
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
    const all = await stores.wallets.listByUser(user.id, { deleted: true });
    const active = all.filter(({ deletedAt }) => deletedAt === null);
    const max = await walletLimit(stores.shop, deps.maxWallets, user.id);
    if (active.length >= max) throw new AppError('WALLET_LIMIT_REACHED', { max });
    const now = deps.clock.now();
    const reserved = await reservedNames(stores, user.id, now);
    const taken = nameRefusal(wallet.name, wallet, reserved, now) !== null;
    const held = nameHolders(reserved, wallet.id, now).map(({ name }) => name);
    const name = taken ? freeWalletName(held, wallet.origin) : wallet.name;
    // The name first: a live wallet may not stand under a taken one, not even for a statement.
    const passed = passFree('wallet-restore', user.id);
    if (taken) await stores.wallets.rename(passed, wallet.id, name);
    await stores.wallets.setDeletedAt(passed, wallet.id, null);
    if (user.activeWalletId === null) await stores.users.activate(passed, user.id, wallet.id);
    const details = { walletId: wallet.id, address: wallet.address };
    await stores.auditLog.record(ownAct(user.id, now, 'wallet-restored', details));
    return { ...wallet, name, deletedAt: null };
  });
}
