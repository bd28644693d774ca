import { AppError } from '../../../core/errors/app-error.ts';
import type { User } from '../../settings/rules/user.ts';
import type { Wallet } from '../rules/wallet.ts';
import type { WalletStore } from '../store/wallet-store-port.ts';

/** The wallet that trades and pays network fees. Throws WALLET_REQUIRED until the person has created one. */
export async function activeWallet(
  wallets: Pick<WalletStore, 'find'>,
  user: Pick<User, 'id' | 'activeWalletId'>,
): Promise<Wallet> {
  if (user.activeWalletId === null) throw new AppError('WALLET_REQUIRED', {});
  const wallet = await wallets.find(user.activeWalletId);
  if (wallet === null || wallet.userId !== user.id || wallet.deletedAt !== null) {
    throw new AppError('WALLET_REQUIRED', {});
  }
  return wallet;
}
