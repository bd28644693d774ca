import type { ConvertPeriod, PeriodFacts } from '../../modules/convert/rules.ts';
import type { CopyFacts } from '../../modules/copying/rules/copy.ts';
import type { Act } from '../../modules/guard/rules/acts.ts';
import type { BookedAddress } from '../../modules/guard/rules/address-book.ts';
import type { GuardFacts } from '../../modules/guard/rules/certified-guard.ts';
import type { Guard } from '../../modules/guard/rules/guard.ts';
import type { OrderFacts } from '../../modules/orders/rules/order-facts.ts';
import type { KeyFacts } from '../../modules/personal-keys/rules/personal-key.ts';
import type { Receiving } from '../../modules/wallets/rules/receiving-wallet.ts';

export type { PeriodFacts } from '../../modules/convert/rules.ts';
export type { CopyFacts } from '../../modules/copying/rules/copy.ts';
export type { GuardFacts } from '../../modules/guard/rules/certified-guard.ts';
export type { OrderFacts } from '../../modules/orders/rules/order-facts.ts';
export type { KeyFacts } from '../../modules/personal-keys/rules/personal-key.ts';

/** The facts of a person that the signer certifies: who they are in Telegram, and who invited them. */
export type PersonFacts = {
  readonly id: string;
  readonly telegramId: bigint;
  readonly inviterId: string | null;
};

/** The facts of a wallet that the signer certifies: whose it is, its address, and where its key came from. */
export type WalletFacts = {
  readonly id: string;
  readonly userId: string | null;
  readonly address: string;
  readonly origin: string;
};

/** A moment from which money may go to a wallet, as the signer certifies it after the PIN was right. */
export type ReceivingFacts = {
  readonly walletId: string;
  readonly userId: string | null;
  readonly act: Receiving;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** An address of a wallet's book, and the moment from which it waits. */
export type AddressFacts = Pick<BookedAddress, 'id' | 'userId' | 'walletId' | 'address' | 'addedAt'>;

/** Makes certificates; the signer alone has one. */
export interface Certifier {
  /** What everybody checks with: 32 bytes as base64url. */
  readonly publicKey: string;
  /** An Ed25519 signature over the facts, as 86 letters of base64url. */
  person(facts: PersonFacts): string;
  wallet(facts: WalletFacts): string;
  order(facts: OrderFacts): string;
  copy(facts: CopyFacts): string;
  personalKey(facts: KeyFacts): string;
  receiving(facts: ReceivingFacts): string;
  guard(facts: GuardFacts): string;
  address(facts: AddressFacts): string;
  period(facts: PeriodFacts): string;
}

/** Asked for each row of a person, of a wallet and of a guard before anything of it is believed. */
export interface CertificateCheck {
  /** Throws ROW_FORGED unless the signer made this certificate for these facts; null is none. */
  person(facts: PersonFacts, certificate: string | null): void;
  wallet(facts: WalletFacts, certificate: string | null): void;
  receiving(facts: ReceivingFacts, certificate: string | null): void;
  /**
   * Rejects with ROW_FORGED for a guard that the signer did not certify so; one that was never touched needs no certificate. In the
   * signer's process also for one that is older than its journal says, and for one that went missing.
   */
  guard(row: Guard): Promise<void>;
  /** Throws ROW_FORGED for an address of the book that the signer did not certify so; null is none. */
  address(facts: AddressFacts, certificate: string | null): void;
  /** Throws ROW_FORGED for a period of conversion that the master key's holder did not certify so. One that was cancelled by an earlier release needs none. */
  period(row: ConvertPeriod): void;
  /** The moment of an address that is to be written, and its certificate. Rejects with the errors of `Vault.certifyAddress`. */
  certifyAddress(
    facts: AddressFacts,
  ): Promise<{ readonly addedAt: number; readonly certificate: string | null }>;
  /**
   * The guard as it is to be written: with the signer's certificate where a certified fact changes, else as it is. `transactionId` names
   * the transaction that writes it. Null where it is a freeze and the signer cannot be asked: then the freeze alone is written. Rejects
   * with the errors of `Vault.certifyGuard`.
   */
  certifyGuard(
    row: Guard,
    by: { readonly act: Act | null; readonly transactionId: () => Promise<string> },
  ): Promise<Guard | null>;
}
