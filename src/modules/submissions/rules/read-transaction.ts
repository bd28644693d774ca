import { type Address, type Instruction, SYSTEM_PROGRAM, toBase58 } from '@tradepost/solana';
import {
  decodeUnresolved,
  UndecodableMessageError,
  type UnresolvedMessage,
} from '../../../engine/signing/rules/decode-message.ts';
import { partsOf } from '../../../engine/signing/rules/wire-transaction.ts';

/** The content of a signed transaction by itself. */
export type ReadTransaction = {
  readonly signature: string;
  readonly feePayer: Address;
  readonly blockhash: string;
  readonly message: Uint8Array;
  /** Each signer with its signature, in the order of the message. */
  readonly signatures: readonly { readonly signer: Address; readonly signature: Uint8Array }[];
};

export type TransactionProblem =
  | { readonly code: 'TRANSACTION_INVALID'; readonly reason: string }
  | { readonly code: 'TRANSACTION_VERSION_UNSUPPORTED' }
  | { readonly code: 'SIGNATURE_MISSING'; readonly signer: Address }
  | { readonly code: 'NONCE_NOT_SUPPORTED' };

const MOST_BYTES = { older: 1_232, v1: 4_096 } as const;
const SIGNATURE_BYTES = 64;
const VERSIONED = 0x80;
const ADVANCE_NONCE = 4;

/**
 * Reads the bytes of a transaction, all of them: version 0 and 1 and those before. Signatures are there, and not verified yet.
 * A form that another reader might read differently is refused.
 */
export function readTransaction(bytes: Uint8Array): ReadTransaction | TransactionProblem {
  const { message, signatures } = partsOf(bytes);
  const most = bytes[0] === (VERSIONED | 1) ? MOST_BYTES.v1 : MOST_BYTES.older;
  if (bytes.length > most) return invalid(`it has ${bytes.length} bytes; expected at most ${most}`);
  const first = message[0] ?? 0;
  if (first >= VERSIONED && first > (VERSIONED | 1)) return { code: 'TRANSACTION_VERSION_UNSUPPORTED' };
  const decoded = decodedOr(message);
  if (typeof decoded === 'string') return invalid(decoded);
  const { signers, instructions, blockhash } = decoded;
  if (signatures.length !== signers.length || signatures.some(({ length }) => length !== SIGNATURE_BYTES))
    return invalid(`its message names ${signers.length} signers, and it carries another count of signatures`);
  const pairs = signers.map((signer, index) => ({
    signer,
    signature: signatures[index] ?? new Uint8Array(SIGNATURE_BYTES),
  }));
  const missing = pairs.find(({ signature }) => signature.every((byte) => byte === 0));
  if (missing !== undefined) return { code: 'SIGNATURE_MISSING', signer: missing.signer };
  if (advancesNonce(instructions[0])) return { code: 'NONCE_NOT_SUPPORTED' };
  const [payer] = pairs;
  if (payer === undefined) return invalid('it names no signer');
  return {
    signature: toBase58(payer.signature),
    feePayer: payer.signer,
    blockhash,
    message,
    signatures: pairs,
  };
}

export const isProblem = (read: ReadTransaction | TransactionProblem): read is TransactionProblem =>
  'code' in read;

const invalid = (reason: string): TransactionProblem => ({ code: 'TRANSACTION_INVALID', reason });

function decodedOr(message: Uint8Array): UnresolvedMessage | string {
  try {
    return decodeUnresolved(message);
  } catch (error) {
    if (error instanceof UndecodableMessageError) return error.message;
    throw error;
  }
}

/** Such a transaction lives until its nonce is used, so no height proves that it is dead. */
function advancesNonce(first: Instruction | undefined): boolean {
  return (
    first?.programId === SYSTEM_PROGRAM && first.data.length >= 4 && readU32(first.data) === ADVANCE_NONCE
  );
}

const readU32 = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
