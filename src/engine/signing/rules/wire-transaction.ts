const SIGNATURE_BYTES = 64;
/** The first byte of a message of version 1. Of an older transaction the first byte counts its signatures, at most 127. */
const V1_PREFIX = 0x81;

/** Where the signatures of a transaction lie, and its message: version 1 has the message first, all others the signatures. */
export type WireParts = {
  readonly message: Uint8Array;
  readonly signatures: readonly Uint8Array[];
};

/**
 * A transaction as it goes over the wire, in its parts, as views of the same bytes. Bytes that are too short give parts that are too
 * short: their readers refuse those. Source of truth: SIMD-0385, and `VersionedTransaction` for the versions before.
 */
export function partsOf(transaction: Uint8Array): WireParts {
  const isV1 = transaction[0] === V1_PREFIX;
  const count = (isV1 ? transaction[1] : transaction[0]) ?? 0;
  const start = isV1 ? Math.max(0, transaction.length - SIGNATURE_BYTES * count) : 1;
  const signatures = Array.from({ length: count }, (_, index) =>
    transaction.subarray(start + SIGNATURE_BYTES * index, start + SIGNATURE_BYTES * (index + 1)),
  );
  const message = isV1 ? transaction.subarray(0, start) : transaction.subarray(1 + SIGNATURE_BYTES * count);
  return { message, signatures };
}

/** The message of a transaction. */
export function messageOf(transaction: Uint8Array): Uint8Array {
  return partsOf(transaction).message;
}

/** The signature by which the chain names a transaction; empty where it has none. */
export function firstSignature(transaction: Uint8Array): Uint8Array {
  return partsOf(transaction).signatures[0] ?? new Uint8Array();
}

/** The transaction around a message, with zeros for its signatures, as a simulation takes it. */
export function unsignedTransaction(message: Uint8Array): Uint8Array {
  const isV1 = message[0] === V1_PREFIX;
  const isVersioned = ((message[0] ?? 0) & 0x80) !== 0;
  const signers = (isVersioned ? message[1] : message[0]) ?? 0;
  const room = SIGNATURE_BYTES * signers;
  const wire = new Uint8Array((isV1 ? 0 : 1) + room + message.length);
  if (!isV1) wire[0] = signers;
  wire.set(message, isV1 ? 0 : 1 + room);
  return wire;
}
