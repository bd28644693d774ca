import type { ConfirmedIntent } from '../../engine/intents/rules/confirmation.ts';
import type { Attempt } from '../../engine/intents/rules/intent.ts';
import type { CopyFacts } from '../../modules/copying/rules/copy.ts';
import type { GuardFacts } from '../../modules/guard/rules/certified-guard.ts';
import type { OrderFacts } from '../../modules/orders/rules/order-facts.ts';
import type { SignedText } from '../../modules/personal-keys/rules/keyed-trade.ts';
import type { KeyFacts } from '../../modules/personal-keys/rules/personal-key.ts';
import type { Receiving } from '../../modules/wallets/rules/receiving-wallet.ts';
import type { CertifiedKey } from '../../modules/wallets/rules/wallet.ts';
import type { Backups } from './backups.ts';
import type { AddressFacts } from './certificates.ts';

/**
 * Everything that needs the master key, as the rest of the program may ask for it: in this process, or of the signer in a
 * process of its own. No method takes or returns a key, but an encrypted file of one. Whoever asks is believed about as little
 * as can be: intents, wallets, switches and PINs are read from the database by the signer itself. All throw
 * SIGNER_UNAVAILABLE when the signer's process cannot be asked, and KEK_UNAVAILABLE when the key-encryption key cannot.
 */
export interface Vault
  extends PersonVault,
    WalletVault,
    ReceivingVault,
    GuardVault,
    IntentVault,
    PinVault,
    SecondFactorVault {
  /** The seed of a round of a game: the same for the same round, and in no database. */
  gameSeed(round: { readonly id: string; readonly table: string }): Promise<string>;
}

type PersonVault = {
  /**
   * A name for a person who writes for the first time, with the certificate that it is this Telegram id's, invited by this person.
   * Nothing is stored: the caller commits the row. The name is new each time, so no certificate is ever about a known person.
   */
  openPerson(input: {
    readonly telegramId: bigint;
    readonly inviterId: string | null;
  }): Promise<{ readonly userId: string; readonly certificate: string }>;
  /** What certificates are checked with; see `Certifier`. */
  certificateKey(): Promise<string>;
};

type WalletVault = {
  /** A fresh wallet's sealed key. Nothing is stored: the caller commits the row. */
  create(input: { readonly walletId: string; readonly userId: string | null }): Promise<CertifiedKey>;
  /** The sealed row of a key that somebody brings; see `Backups`. Throws KEY_UNREADABLE, BACKUP_UNREADABLE. */
  adopt(input: Parameters<Backups['adopt']>[0]): Promise<CertifiedKey>;
  /**
   * Writes down that a wallet's key is asked for, and tells the person with a button that stops it. It may be taken from `readyAt` until
   * `endsAt`. Throws what `verifyPin` throws, and before the PIN is compared ACCOUNT_FROZEN, PAUSED, PIN_TOO_NEW, WALLET_NOT_FOUND,
   * ACT_LIMIT, and EXPORT_WAITS while another one is on its way or the person stopped one.
   */
  askExport(input: {
    readonly userId: string;
    readonly walletId: string;
    readonly pin: string;
  }): Promise<{ readonly exportId: string; readonly readyAt: number; readonly endsAt: number }>;
  /**
   * The wallet's key in a file that the passphrase opens, once. Throws PASSPHRASE_UNSUITABLE, EXPORT_WAITS unless it is ready, and as
   * above. Of this and a stop at the same moment one alone comes true.
   */
  takeExport(input: {
    readonly userId: string;
    readonly exportId: string;
    readonly pin: string;
    readonly passphrase: string;
  }): Promise<Uint8Array>;
  /** Stops an export on its way, without a PIN and also while frozen. `stopped` is false where nothing was. */
  stopExport(input: { readonly userId: string }): Promise<{ readonly stopped: boolean }>;
};

type ReceivingVault = {
  /**
   * Compares the PIN, and certifies the moment from which the wallet receives (`wallet-confirm`) or payouts go to it (`payout-wallet`):
   * after the long wait. Nothing is stored: the caller commits both. Throws what `verifyPin` throws, and before the PIN is compared
   * ACCOUNT_FROZEN, PAUSED, PIN_TOO_NEW, ACT_LIMIT, WALLET_NOT_FOUND, BUTTON_STALE.
   */
  certifyReceiving(input: {
    readonly userId: string;
    readonly walletId: string;
    readonly act: Receiving;
    readonly pin: string;
  }): Promise<{ readonly at: number; readonly certificate: string }>;
};

type GuardVault = {
  /**
   * The certificate of a person's guard as it is about to be written, and its version, in the transaction of this name. The caller commits
   * both with the row, under the row's lock. Throws ROW_FORGED where the committed row is not as it was certified, JOURNAL_FULL.
   */
  certifyGuard(input: {
    readonly guard: GuardFacts;
    readonly transactionId: string;
  }): Promise<{ readonly version: number; readonly certificate: string }>;
  /** As `certifyGuard`, for a Stop link: it freezes and permits nothing new. Throws POLICY_DENIED (`guard-stop`) else. */
  certifyStop(
    input: Parameters<GuardVault['certifyGuard']>[0],
  ): Promise<{ readonly version: number; readonly certificate: string }>;
  /**
   * The certificate of an address that is about to be added to the book of the person's own wallet. The moment is the signer's: from it the
   * address waits. Throws WALLET_NOT_FOUND, ROW_FORGED.
   */
  certifyAddress(facts: AddressFacts): Promise<{ readonly addedAt: number; readonly certificate: string }>;
};

type IntentVault = {
  /**
   * The code that makes a confirmed request signable, to be stored with its intent. What needs the PIN is confirmed with it and
   * in no other way: `pin` is as the person typed it. Throws what `verifyPin` throws; POLICY_DENIED for a kind that no person confirms, and for a
   * fire of an order.
   */
  confirm(request: ConfirmedIntent, pin: string | null): Promise<string>;
  /**
   * Certificates of a person's orders as they are about to be placed, edited or resumed, one for each. The caller commits them with
   * the rows. Throws ROW_FORGED where a row of before has no right one, POLICY_DENIED for rows of another person.
   */
  certifyOrders(input: {
    readonly userId: string;
    readonly orders: readonly OrderFacts[];
  }): Promise<readonly string[]>;
  /**
   * The code of a fire, as `confirm` gives it for what a person confirms. Throws ROW_FORGED for an order that is not as it was certified.
   * POLICY_DENIED for a fire beyond the agreed terms; ORDER_NOT_CHANGEABLE where it is not open or this is not its next fire.
   */
  confirmFire(request: ConfirmedIntent): Promise<string>;
  /**
   * The certificate of a copy as its person agrees to it, by the PIN itself; null where it may only do less than before. The caller commits
   * it with the row. Throws the errors of `verifyPin`, PIN_REQUIRED, PIN_TOO_NEW, ROW_FORGED, POLICY_DENIED.
   */
  mandateCopy(input: { readonly copy: CopyFacts; readonly pin: string | null }): Promise<string>;
  /**
   * The code of a copied trade, as `confirmFire` gives it for a fire, and the certificates of the exits of a purchase, one for each. Throws
   * ROW_FORGED for a copy that is not as it was certified, POLICY_DENIED for a trade outside its mandate.
   */
  confirmCopy(input: {
    readonly request: ConfirmedIntent;
    readonly orders: readonly OrderFacts[];
  }): Promise<{ readonly confirmation: string; readonly certificates: readonly string[] }>;
  /**
   * The certificate of a key of a person's own program, by the PIN itself. The caller commits it with the row. Throws the errors of
   * `verifyPin`, PIN_REQUIRED, PIN_TOO_NEW, POLICY_DENIED.
   */
  certifyPersonalKey(input: { readonly key: KeyFacts; readonly pin: string }): Promise<string>;
  /**
   * Ends such a key for good, without a PIN: the signer's journal knows it from then on. The caller ends the row. Throws POLICY_DENIED for
   * another person's key.
   */
  endPersonalKey(input: { readonly userId: string; readonly keyId: string }): Promise<void>;
  /**
   * The code of a trade that a person's own program asked for with this signed request, as `confirm` gives it for a tap. It confirms once:
   * the request's nonce is then used up. Throws ROW_FORGED for a key that is not as it was certified, POLICY_DENIED for another trade than
   * the one that was signed; KEY_REQUEST_REFUSED, ACCOUNT_FROZEN.
   */
  confirmKeyed(input: { readonly request: ConfirmedIntent; readonly signed: SignedText }): Promise<string>;
  /**
   * The certificate of an order that a person's own program asked for with this signed request, as `certifyOrders` gives it for a placing in
   * the chat. It certifies once: the request's nonce is then used up. Throws ROW_FORGED for a key that is not as it was certified,
   * POLICY_DENIED for another order than the one that was signed; KEY_REQUEST_REFUSED, ACCOUNT_FROZEN.
   */
  certifyKeyedOrder(input: { readonly order: OrderFacts; readonly signed: SignedText }): Promise<string>;
  /**
   * The signature of `message` for the stored intent of this id, by its wallet's key. Throws POLICY_DENIED with the rule's name
   * for what was not confirmed, was changed since, or is not what the intent says; SIGNING_PAUSED, ADDRESS_NOT_READY,
   * SECRET_UNREADABLE, INTENT_TOO_OLD, SIGNING_FENCED, DATABASE_FORGETFUL, JOURNAL_FULL. Nothing is signed then. `attempt` is the
   * row that the signature is for: where another transaction of the intent was signed and may land, ATTEMPT_UNDECIDED hands the
   * row of that one back.
   */
  sign(request: {
    readonly intentId: string;
    readonly message: Uint8Array;
    readonly attempt?: UnsignedAttempt | null | undefined;
  }): Promise<Uint8Array>;
};

/** An attempt whose wire bytes lack the wallet's own signature: zeros are in its place, which is the first. */
export type UnsignedAttempt = Omit<Attempt, 'signature'>;

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
