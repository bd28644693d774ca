import { AppError } from '../../core/errors/app-error.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { walletName } from '../../core/wallets/wallet-name.ts';
import { ownWallet } from './own-wallet.ts';

/** Renames the person's wallet. Throws TEXT_INVALID, WALLET_NOT_FOUND, or WALLET_NAME_TAKEN (letter case aside). */
export async function renameWallet(
  deps: { readonly db: Pick<Database, 'transact'> },
  input: { readonly userId: string; readonly walletId: string; readonly name: string },
): Promise<Wallet> {
  const name = walletName(input.name);
  return deps.db.transact(async (stores) => {
    if ((await stores.users.lock(input.userId)) === null) throw new AppError('USER_NOT_FOUND', {});
    const wallet = await ownWallet(stores.wallets, input);
    const others = await stores.wallets.listByUser(input.userId);
    if (others.some((other) => other.id !== wallet.id && other.name.toLowerCase() === name.toLowerCase())) {
      throw new AppError('WALLET_NAME_TAKEN', { name });
    }
    await stores.wallets.rename(wallet.id, name);
    return { ...wallet, name };
  });
}
