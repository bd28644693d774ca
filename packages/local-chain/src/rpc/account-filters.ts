import type { AccountState } from '../account-state.ts';
import { fromBase58 } from '../address.ts';
import { readTokenAccount } from '../token-account.ts';
import { asInteger, type Config, isRecord } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;

export type AccountFilter = (state: AccountState) => boolean;

/** One predicate for the `filters` of a program-accounts request; all must hold. */
export function accountFilter(config: Config): AccountFilter {
  const given = config['filters'];
  if (given === undefined || given === null) return () => true;
  if (!Array.isArray(given)) throw invalidParams('"filters" must be a list');
  if (given.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  const filters = given.map(readFilter);
  return (state) => filters.every((filter) => filter(state));
}

function readFilter(given: unknown): AccountFilter {
  if (given === 'tokenAccountState') return (state) => readTokenAccount(state) !== null;
  if (isRecord(given) && 'tokenAccountState' in given) return (state) => readTokenAccount(state) !== null;
  if (isRecord(given) && 'dataSize' in given) {
    const size = asInteger(given['dataSize'], '"dataSize" must be given');
    return (state) => state.data.length === size;
  }
  if (isRecord(given) && isRecord(given['memcmp'])) return readMemcmp(given['memcmp']);
  throw invalidParams('each filter must be { dataSize } or { memcmp: { offset, bytes, encoding? } }');
}

function readMemcmp(memcmp: Config): AccountFilter {
  const offset = asInteger(memcmp['offset'], '"memcmp.offset" must be given');
  const wanted = memcmpBytes(memcmp);
  if (wanted.length > MAX_MEMCMP_BYTES)
    throw invalidParams(`"memcmp.bytes" may hold at most ${MAX_MEMCMP_BYTES} bytes`);
  return ({ data }) =>
    data.length >= offset + wanted.length &&
    Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

function memcmpBytes(memcmp: Config): Uint8Array {
  const { bytes, encoding } = memcmp;
  if (Array.isArray(bytes)) return Uint8Array.from(bytes.map(Number));
  if (typeof bytes !== 'string') throw invalidParams('"memcmp.bytes" must be text');
  if (encoding === 'base64') return Buffer.from(bytes, 'base64');
  if (encoding !== undefined && encoding !== null && encoding !== 'base58' && encoding !== 'binary') {
    throw invalidParams('"memcmp.encoding" must be base58 or base64');
  }
  const decoded = fromBase58(bytes);
  if (decoded === null) throw invalidParams('"memcmp.bytes" is not base58');
  return decoded;
}
