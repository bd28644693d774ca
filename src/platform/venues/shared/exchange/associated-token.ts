import { type Address, addressBytes } from '../../../../core/address/address.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../../../core/address/programs.ts';
import { programAddress } from './program-address.ts';

/** The associated token account of `owner`, which may be a program's address. */
export function associatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address {
  return programAddress(ASSOCIATED_TOKEN_PROGRAM, [owner, tokenProgram, mint].map(addressBytes));
}
