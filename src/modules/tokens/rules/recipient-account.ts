import { type Address, type ChainAccount, readTokenAccount, TOKEN_ACCOUNT_BYTES } from '@tradepost/solana';
import type { RecipientRefusal } from '../../../core/errors/details.ts';
import { accountExtensions } from './account-extensions.ts';
import type { Token } from './token.ts';

export type { RecipientRefusal } from '../../../core/errors/details.ts';

const CONFIDENTIAL_TRANSFER_ACCOUNT = 5;
const MEMO_TRANSFER = 8;
/** `allow_non_confidential_credits` of the confidential balances: behind a flag, a key, three ciphertexts of 64, one of 36, a flag. */
const ALLOWS_OPEN_CREDITS_AT = 1 + 32 + 3 * 64 + 36 + 1;

/**
 * Why the chain would refuse a transfer to the recipient's associated account as it is now; null where it would not. An account
 * that is not there yet is made by the transfer, frozen where its mint says so. Ours carry their memo before everything else, so an
 * account that wants one right before each transfer is refused. Source of truth: spl-token-2022 `process_transfer`.
 */
export function recipientRefusal(
  account: ChainAccount | null,
  { owner, token }: { readonly owner: Address; readonly token: Pick<Token, 'mint' | 'extensions'> },
): RecipientRefusal | null {
  const held = account === null ? null : readTokenAccount(account);
  // An address that only holds lamports becomes the account when it is made.
  if (account === null || held === null)
    return account === null || account.data.length === 0
      ? token.extensions.defaultFrozen
        ? 'frozen-when-made'
        : null
      : 'other-owner';
  if (held.owner !== owner || held.mint !== token.mint) return 'other-owner';
  if (held.frozen) return 'frozen';
  if (account.data.length <= TOKEN_ACCOUNT_BYTES) return null;
  for (const { type, body } of accountExtensions(account.data)) {
    if (type === MEMO_TRANSFER && body[0] === 1) return 'needs-memo';
    if (type === CONFIDENTIAL_TRANSFER_ACCOUNT && body[ALLOWS_OPEN_CREDITS_AT] === 0) return 'private-only';
  }
  return null;
}
