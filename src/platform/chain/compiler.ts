import type { Address } from '@tradepost/solana';
import { MAX_LOCKS, PACKET_BYTES } from '../../modules/trading/rules/message-size.ts';
import type { MessageCompiler } from '../ports/chain.ts';
import { encodeMessage, encodeVersion1 } from './encode-message.ts';

const SIGNATURE_BYTES = 64;

const V1_PREFIX = 0x81;

/** Compiles messages of version 0 and 1. */
export function createMessageCompiler(): MessageCompiler {
  return {
    compile: ({ payer, instructions, blockhash, lookupTables = [], version1 }) => {
      if (version1 !== undefined) {
        const { loadedBytes } = version1;
        const made = encodeVersion1({ payer, instructions, blockhash, loadedBytes });
        const { bytes, signers, writable, dropped } = made;
        return { bytes, signers, writable, version: 1, dropped };
      }
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
      return { bytes, signers, writable, version: 0, dropped: 0 };
    },

    assemble: (message, signatures) => {
      const given = new Set<Address>(signatures.keys());
      const isVersion1 = message.bytes[0] === V1_PREFIX;
      // Version 1 has its signatures behind the message, without a count. Of others at most 19 fit a packet: one byte counts them.
      const head = isVersion1 ? 0 : 1;
      const room = message.signers.length * SIGNATURE_BYTES;
      const wire = new Uint8Array(head + room + message.bytes.length);
      if (!isVersion1) wire[0] = message.signers.length;
      const signaturesAt = isVersion1 ? message.bytes.length : head;
      message.signers.forEach((signer, index) => {
        const signature = signatures.get(signer);
        if (signature === undefined) throw new RangeError(`no signature of ${signer}`);
        if (signature.length !== SIGNATURE_BYTES) {
          throw new RangeError(`a signature has ${SIGNATURE_BYTES} bytes, not ${signature.length}`);
        }
        wire.set(signature, signaturesAt + index * SIGNATURE_BYTES);
        given.delete(signer);
      });
      const [stranger] = given;
      if (stranger !== undefined) throw new RangeError(`${stranger} does not sign this message`);
      wire.set(message.bytes, isVersion1 ? 0 : head + room);
      return wire;
    },
  };
}
