import { fromBase58 } from '../address.ts';
import { decodeTransaction, MAX_V1_BYTES, WireError, type WireTransaction } from '../wire.ts';
import type { Config, Params } from './params.ts';
import { stringParam } from './params.ts';
import { INVALID_PARAMS, invalidParams, RpcError } from './rpc-error.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes sent as text in the configuration's encoding (base58 when it names none). */
export function bytesParam(params: Params, index: number, what: string, config: Config): Uint8Array {
  const text = stringParam(params, index, what);
  const encoding = config['encoding'] ?? 'base58';
  if (encoding === 'base64') {
    if (!BASE64.test(text) || text.length % 4 !== 0) throw invalidParams(`${what} is not valid base64`);
    return new Uint8Array(Buffer.from(text, 'base64'));
  }
  if (encoding !== 'base58') throw invalidParams('"encoding" must be base64 or base58');
  const bytes = text.length > 2 * MAX_V1_BYTES ? null : fromBase58(text);
  if (bytes === null) throw invalidParams(`${what} is not valid base58`);
  return bytes;
}

/** The transaction in the first parameter. Refuses bytes that a validator could not deserialize or fit into a packet. */
export function transactionParam(params: Params, config: Config): WireTransaction {
  const bytes = bytesParam(params, 0, 'the transaction', config);
  return readWire(() => decodeTransaction(bytes));
}

/** Runs a decoder and turns its complaint into the protocol's. */
export function readWire<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new RpcError(INVALID_PARAMS, `failed to deserialize solana_transaction: ${error.message}`);
  }
}
