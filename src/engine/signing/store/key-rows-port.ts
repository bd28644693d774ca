import type { WalletSecret } from '../../../modules/wallets/rules/wallet.ts';

/** A wallet's sealed key as it is committed, and whose it is in Telegram; null for the treasury. */
export type KeyRow = { readonly secret: WalletSecret; readonly telegramId: string | null };

/** The rows that the keybook is compared with; no unit of work takes part in them. */
export interface KeyRows {
  /** The rows behind `afterWalletId` ('' = from the first), by their ids. */
  page(afterWalletId: string, limit: number): Promise<readonly KeyRow[]>;
  /** The rows of these wallets, those that are there. */
  of(walletIds: readonly string[]): Promise<readonly KeyRow[]>;
}
