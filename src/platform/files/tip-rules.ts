import type { Address } from '../../core/address/address.ts';
import type { TipRules } from '../../engine/signing/rules/kind-policy.ts';
import { readSenderBook } from './sender-book.ts';

/** The ways beside the nodes as the operator configured them. */
export type TipOptions = {
  readonly jito: { readonly url: string; readonly floorUrl: string | null; readonly minTip: bigint } | null;
  readonly sender: {
    readonly url: string;
    readonly minTip: bigint;
    readonly tipAccounts: readonly Address[];
  } | null;
  /** Where the accounts are that the block engine named. */
  readonly file: string;
  readonly tipCapLamports: bigint;
};

/** The accounts that tips may go to, and how much. Throws CONFIG_INVALID for a book of another form. */
export function readTipRules({ jito, sender, file, tipCapLamports }: TipOptions): TipRules {
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
