import { AppError } from '../../core/errors/app-error.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { ownWallet } from './own-wallet.ts';

/** Makes the person's wallet the one that trades and pays. Under the person's lock, so that a deletion cannot slip between. */
export async function switchWallet(
  deps: { readonly db: Pick<Database, 'transact'> },
  input: { readonly userId: string; readonly walletId: string },
): Promise<Wallet> {
  return deps.db.transact(async (stores) => {
    if ((await stores.users.lock(input.userId)) === null) throw new AppError('USER_NOT_FOUND', {});
    const wallet = await ownWallet(stores.wallets, input);
    await stores.users.update(input.userId, { activeWalletId: wallet.id });
    return wallet;
  });
}
