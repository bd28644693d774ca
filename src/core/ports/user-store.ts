import type { User } from '../users/user.ts';

export interface UserStore {
  find(id: string): Promise<User | null>;
  findByTelegramId(telegramId: bigint): Promise<User | null>;
  /** Inserts unless the Telegram id is known; `created` tells. The inviter is written here or never. */
  insert(user: User): Promise<{ readonly user: User; readonly created: boolean }>;
  /** Locks the row until the transaction ends, so that per-person limits are counted one at a time. */
  lock(id: string): Promise<User | null>;
  update(
    id: string,
    patch: Partial<
      Pick<
        User,
        'firstName' | 'telegramLanguage' | 'settings' | 'activeWalletId' | 'screenMessageId' | 'blockedAt'
      >
    >,
  ): Promise<void>;
}
