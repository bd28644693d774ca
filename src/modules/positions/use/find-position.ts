import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { foldPositions, type HeldPosition } from './fold-positions.ts';

/** One position of a person's own wallet. WALLET_NOT_FOUND for another's; BUTTON_STALE where nothing was ever held. */
export async function findPosition(
  db: Database,
  input: { readonly userId: string; readonly walletId: string; readonly mint: Address },
): Promise<{ readonly wallet: Wallet; readonly position: HeldPosition }> {
  const wallet = await ownWallet(db.wallets, input);
  const { positions } = await foldPositions(db, input.userId);
  const position = positions.find(({ walletId, mint }) => walletId === wallet.id && mint === input.mint);
  if (position === undefined) throw new AppError('BUTTON_STALE', {});
  return { wallet, position };
}
