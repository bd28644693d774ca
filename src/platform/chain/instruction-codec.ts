import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { type Address, addressFromBytes, type Instruction } from '@tradepost/solana';

/** Keys seen lately: programs, mints and pools come back with every transaction, and base58 both ways is dear. */
const known = new Map<Address, PublicKey>();
const texts = new WeakMap<PublicKey, Address>();
const bytesOf = new WeakMap<PublicKey, Uint8Array>();
const CAPACITY = 5_000;

export function publicKey(value: Address): PublicKey {
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  const key = new PublicKey(value);
  // The oldest leaves: a stream of strangers' addresses cannot fill the memory.
  if (known.size >= CAPACITY) for (const oldest of known.keys()) if (known.delete(oldest)) break;
  known.set(value, key);
  texts.set(key, value);
  return key;
}

/** The 32 bytes of a key, not to be written to. Throws as `PublicKey` does for a text that is no key. */
export function keyBytes(value: Address): Uint8Array {
  const key = publicKey(value);
  const seen = bytesOf.get(key);
  if (seen !== undefined) return seen;
  // Copied: web3.js hands out a view into a pooled buffer of 8 kB, and 5,000 views would hold 40 MB.
  const bytes = Uint8Array.from(key.toBytes());
  bytesOf.set(key, bytes);
  return bytes;
}

/** A key that web3.js hands back is base58 of 32 bytes by construction. */
export function toAddress(key: PublicKey): Address {
  const seen = texts.get(key);
  if (seen !== undefined) return seen;
  const text = addressFromBytes(key.toBytes());
  texts.set(key, text);
  return text;
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
