import { TOKEN_ACCOUNT_BYTES } from './account-size.ts';
import { type Address, addressFromBytes } from './address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';

const ACCOUNT_TYPE_ACCOUNT = 2;
/** A multisig may hold any bytes its maker likes; both programs recognize it by this length alone. */
const MULTISIG_BYTES = 355;
const AMOUNT_AT = 64;
const STATE_AT = 108;
const NATIVE_AT = 109;
const FROZEN = 2;

export type TokenAccount = {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly frozen: boolean;
};

/** Whether the issuer froze this token account; false when there is none or these fields are no token account. */
export function isFrozen(account: Parameters<typeof readTokenAccount>[0] | null): boolean {
  return account !== null && readTokenAccount(account)?.frozen === true;
}

/** Whether these raw fields are a token account whose lamports are its units: wrapped SOL of either program. */
export function isWrappedLamports(account: Parameters<typeof readTokenAccount>[0]): boolean {
  return readTokenAccount(account) !== null && account.data[NATIVE_AT] === 1;
}

/** Units in a token account; 0 when there is none or these fields are no token account. */
export function unitsHeld(account: Parameters<typeof readTokenAccount>[0] | null): bigint {
  return account === null ? 0n : (readTokenAccount(account)?.amount ?? 0n);
}

/**
 * The token account that these raw account fields are, or null: another program's, a mint, a multisig, uninitialised or torn data. Source
 * of truth: spl-token `Account`; Token-2022 accounts may be longer, then byte 165 gives their type.
 */
export function readTokenAccount(account: {
  readonly owner: Address;
  readonly data: Uint8Array;
}): TokenAccount | null {
  const { owner: program, data } = account;
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return null;
  if (data.length < TOKEN_ACCOUNT_BYTES || data.length === MULTISIG_BYTES) return null;
  if (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] !== ACCOUNT_TYPE_ACCOUNT) return null;
  const state = data[STATE_AT] ?? 0;
  if (state === 0) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    mint: addressFromBytes(data.subarray(0, 32)),
    owner: addressFromBytes(data.subarray(32, 64)),
    amount: view.getBigUint64(AMOUNT_AT, true),
    frozen: state === FROZEN,
  };
}
