import type { AccountState } from '../account-state.ts';
import { type Address, toBase58 } from '../address.ts';
import { type Config, isRecord } from './params.ts';
import { parseAccount, type ReadAccount } from './parse-account.ts';
import { INVALID_REQUEST, invalidParams, RpcError } from './rpc-error.ts';

const BASE58_LIMIT_BYTES = 128;
/** Every account here is rent-exempt, which the cluster writes as the largest u64. */
const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n;
const ENCODINGS = ['base58', 'base64', 'jsonParsed', 'binary'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The account in the encoding and slice that the configuration asks for. `read` serves the accounts that parsing needs to look up. */
export function encodeAccount(state: AccountState, config: Config, read: ReadAccount): unknown {
  return {
    data: encodeData(state, config, read),
    executable: state.executable,
    lamports: state.lamports,
    owner: state.owner,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: state.data.length,
  };
}

export function encodeKeyed(
  address: Address,
  state: AccountState,
  config: Config,
  read: ReadAccount,
): unknown {
  return { pubkey: address, account: encodeAccount(state, config, read) };
}

export function encodingOf(config: Config): Encoding {
  const value = config['encoding'];
  if (value === undefined || value === null) return 'binary';
  if (value === 'base64+zstd')
    throw invalidParams('"encoding" base64+zstd is not served here; ask for base64');
  const known = ENCODINGS.find((one) => one === value);
  if (known === undefined) throw invalidParams('"encoding" must be base58, base64 or jsonParsed');
  return known;
}

function encodeData(state: AccountState, config: Config, read: ReadAccount): unknown {
  const encoding = encodingOf(config);
  if (encoding === 'jsonParsed') {
    const parsed = parseAccount(state, read);
    if (parsed !== null) return parsed;
  }
  const data = sliceOf(state.data, config);
  if (encoding === 'base64' || encoding === 'jsonParsed')
    return [Buffer.from(data).toString('base64'), 'base64'];
  if (data.length > BASE58_LIMIT_BYTES) {
    throw new RpcError(
      INVALID_REQUEST,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return encoding === 'binary' ? toBase58(data) : [toBase58(data), 'base58'];
}

function sliceOf(data: Uint8Array, config: Config): Uint8Array {
  const slice = config['dataSlice'];
  if (slice === undefined || slice === null) return data;
  if (!isRecord(slice)) throw invalidParams('"dataSlice" must be { offset, length }');
  const { offset, length } = slice;
  if (!isCount(offset) || !isCount(length)) {
    throw invalidParams('"dataSlice" must be { offset, length } as integers from 0');
  }
  return data.subarray(offset, offset + length);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
