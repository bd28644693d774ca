import { PACKET_DATA_SIZE, TransactionInstruction, TransactionMessage } from '@solana/web3.js';
import type { Address } from '../../core/address/address.ts';
import type { MessageCompiler } from '../../core/ports/chain.ts';
import { publicKey, toAddress } from './instruction-codec.ts';

const SIGNATURE_BYTES = 64;
/** Solana refuses a transaction that locks more accounts than this. */
const MAX_ACCOUNTS = 64;

/** Compiles v0 messages without lookup tables. */
export function createMessageCompiler(): MessageCompiler {
  return {
    compile: ({ payer, instructions, blockhash }) => {
      const message = new TransactionMessage({
        payerKey: publicKey(payer),
        recentBlockhash: blockhash,
        instructions: instructions.map(
          (instruction) =>
            new TransactionInstruction({
              programId: publicKey(instruction.programId),
              keys: instruction.accounts.map((meta) => ({
                pubkey: publicKey(meta.address),
                isSigner: meta.signer,
                isWritable: meta.writable,
              })),
              data: Buffer.from(instruction.data),
            }),
        ),
      }).compileToV0Message();
      if (message.staticAccountKeys.length > MAX_ACCOUNTS) {
        throw new RangeError(`a transaction locks at most ${MAX_ACCOUNTS} accounts`);
      }
      const bytes = serialize(() => message.serialize());
      const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
      const size = 1 + signers.length * SIGNATURE_BYTES + bytes.length;
      if (size > PACKET_DATA_SIZE) throw tooLarge(`${size} bytes`);
      return {
        bytes,
        signers: signers.map(toAddress),
        writable: message.staticAccountKeys
          .filter((_, index) => message.isAccountWritable(index))
          .map(toAddress),
      };
    },

    assemble: (message, signatures) => {
      const given = new Set<Address>(signatures.keys());
      const wire = new Uint8Array(1 + message.signers.length * SIGNATURE_BYTES + message.bytes.length);
      // At most 19 signatures fit a packet, so the compact length is always one byte.
      wire[0] = message.signers.length;
      message.signers.forEach((signer, index) => {
        const signature = signatures.get(signer);
        if (signature === undefined) throw new RangeError(`no signature of ${signer}`);
        if (signature.length !== SIGNATURE_BYTES) {
          throw new RangeError(`a signature has ${SIGNATURE_BYTES} bytes, not ${signature.length}`);
        }
        wire.set(signature, 1 + index * SIGNATURE_BYTES);
        given.delete(signer);
      });
      const [stranger] = given;
      if (stranger !== undefined) throw new RangeError(`${stranger} does not sign this message`);
      wire.set(message.bytes, 1 + message.signers.length * SIGNATURE_BYTES);
      return wire;
    },
  };
}

/** web3.js writes into a buffer of one packet and overruns it with errors of several kinds. */
function serialize(write: () => Uint8Array): Uint8Array {
  try {
    return write();
  } catch (cause) {
    throw tooLarge('more than a packet', cause);
  }
}

function tooLarge(size: string, cause?: unknown): RangeError {
  return new RangeError(`the transaction needs ${size}; a packet holds ${PACKET_DATA_SIZE} bytes`, { cause });
}
