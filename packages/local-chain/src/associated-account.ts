import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { type Address, addressFromBytes } from './address.ts';

/** The associated token account of an owner, which may be off the curve, for a mint of this token program. */
export function associatedAccount(mint: Address, owner: Address, program: Address): Address {
  const account = getAssociatedTokenAddressSync(
    new PublicKey(mint),
    new PublicKey(owner),
    true,
    new PublicKey(program),
  );
  return addressFromBytes(account.toBytes());
}
