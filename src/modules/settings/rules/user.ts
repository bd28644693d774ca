import type { Settings } from './settings.ts';

export type User = {
  readonly id: string;
  readonly telegramId: bigint;
  readonly firstName: string;
  /** Telegram's `language_code` at the last contact. */
  readonly telegramLanguage: string | null;
  readonly settings: Settings;
  readonly activeWalletId: string | null;
  /** Bound once, in the transaction that creates the row; never changed afterwards. */
  readonly inviterId: string | null;
  /** The chat's live screen message, edited in place. */
  readonly screenMessageId: number | null;
  /** Set when Telegram says the person blocked the bot; notices stop until they return. */
  readonly blockedAt: number | null;
  readonly createdAt: number;
};
