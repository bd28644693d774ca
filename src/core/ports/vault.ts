import type { ConfirmedIntent } from '../intents/confirmation.ts';
import type { WalletSecret } from '../wallets/wallet.ts';
import type { Backups } from './backups.ts';

/**
 * Everything that needs the master key, as the rest of the program may ask for it: in this process, or of the signer in a
 * process of its own. No method takes or returns a key, but an encrypted file of one. Whoever asks is believed about as little
 * as can be: intents, wallets, switches and PINs are read from the database by the signer itself. All throw
 * SIGNER_UNAVAILABLE when the signer's process cannot be asked, and KEK_UNAVAILABLE when the key-encryption key cannot.
 */
export interface Vault extends WalletVault, IntentVault, PinVault, SecondFactorVault {
  /** The seed of a round of a game: the same for the same round, and in no database. */
  gameSeed(round: { readonly id: string; readonly table: string }): Promise<string>;
}

type WalletVault = {
  /** A fresh wallet's sealed key. Nothing is stored: the caller commits the row. */
  create(input: { readonly walletId: string; readonly userId: string | null }): Promise<WalletSecret>;
  /** The sealed row of a key that somebody brings; see `Backups`. Throws KEY_UNREADABLE, BACKUP_UNREADABLE. */
  adopt: Backups['adopt'];
  /**
   * A proof for one export of one wallet, after the PIN was right; void after a quarter of an hour, when it was used, and
   * when the PIN changes. Throws what `verifyPin` throws, ACCOUNT_FROZEN, WALLET_NOT_FOUND.
   */
  authorizeExport(input: {
    readonly userId: string;
    readonly walletId: string;
    readonly pin: string;
  }): Promise<string>;
  /** The wallet's key in a file that the passphrase opens. Throws PIN_REQUIRED when the proof is void, and as above. */
  export(input: {
    readonly userId: string;
    readonly walletId: string;
    readonly proof: string;
    readonly passphrase: string;
  }): Promise<Uint8Array>;
};

type IntentVault = {
  /**
   * The code that makes a confirmed request signable, to be stored with its intent. What needs the PIN is confirmed with it and
   * in no other way: `pin` is as the person typed it. Throws what `verifyPin` throws; POLICY_DENIED for what nobody confirms.
   */
  confirm(request: ConfirmedIntent, pin: string | null): Promise<string>;
  /**
   * The signature of `message` for the stored intent of this id, by its wallet's key. Throws POLICY_DENIED with the rule's name
   * for what was not confirmed, was changed since, or is not what the intent says; SIGNING_PAUSED, ADDRESS_NOT_READY,
   * SECRET_UNREADABLE. Nothing is signed then.
   */
  sign(request: { readonly intentId: string; readonly message: Uint8Array }): Promise<Uint8Array>;
};

type PinVault = {
  /** Returns when PIN and, where the person has one, second factor are right. See `checkPin`. */
  verifyPin(input: { readonly userId: string; readonly pin: string }): Promise<void>;
  /** What to remember of a text until it is typed again. It opens nothing, and no stored PIN can be compared by it. */
  draft(input: { readonly userId: string; readonly text: string }): Promise<string>;
  /** Whether the text is the drafted one. */
  isDrafted(input: {
    readonly userId: string;
    readonly draft: string;
    readonly text: string;
  }): Promise<boolean>;
  /** The hash to store for a PIN that is the drafted one; null when it is not. */
  pinOfDraft(input: {
    readonly userId: string;
    readonly draft: string;
    readonly pin: string;
  }): Promise<string | null>;
};

type SecondFactorVault = {
  /** A fresh secret for an authenticator, sealed for this person and not in force. */
  createSecondFactor(input: { readonly userId: string }): Promise<string>;
  /**
   * What an authenticator scans (null without a box; never of a secret that is in force) and what the database keeps of
   * recovery codes. Throws SECRET_UNREADABLE.
   */
  showSecondFactor(input: {
    readonly userId: string;
    readonly box: string | null;
    readonly codes: readonly string[];
  }): Promise<{ readonly uri: string | null; readonly digests: readonly string[] }>;
  /** See the use case of this name. */
  confirmSecondFactor(input: {
    readonly userId: string;
    readonly code: string;
  }): Promise<{ readonly codesAlone: boolean }>;
};
