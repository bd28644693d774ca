import {
  type Address,
  addressFromBytes,
  type ChainAccount,
  isOnCurve,
  MINT_BYTES,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';

/** In Token-2022 data beyond 165 bytes, byte 165 names the kind: 1 mint, 2 token account. */
const KIND_OFFSET = 165;

export type Recipient = { readonly address: Address; readonly lamports: bigint };

/**
 * The recipient of a withdrawal, when it is an ordinary wallet: its address can have a key, or it is owned by the system program and holds
 * no data. Money sent to a mint, a token account, a program or an address without a key is lost. Throws ADDRESS_INVALID, RECIPIENT_IS_SELF,
 * RECIPIENT_IS_MINT, RECIPIENT_IS_TOKEN_ACCOUNT, RECIPIENT_IS_PROGRAM, RECIPIENT_OFF_CURVE.
 */
export async function withdrawalRecipient(
  chain: Pick<Chain, 'accounts'>,
  sender: Address,
  text: string,
): Promise<Recipient> {
  if (address(text) === sender) throw new AppError('RECIPIENT_IS_SELF', {});
  return plainWallet(chain, text);
}

/** As `withdrawalRecipient`, of any ordinary wallet. */
export async function plainWallet(chain: Pick<Chain, 'accounts'>, text: string): Promise<Recipient> {
  const to = address(text);
  const account = (await chain.accounts([to])).accounts[0] ?? null;
  if (account === null) {
    if (!isOnCurve(to)) throw new AppError('RECIPIENT_OFF_CURVE', { address: to });
    return { address: to, lamports: 0n };
  }
  assertPlain(to, account);
  return { address: to, lamports: account.lamports };
}

function assertPlain(to: Address, account: ChainAccount): void {
  const { owner, data, executable } = account;
  if (executable) throw new AppError('RECIPIENT_IS_PROGRAM', { address: to });
  if (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM) {
    const isMint = data.length === MINT_BYTES || (data.length > KIND_OFFSET && data[KIND_OFFSET] === 1);
    if (isMint || data.length < TOKEN_ACCOUNT_BYTES) throw new AppError('RECIPIENT_IS_MINT', { address: to });
    throw new AppError('RECIPIENT_IS_TOKEN_ACCOUNT', {
      address: to,
      owner: addressFromBytes(data.subarray(32, 64)),
    });
  }
  // Owned by another program, or carrying data such as a nonce account: not a wallet, even if its key is held.
  if (owner !== SYSTEM_PROGRAM || data.length > 0)
    throw new AppError('RECIPIENT_IS_PROGRAM', { address: to });
}
