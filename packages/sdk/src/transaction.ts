import { fromBase58, toBase58 } from './base58.ts';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
/** The first byte of a transaction of version 1: its message comes first and its signatures last (SIMD-0385). */
const VERSION_1 = 0x81;
const VERSIONED = 0x80;

type Parts = { readonly message: Uint8Array; readonly count: number; readonly start: number };

function partsOf(transaction: Uint8Array): Parts {
  const isV1 = transaction[0] === VERSION_1;
  const count = transaction[isV1 ? 1 : 0] ?? 0;
  const room = SIGNATURE_BYTES * count;
  const start = isV1 ? transaction.length - room : 1;
  if (count === 0 || count > 127 || start < 1 || transaction.length <= start + (isV1 ? -1 : room))
    throw new TypeError('expected the bytes of a Solana transaction, with room for its signatures');
  const message = isV1 ? transaction.subarray(0, start) : transaction.subarray(start + room);
  return { message, count, start };
}

/** The message of a transaction: the bytes that each signer signs with Ed25519. Throws TypeError for other bytes. */
export function messageOf(transaction: Uint8Array): Uint8Array {
  return partsOf(transaction).message;
}

/** The signature by which the chain names a transaction. Throws TypeError where its payer has not signed yet. */
export function signatureOf(transaction: Uint8Array): string {
  const { start } = partsOf(transaction);
  const signature = transaction.subarray(start, start + SIGNATURE_BYTES);
  if (signature.every((byte) => byte === 0))
    throw new TypeError('expected a signed transaction; its first signature is empty');
  return toBase58(signature);
}

/** The addresses that must sign, in the order of their signatures. */
export function signersOf(transaction: Uint8Array): readonly string[] {
  const { message, count } = partsOf(transaction);
  const start = startOfKeys(message);
  return Array.from({ length: count }, (_, index) => {
    const at = start + ADDRESS_BYTES * index;
    return toBase58(message.subarray(at, at + ADDRESS_BYTES));
  });
}

function startOfKeys(message: Uint8Array): number {
  const first = message[0] ?? 0;
  if (first === VERSION_1) return 42;
  if (first > VERSION_1) throw new TypeError('expected a transaction without version, or of version 0 or 1');
  const count = first >= VERSIONED ? 4 : 3;
  return count + ((message[count] ?? 0) >= 0x80 ? 2 : 1);
}

/**
 * A copy of the transaction with this signer's signature in its place. It is not verified here. Throws TypeError where the address
 * does not sign this transaction, or where the signature has not 64 bytes.
 */
export function withSignature(
  transaction: Uint8Array,
  signer: string,
  signature: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const index = signersOf(transaction).indexOf(signer);
  if (index === -1) throw new TypeError(`${signer} does not sign this transaction`);
  if (signature.length !== SIGNATURE_BYTES)
    throw new TypeError(`expected a signature of 64 bytes, not ${signature.length}`);
  const signed = Uint8Array.from(transaction);
  signed.set(signature, partsOf(transaction).start + SIGNATURE_BYTES * index);
  return signed;
}

/** The bytes of `tx` in an answer that built a transaction. */
export function transactionOf({ tx }: { readonly tx: string }): Uint8Array {
  return fromBase58(tx);
}
