import type { SendersConfig } from '../config/senders.ts';
import type { TipRules } from '../engine/signing/rules/kind-policy.ts';
import { openSenders, tipAccountsOf } from '../platform/chain/senders/index.ts';
import { readSenderBook } from '../platform/files/sender-book.ts';
import type { Sender } from '../platform/ports/sender.ts';

/** The configured senders, and the accounts that the signer signs tips to. Throws CONFIG_INVALID for a book of another form. */
export function openTips(config: SendersConfig): {
  readonly senders: readonly Sender[];
  readonly tips: TipRules;
} {
  const book = readSenderBook(config.file);
  // Accounts of another engine than the present one say nothing.
  const jitoAccounts = book !== null && book.jito.url === config.jito?.url ? book.jito.tipAccounts : [];
  const senders = openSenders({ ...config, jitoAccounts });
  return { senders, tips: { accounts: tipAccountsOf(senders), capLamports: config.tipCapLamports } };
}
