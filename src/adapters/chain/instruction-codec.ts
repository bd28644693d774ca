import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../core/address/address.ts';
import type { Instruction } from '../../core/instruction.ts';

export function publicKey(value: Address): PublicKey {
  return new PublicKey(value);
}

/** A key that web3.js hands back is base58 of 32 bytes by construction. */
export function toAddress(key: PublicKey): Address {
  return key.toBase58() as Address;
}

/** The plain-data form of an instruction that a vendor's client built. */
export function toInstruction(built: TransactionInstruction): Instruction {
  return {
    programId: toAddress(built.programId),
    accounts: built.keys.map((meta) => ({
      address: toAddress(meta.pubkey),
      signer: meta.isSigner,
      writable: meta.isWritable,
    })),
    data: Uint8Array.from(built.data),
  };
}
