import type { Simulated } from '../chain.ts';
import { loadedBytes } from '../loaded-bytes.ts';
import { MAX_BLOCKHASH_AGE } from '../slots.ts';
import { encodeAccount } from './encode-account.ts';
import { encodeInner, encodeReturnData } from './encode-transaction.ts';
import type { Method } from './method.ts';
import { asAddress, type Config, configParam, isRecord, viewOf, withContext } from './params.ts';
import { invalidParams, RpcError, SIGNATURE_VERIFICATION_FAILURE } from './rpc-error.ts';
import { transactionParam } from './transaction-input.ts';

/** Runs a transaction at the commitment and shows its effects. */
export const simulateTransaction: Method = (params, { chain }) => {
  const config = configParam(params, 1);
  const transaction = transactionParam(params, config);
  const verifySignatures = config['sigVerify'] === true;
  const replaces = config['replaceRecentBlockhash'] === true;
  if (verifySignatures && replaces)
    throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const view = viewOf(chain, config);
  const watched = watchedAccounts(config);
  const outcome = chain.simulate(transaction, {
    verifySignatures,
    checkBlockhash: !replaces,
    commitment: chain.slots.commitmentOf(view.slot),
  });
  if (outcome.err === 'SignatureFailure') {
    throw new RpcError(SIGNATURE_VERIFICATION_FAILURE, 'Transaction signature verification failure');
  }
  const changes = watched === null ? new Map<string, never>() : outcome.after();
  const stateAfter = (address: ReturnType<typeof asAddress>) => {
    const changed = changes.get(address);
    const state = changed ?? view.account(address);
    return state === null || state.lamports === 0n ? null : state;
  };
  return withContext(view.slot, {
    err: outcome.err,
    logs: outcome.logs,
    accounts:
      watched === null
        ? null
        : watched.addresses.map((address) => {
            const state = stateAfter(address);
            return state === null ? null : encodeAccount(state, watched.config, stateAfter);
          }),
    unitsConsumed: outcome.units,
    loadedAccountsDataSize: loadedBytes(
      outcome.keys?.keys ?? [],
      transaction.message.lookups.length,
      view.account,
    ),
    returnData: encodeReturnData(outcome.returnData),
    innerInstructions: config['innerInstructions'] === true ? innerOf(outcome) : null,
    replacementBlockhash: replaces
      ? {
          blockhash: chain.slots.hashOf(view.slot),
          lastValidBlockHeight: chain.slots.heightOf(view.slot) + MAX_BLOCKHASH_AGE,
        }
      : null,
  });
};

function innerOf(outcome: Simulated): unknown {
  return encodeInner(outcome.inner, outcome.keys?.keys ?? [], 'json');
}

function watchedAccounts(config: Config) {
  const given = config['accounts'];
  if (given === undefined || given === null) return null;
  if (!isRecord(given) || !Array.isArray(given['addresses'])) {
    throw invalidParams('"accounts" must be { addresses, encoding? }');
  }
  const encoding = given['encoding'] ?? 'base64';
  if (encoding !== 'base64' && encoding !== 'jsonParsed') {
    throw invalidParams('"accounts.encoding" must be base64 or jsonParsed');
  }
  const addresses = given['addresses'].map((one) => asAddress(one, 'each watched account must be given'));
  return { addresses, config: { encoding } };
}
