import { type Address, toBase58 } from './address.ts';
import { keyAddress } from './address-cache.ts';

/** The largest transaction of version 0 or before: a packet. */
export const MAX_TRANSACTION_BYTES = 1232;
/** The largest transaction of version 1 (SIMD-0385). */
export const MAX_V1_BYTES = 4096;
const V1_PREFIX = 0x81;
const MAX_V1_ACCOUNTS = 64;
const MAX_V1_SIGNATURES = 12;
const MAX_V1_INSTRUCTIONS = 64;

/** The requests of a version 1 message to the runtime; null = its mask leaves it out. */
export type WireConfig = {
  /** Lamports in all, not a price. */
  readonly priorityFeeLamports: bigint | null;
  readonly units: number | null;
  readonly loadedBytes: number | null;
  readonly heapBytes: number | null;
};

export type WireInstruction = {
  readonly programIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
};

export type WireLookup = {
  readonly table: Address;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
};

export type WireMessage = {
  readonly version: 'legacy' | 0 | 1;
  readonly bytes: Uint8Array;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly staticKeys: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly WireInstruction[];
  readonly lookups: readonly WireLookup[];
  /** Of version 1 alone. */
  readonly config: WireConfig | null;
};

export type WireTransaction = {
  readonly bytes: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** Base58 of the first signature: the transaction's name. */
  readonly signature: string;
  readonly message: WireMessage;
};

/** Bytes that are not a transaction or message; the message names the expected form. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Reads wire bytes without checking signatures. Throws WireError on anything a validator would fail to deserialize. */
export function decodeTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes[0] === V1_PREFIX) return decodeV1Transaction(bytes);
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw new WireError(
      `transaction is ${bytes.length} bytes, at most ${MAX_TRANSACTION_BYTES} fit a packet`,
    );
  }
  const reader = createReader(bytes);
  const count = reader.length();
  const signatures: Uint8Array[] = [];
  for (let i = 0; i < count; i += 1) signatures.push(reader.take(64));
  const [first] = signatures;
  if (first === undefined) throw new WireError('transaction carries no signature slot');
  const message = decodeMessage(bytes.subarray(reader.offset()));
  if (message.requiredSignatures !== count) {
    throw new WireError(
      `message requires ${message.requiredSignatures} signatures, transaction carries ${count}`,
    );
  }
  return { bytes, signatures, signature: toBase58(first), message };
}

/** Version 1 has its message first and its signatures behind it, without a count. */
function decodeV1Transaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length > MAX_V1_BYTES)
    throw new WireError(`transaction is ${bytes.length} bytes, at most ${MAX_V1_BYTES} are taken`);
  const count = bytes[1] ?? 0;
  const start = bytes.length - 64 * count;
  if (count === 0 || start <= 0) throw new WireError('transaction carries no signature slot');
  const message = decodeMessage(bytes.subarray(0, start));
  const signatures = Array.from({ length: count }, (_, i) =>
    bytes.subarray(start + 64 * i, start + 64 * (i + 1)),
  );
  return { bytes, signatures, signature: toBase58(signatures[0] ?? new Uint8Array()), message };
}

/** Reads a legacy, v0 or v1 message. Throws WireError on anything else, on trailing bytes and on indexes out of range. */
export function decodeMessage(bytes: Uint8Array): WireMessage {
  const reader = createReader(bytes);
  const prefix = bytes[0];
  if (prefix === undefined) throw new WireError('message is empty');
  if (prefix === V1_PREFIX) return decodeV1Message(bytes);
  const versioned = (prefix & 0x80) !== 0;
  if (versioned && (reader.byte() & 0x7f) !== 0)
    throw new WireError('message version is neither legacy, 0 nor 1');
  const requiredSignatures = reader.byte();
  const readonlySigned = reader.byte();
  const readonlyUnsigned = reader.byte();
  const staticKeys = reader.list(() => keyAddress(reader.take(32)));
  const blockhash = toBase58(reader.take(32));
  const instructions = reader.list(() => ({
    programIndex: reader.byte(),
    accounts: reader.take(reader.length()),
    data: reader.take(reader.length()),
  }));
  const lookups = versioned
    ? reader.list(() => ({
        table: keyAddress(reader.take(32)),
        writable: reader.take(reader.length()),
        readonly: reader.take(reader.length()),
      }))
    : [];
  if (reader.offset() !== bytes.length) throw new WireError('message has bytes after its end');
  const message: WireMessage = {
    version: versioned ? 0 : 'legacy',
    bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    blockhash,
    instructions,
    lookups,
    config: null,
  };
  assertIndexes(message);
  return message;
}

/** SIMD-0385: header, mask, blockhash, counts, addresses, config values, instruction headers, payloads. */
function decodeV1Message(bytes: Uint8Array): WireMessage {
  const reader = createReader(bytes);
  reader.byte();
  const [requiredSignatures, readonlySigned, readonlyUnsigned] = [
    reader.byte(),
    reader.byte(),
    reader.byte(),
  ];
  const mask = reader.number(4);
  if (mask > 31 || (mask & 3) === 1 || (mask & 3) === 2)
    throw new WireError('the config mask has bits that nothing defines');
  const blockhash = toBase58(reader.take(32));
  const [instructionCount, keyCount] = [reader.byte(), reader.byte()];
  if (keyCount > MAX_V1_ACCOUNTS || requiredSignatures > MAX_V1_SIGNATURES)
    throw new WireError('message names too many accounts');
  if (instructionCount > MAX_V1_INSTRUCTIONS) throw new WireError('message has too many instructions');
  const staticKeys = Array.from({ length: keyCount }, () => keyAddress(reader.take(32)));
  if (new Set(staticKeys).size < keyCount) throw new WireError('message lists an account twice');
  const config: WireConfig = {
    priorityFeeLamports: (mask & 3) === 3 ? viewOf(reader.take(8)).getBigUint64(0, true) : null,
    units: (mask & 4) === 0 ? null : reader.number(4),
    loadedBytes: (mask & 8) === 0 ? null : reader.number(4),
    heapBytes: (mask & 16) === 0 ? null : reader.number(4),
  };
  const heads = Array.from({ length: instructionCount }, () => ({
    programIndex: reader.byte(),
    accounts: reader.byte(),
    data: reader.number(2),
  }));
  const instructions = heads.map((head) => ({
    programIndex: head.programIndex,
    accounts: reader.take(head.accounts),
    data: reader.take(head.data),
  }));
  if (reader.offset() !== bytes.length) throw new WireError('message has bytes after its end');
  const message: WireMessage = {
    version: 1,
    bytes,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    blockhash,
    instructions,
    lookups: [],
    config,
  };
  assertIndexes(message);
  return message;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The wire form of a message with one all-zero signature per required signer, for simulation. */
export function unsignedTransaction(message: WireMessage): Uint8Array {
  if (message.version === 1) {
    const behind = new Uint8Array(message.bytes.length + 64 * message.requiredSignatures);
    behind.set(message.bytes);
    return behind;
  }
  const out = new Uint8Array(1 + 64 * message.requiredSignatures + message.bytes.length);
  out[0] = message.requiredSignatures;
  out.set(message.bytes, 1 + 64 * message.requiredSignatures);
  return out;
}

function assertIndexes(message: WireMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys } = message;
  const loaded = message.lookups.reduce((sum, one) => sum + one.writable.length + one.readonly.length, 0);
  const total = staticKeys.length + loaded;
  if (requiredSignatures === 0 || readonlySigned >= requiredSignatures) {
    throw new WireError('message has no writable signer to pay the fee');
  }
  if (requiredSignatures + readonlyUnsigned > staticKeys.length) {
    throw new WireError('message header counts more accounts than the message lists');
  }
  if (requiredSignatures > 127 || total > 256) throw new WireError('message names too many accounts');
  for (const one of message.instructions) {
    if (one.programIndex === 0 || one.programIndex >= staticKeys.length) {
      throw new WireError('an instruction names a program outside the static accounts');
    }
    for (const index of one.accounts) {
      if (index >= total) throw new WireError('an instruction names an account outside the message');
    }
  }
}

type Reader = {
  offset(): number;
  byte(): number;
  take(count: number): Uint8Array;
  length(): number;
  /** Little-endian, of so many bytes. */
  number(bytes: number): number;
  list<T>(item: () => T): T[];
};

function createReader(bytes: Uint8Array): Reader {
  let at = 0;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new WireError('unexpected end of bytes');
    at += 1;
    return value;
  };
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) throw new WireError('unexpected end of bytes');
    at += count;
    return bytes.subarray(at - count, at);
  };
  // Solana's compact-u16: seven bits per byte, at most three bytes.
  const length = (): number => {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if ((next & 0x80) === 0) {
        if (value > 0xffff) throw new WireError('a length exceeds 65,535');
        return value;
      }
    }
    throw new WireError('a length takes more than three bytes');
  };
  const list = <T>(item: () => T): T[] => {
    const count = length();
    const out: T[] = [];
    for (let i = 0; i < count; i += 1) out.push(item());
    return out;
  };
  const number = (count: number): number =>
    take(count).reduce((sum, value, index) => sum + value * 256 ** index, 0);
  return { offset: () => at, byte, take, length, number, list };
}
