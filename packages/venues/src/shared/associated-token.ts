import { type Address, ASSOCIATED_TOKEN_PROGRAM, addressBytes } from '@tradepost/solana';
import { programAddress } from './program-address.ts';

/** The associated token account of `owner`, which may be a program's address. */
export function associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address {
  return programAddress(ASSOCIATED_TOKEN_PROGRAM, [owner, tokenProgram, mint].map(addressBytes));
}
