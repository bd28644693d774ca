import { AppError } from '../../../core/errors/app-error.ts';
import type { Wallet } from '../rules/wallet.ts';
import type { WalletStore } from '../store/wallet-store-port.ts';

/**
 * The person's own, not deleted wallet. Throws WALLET_NOT_FOUND for anybody else's, exactly as for one that does not
 * exist, so that ids cannot be probed.
 */
export async function ownWallet(
  wallets: Pick<WalletStore, 'find'>,
  input: { readonly userId: string; readonly walletId: string },
): Promise<Wallet> {
  const wallet = await wallets.find(input.walletId);
  if (wallet === null || wallet.userId !== input.userId || wallet.deletedAt !== null) {
    throw new AppError('WALLET_NOT_FOUND', {});
  }
  return wallet;
}
