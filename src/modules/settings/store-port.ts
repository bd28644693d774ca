import type { Button } from '../../platform/ports/button-store.ts';
import type { Passed } from '../guard/rules/passed.ts';
import type { Wallet } from '../wallets/rules/wallet.ts';
import type { User } from './rules/user.ts';

/** A person who writes or taps, with the facts that most of their updates need, as one statement saw them. */
export type Comer = {
  readonly user: User;
  /** The active one, deleted or not. */
  readonly wallet: Wallet | null;
  /** The tapped button, when it is theirs, neither used nor expired, and can be read. */
  readonly button: Button | null;
};

/** The acts after which another wallet of a person trades, or none does. */
export type WalletChoice =
  | 'wallet-switch'
  | 'wallet-switch-imported'
  | 'wallet-make'
  | 'wallet-import'
  | 'wallet-restore'
  | 'wallet-delete'
  | 'wallet-delete-holding'
  | 'operator';

export interface UserStore {
  find(id: string): Promise<User | null>;
  findByTelegramId(telegramId: bigint): Promise<User | null>;
  /** `now` judges whether the button has expired; null for a person who is not known. */
  arrive(telegramId: bigint, buttonId: string | null, now: number): Promise<Comer | null>;
  /**
   * Inserts unless the Telegram id is known; `created` says which. The inviter is written here or never. Without the signer's certificate
   * no process believes the row.
   */
  insert(user: User, certificate?: string): Promise<{ readonly user: User; readonly created: boolean }>;
  /** Locks the row until the transaction ends, so that per-person limits are counted one at a time. */
  lock(id: string): Promise<User | null>;
  update(
    id: string,
    patch: Partial<
      Pick<User, 'firstName' | 'telegramLanguage' | 'settings' | 'screenMessageId' | 'blockedAt'>
    >,
  ): Promise<void>;
  /** From now on this wallet trades, pays and is on the home screen; null = none. */
  activate(passed: Passed<WalletChoice>, id: string, walletId: string | null): Promise<void>;
}
