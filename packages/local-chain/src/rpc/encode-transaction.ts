import { toBase58 } from '../address.ts';
import type { LandedTransaction, TokenBalance } from '../landed-transaction.ts';
import type { Outcome } from '../svm.ts';
import { decodeTransaction, type WireInstruction, type WireMessage } from '../wire.ts';
import type { Config } from './params.ts';
import { type KeyedInstruction, parseInstruction } from './parse-instruction.ts';
import { invalidParams, RpcError, UNSUPPORTED_TRANSACTION_VERSION } from './rpc-error.ts';
import { uiAmount } from './ui-amount.ts';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58';
const ENCODINGS: readonly TransactionEncoding[] = ['json', 'jsonParsed', 'base64', 'base58'];

export function transactionEncoding(config: Config): TransactionEncoding {
  const value = config['encoding'] ?? 'json';
  const known = ENCODINGS.find((one) => one === value);
  if (known === undefined) throw invalidParams('"encoding" must be json, jsonParsed, base64 or base58');
  return known;
}

/** The extra parts that the caller wants to see. */
export type Shown = { readonly maxVersion: number | undefined; readonly rewards: boolean };

/**
 * `{ transaction, meta, version? }` of a landed transaction. Refuses (-32015) a version above what the caller declares to understand; only
 * callers that declared one get the version itself, as on a cluster.
 */
export function encodeTransaction(
  landed: LandedTransaction,
  encoding: TransactionEncoding,
  shown: Shown,
): Record<string, unknown> {
  const { message, signatures } = decodeTransaction(landed.bytes);
  return {
    transaction: encodeBody(landed, message, signatures, encoding),
    meta: encodeMeta(landed, encoding, shown),
    ...versionOf(message, shown),
  };
}

/** The same without instructions: the signers, the accounts, and the changes of their balances. */
export function encodeAccounts(landed: LandedTransaction, shown: Shown): Record<string, unknown> {
  const { message, signatures } = decodeTransaction(landed.bytes);
  return {
    transaction: { signatures: signatures.map(toBase58), accountKeys: parsedKeys(landed, message) },
    meta: encodeBalances(landed, shown),
    ...versionOf(message, shown),
  };
}

function versionOf(message: WireMessage, { maxVersion }: Shown): Record<string, unknown> {
  const { version } = message;
  if (version !== 'legacy' && (maxVersion === undefined || version > maxVersion)) {
    throw new RpcError(
      UNSUPPORTED_TRANSACTION_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  return maxVersion === undefined ? {} : { version: message.version };
}

/** Inner instructions as the metadata and simulations list them. */
export function encodeInner(
  inner: Outcome['inner'],
  keys: LandedTransaction['keys'],
  encoding: TransactionEncoding,
): unknown {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one) =>
      encodeInstruction(
        { programIndex: one.programIndex, accounts: Uint8Array.from(one.accounts), data: one.data },
        keys,
        encoding,
        one.stackHeight,
      ),
    ),
  }));
}

export function encodeReturnData(returnData: Outcome['returnData']): unknown {
  if (returnData === null) return null;
  return {
    programId: returnData.programId,
    data: [Buffer.from(returnData.data).toString('base64'), 'base64'],
  };
}

function encodeBody(
  landed: LandedTransaction,
  message: WireMessage,
  signatures: readonly Uint8Array[],
  encoding: TransactionEncoding,
): unknown {
  if (encoding === 'base64') return [Buffer.from(landed.bytes).toString('base64'), 'base64'];
  if (encoding === 'base58') return [toBase58(landed.bytes), 'base58'];
  const instructions = message.instructions.map((one) => encodeInstruction(one, landed.keys, encoding, null));
  const lookups =
    message.version !== 0
      ? configOf(message)
      : {
          addressTableLookups: message.lookups.map((one) => ({
            accountKey: one.table,
            writableIndexes: [...one.writable],
            readonlyIndexes: [...one.readonly],
          })),
        };
  const head =
    encoding === 'jsonParsed'
      ? { accountKeys: parsedKeys(landed, message) }
      : {
          header: {
            numRequiredSignatures: message.requiredSignatures,
            numReadonlySignedAccounts: message.readonlySigned,
            numReadonlyUnsignedAccounts: message.readonlyUnsigned,
          },
          accountKeys: message.staticKeys,
        };
  return {
    signatures: signatures.map(toBase58),
    message: { ...head, recentBlockhash: message.blockhash, instructions, ...lookups },
  };
}

function configOf({ config }: WireMessage): Record<string, unknown> {
  if (config === null) return {};
  return {
    transactionConfig: {
      priorityFee: config.priorityFeeLamports,
      computeUnitLimit: config.units,
      loadedAccountsDataSizeLimit: config.loadedBytes,
      heapSize: config.heapBytes,
    },
  };
}

function parsedKeys(landed: LandedTransaction, message: WireMessage): unknown {
  return landed.keys.map((pubkey, i) => ({
    pubkey,
    signer: i < message.requiredSignatures,
    writable: landed.writable[i] === true,
    source: i < message.staticKeys.length ? 'transaction' : 'lookupTable',
  }));
}

function encodeInstruction(
  instruction: WireInstruction,
  keys: LandedTransaction['keys'],
  encoding: TransactionEncoding,
  stackHeight: number | null,
): unknown {
  const { programIndex, data } = instruction;
  const accounts = [...instruction.accounts];
  if (encoding !== 'jsonParsed')
    return { programIdIndex: programIndex, accounts, data: toBase58(data), stackHeight };
  const keyed: KeyedInstruction = {
    programId: keys[programIndex] ?? '',
    accounts: accounts.map((index) => keys[index] ?? ''),
    data,
  };
  const parsed = parseInstruction(keyed);
  return parsed === null
    ? { programId: keyed.programId, accounts: keyed.accounts, data: toBase58(data), stackHeight }
    : { ...parsed, programId: keyed.programId, stackHeight };
}

function encodeMeta(landed: LandedTransaction, encoding: TransactionEncoding, shown: Shown): unknown {
  return {
    ...encodeBalances(landed, shown),
    innerInstructions: encodeInner(landed.inner, landed.keys, encoding),
    logMessages: landed.logs,
    ...(encoding === 'jsonParsed' ? {} : { loadedAddresses: landed.loaded }),
    ...(landed.returnData === null ? {} : { returnData: encodeReturnData(landed.returnData) }),
    computeUnitsConsumed: landed.units,
  };
}

function encodeBalances(landed: LandedTransaction, { rewards }: Shown): Record<string, unknown> {
  return {
    err: landed.err,
    status: landed.err === null ? { Ok: null } : { Err: landed.err },
    fee: landed.feeLamports,
    preBalances: landed.preLamports,
    postBalances: landed.postLamports,
    preTokenBalances: landed.preTokens.map(encodeTokenBalance),
    postTokenBalances: landed.postTokens.map(encodeTokenBalance),
    ...(rewards ? { rewards: [] } : {}),
  };
}

function encodeTokenBalance(balance: TokenBalance): unknown {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner,
    programId: balance.program,
    uiTokenAmount: uiAmount(balance.amount, balance.decimals),
  };
}
