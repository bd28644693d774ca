import type { CopyFacts } from '../../modules/copying/rules/copy.ts';
import type { OrderFacts } from '../../modules/orders/rules/order-facts.ts';
import type { KeyFacts } from '../../modules/personal-keys/rules/personal-key.ts';
import type { Receiving } from '../../modules/wallets/rules/receiving-wallet.ts';

export type { CopyFacts } from '../../modules/copying/rules/copy.ts';
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
}

/** Asked for each row of a person and of a wallet before anything of it is believed. */
export interface CertificateCheck {
  /** Throws ROW_FORGED unless the signer made this certificate for these facts; null is none. */
  person(facts: PersonFacts, certificate: string | null): void;
  wallet(facts: WalletFacts, certificate: string | null): void;
  receiving(facts: ReceivingFacts, certificate: string | null): void;
}
