import { AggregatorError } from '../../ports/aggregator.ts';

const SIGNATURE_BYTES = 64;

/** The message of a wire transaction with one place for a signature, ours. The bytes in that place are dropped. */
export function unsignedMessage(wire: Uint8Array): Uint8Array {
  if (wire[0] !== 1 || wire.length <= 1 + SIGNATURE_BYTES) {
    throw new AggregatorError('contradiction', 'expected a transaction with one signer');
  }
  return wire.slice(1 + SIGNATURE_BYTES);
}
