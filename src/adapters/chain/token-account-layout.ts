import type { Address } from '../../core/address/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../core/address/programs.ts';
import { byteReader, decodeOrNull } from './byte-reader.ts';

const ACCOUNT_BYTES = 165;
const ACCOUNT_TYPE_ACCOUNT = 2;
/** A multisig may hold any bytes its maker likes; both programs tell it by this length alone. */
const MULTISIG_BYTES = 355;
const FROZEN = 2;

export type DecodedTokenAccount = {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly frozen: boolean;
};

/**
 * A token account of either program, or null. Source of truth: spl-token `Account`: mint 0, owner 32, amount 64,
 * state 108; Token-2022 accounts may be longer, then byte 165 tells an account from a mint.
 */
export function decodeTokenAccount(program: Address, data: Uint8Array): DecodedTokenAccount | null {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return null;
  if (data.length < ACCOUNT_BYTES || data.length === MULTISIG_BYTES) return null;
  if (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] !== ACCOUNT_TYPE_ACCOUNT) return null;
  return decodeOrNull(() => {
    const reader = byteReader(data);
    const mint = reader.address();
    const owner = reader.address();
    const amount = reader.u64();
    const state = data[108] ?? 0;
    return state === 0 ? null : { mint, owner, amount, frozen: state === FROZEN };
  });
}
