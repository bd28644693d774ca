import { type Address, readTokenAccount, TOKEN_ACCOUNT_BYTES } from '@tradepost/solana';
import { accountExtensions } from './account-extensions.ts';

const CLOSE_AUTHORITY_AT = 129;
const TRANSFER_FEE_AMOUNT = 2;
const CONFIDENTIAL_TRANSFER_ACCOUNT = 5;

type RawAccount = { readonly owner: Address; readonly data: Uint8Array };

/** Whether the owner may close this token account now: `closableOnceEmpty`, and it is empty. */
export function readClosable(account: RawAccount, owner: Address): boolean {
  return readTokenAccount(account)?.amount === 0n && closableOnceEmpty(account, owner);
}

/**
 * Whether the owner may close this token account once its units and its withheld fees (see `feeMintOf`) have left. It is the owner's, and
 * no other address has the right to close it. One with confidential balances is left alone: no reader can see whether it is empty. Source
 * of truth: spl-token `Account` (close authority at 129).
 */
export function closableOnceEmpty(account: RawAccount, owner: Address): boolean {
  if (readTokenAccount(account)?.owner !== owner) return false;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(CLOSE_AUTHORITY_AT, true) !== 0) return false;
  return extensionsOf(data).every(
    ({ type, body }) =>
      type !== CONFIDENTIAL_TRANSFER_ACCOUNT && !(type === TRANSFER_FEE_AMOUNT && body.length < 8),
  );
}

/**
 * The mint to which the fees that are withheld in this account have to be harvested before it can be closed; null for an account
 * that withholds none by its kind. An account of such a mint may hold a fee at any moment, so one without a fee counts as well:
 * harvesting nothing succeeds. Anybody may harvest. Source of truth: spl-token-2022 `TransferFeeAmount`.
 */
export function feeMintOf(account: RawAccount): Address | null {
  const withholds = extensionsOf(account.data).some(({ type }) => type === TRANSFER_FEE_AMOUNT);
  return withholds ? (readTokenAccount(account)?.mint ?? null) : null;
}

const extensionsOf = (data: Uint8Array): ReturnType<typeof accountExtensions> =>
  data.length <= TOKEN_ACCOUNT_BYTES ? [] : accountExtensions(data);
