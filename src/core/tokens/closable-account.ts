import type { Address } from '../address/address.ts';
import { TOKEN_ACCOUNT_BYTES } from './account-size.ts';
import { readTokenAccount } from './token-account.ts';

const CLOSE_AUTHORITY_AT = 129;
/** Token-2022 extensions: type and length in two bytes each, behind the byte that tells an account. */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;
const TRANSFER_FEE_AMOUNT = 2;
const CONFIDENTIAL_TRANSFER_ACCOUNT = 5;

type RawAccount = { readonly owner: Address; readonly data: Uint8Array };

/** Whether the owner may close this token account now: `closableOnceEmpty`, and it is empty. */
export function readClosable(account: RawAccount, owner: Address): boolean {
  return readTokenAccount(account)?.amount === 0n && closableOnceEmpty(account, owner);
}

/**
 * Whether the owner may close this token account once its units have left: it is theirs, nobody else was given the right to
 * close it, and no transfer fee is withheld in it. One with confidential balances is left alone: whether it is empty nobody can
 * see. Source of truth: spl-token `Account` (close authority at 129) and Token-2022 `TransferFeeAmount`.
 */
export function closableOnceEmpty(account: RawAccount, owner: Address): boolean {
  if (readTokenAccount(account)?.owner !== owner) return false;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(CLOSE_AUTHORITY_AT, true) !== 0) return false;
  for (let at = EXTENSIONS_AT; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (type === 0) break;
    if (type === CONFIDENTIAL_TRANSFER_ACCOUNT) return false;
    if (type === TRANSFER_FEE_AMOUNT) {
      if (at + 12 > data.length || view.getBigUint64(at + 4, true) !== 0n) return false;
    }
    at += 4 + length;
  }
  return true;
}
