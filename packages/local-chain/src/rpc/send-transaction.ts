import { transactionErrorText } from '../transaction-error.ts';
import type { Method } from './method.ts';
import { assertMinContextSlot, commitmentOf, configParam } from './params.ts';
import { PREFLIGHT_FAILURE, RpcError, SIGNATURE_VERIFICATION_FAILURE } from './rpc-error.ts';
import { transactionParam } from './transaction-input.ts';

/**
 * Preflights unless `skipPreflight` is set, then lands the transaction in the open slot. As on a cluster the answer to a transaction that
 * passed (or skipped) preflight is its signature, whether or not a leader will take it.
 */
export const sendTransaction: Method = (params, { chain }) => {
  const config = configParam(params, 1);
  const transaction = transactionParam(params, config);
  const commitment = commitmentOf(config, 'preflightCommitment');
  assertMinContextSlot(config, chain.slots.at(commitment));
  const skipPreflight = config['skipPreflight'] === true;
  if (!skipPreflight) {
    const outcome = chain.simulate(transaction, { verifySignatures: true, checkBlockhash: true, commitment });
    if (outcome.err === 'SignatureFailure') {
      throw new RpcError(SIGNATURE_VERIFICATION_FAILURE, 'Transaction signature verification failure');
    }
    if (outcome.err !== null) {
      throw new RpcError(
        PREFLIGHT_FAILURE,
        `Transaction simulation failed: ${transactionErrorText(outcome.err)}`,
        {
          accounts: null,
          err: outcome.err,
          innerInstructions: null,
          logs: outcome.logs,
          replacementBlockhash: null,
          returnData: null,
          unitsConsumed: outcome.units,
        },
      );
    }
  }
  chain.submit(transaction, { signaturesVerified: !skipPreflight });
  return transaction.signature;
};
