import type { SignatureStatus as RpcStatus } from '@solana/web3.js';
import type { SignatureStatus } from '../ports/chain.ts';

/** A node without a confirmation level has seen the transaction and claims no more than that. */
export function signatureStatus(status: RpcStatus | null): SignatureStatus | null {
  if (status === null) return null;
  return {
    slot: BigInt(status.slot),
    level: status.confirmationStatus ?? 'processed',
    err: status.err === null ? null : JSON.stringify(status.err),
  };
}
