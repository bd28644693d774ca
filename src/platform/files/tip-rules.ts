import type { TipRules } from '../../engine/signing/rules/kind-policy.ts';
import type { SenderSettings } from '../ports/sender.ts';
import { readSenderBook } from './sender-book.ts';

/** The accounts that tips may go to, and how much. Throws CONFIG_INVALID for a book of another form. */
export function readTipRules({ jito, sender, file, tipCapLamports }: SenderSettings): TipRules {
  const book = readSenderBook(file);
  // Accounts of another engine than the present one say nothing.
  const named = book !== null && book.jito.url === jito?.url ? book.jito.tipAccounts : [];
  return {
    accounts: {
      ...(jito === null ? {} : { jito: named }),
      ...(sender === null ? {} : { sender: sender.tipAccounts }),
    },
    capLamports: tipCapLamports,
  };
}
