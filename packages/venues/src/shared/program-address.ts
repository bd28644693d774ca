import { PublicKey } from '@solana/web3.js';
import { type Address, addressFromBytes } from '@tradepost/solana';

/** The program-derived address of `seeds` with its highest valid bump. Pure. */
export function programAddress(programId: Address, seeds: readonly Uint8Array[]): Address {
  const [key] = PublicKey.findProgramAddressSync([...seeds], new PublicKey(programId));
  return addressFromBytes(key.toBytes());
}

const encoder = new TextEncoder();

/** A seed that is plain text. */
export function textSeed(text: string): Uint8Array {
  return encoder.encode(text);
}
