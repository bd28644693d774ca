import { createHash, createPublicKey, verify } from 'node:crypto';
import { addressBytes } from '@tradepost/solana';
import type { SignatureChecks } from '../ports/signature-checks.ts';

/** The DER bytes before the 32 bytes of an Ed25519 key. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export function createSignatureChecks(): SignatureChecks {
  return {
    isSigned: (message, signer, signature) => {
      const der = Buffer.concat([ED25519_SPKI, addressBytes(signer)]);
      return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
    },
    sha256: (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  };
}
