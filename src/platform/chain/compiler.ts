import type { Address } from '../../core/address/address.ts';
import { MAX_LOCKS, PACKET_BYTES } from '../../modules/trading/rules/message-size.ts';
import type { MessageCompiler } from '../ports/chain.ts';
import { encodeMessage } from './encode-message.ts';

const SIGNATURE_BYTES = 64;

/** Compiles v0 messages. */
export function createMessageCompiler(): MessageCompiler {
  return {
    compile: ({ payer, instructions, blockhash, lookupTables = [] }) => {
      const { bytes, signers, writable, locks } = encodeMessage({
        payer,
        instructions,
        blockhash,
        lookupTables,
      });
      if (locks > MAX_LOCKS) throw new RangeError(`a transaction locks at most ${MAX_LOCKS} accounts`);
      const size = 1 + signers.length * SIGNATURE_BYTES + bytes.length;
      if (size > PACKET_BYTES) {
        throw new RangeError(`the transaction needs ${size} bytes; a packet holds ${PACKET_BYTES}`);
      }
      return { bytes, signers, writable };
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
