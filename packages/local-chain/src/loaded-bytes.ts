import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import { keyAddress } from './address-cache.ts';

/** An account counts this much beside its data, and a lookup table as if it were full. Source of truth: SIMD-0186. */
const ACCOUNT_BYTES = 64;
const TABLE_BYTES = 8_248;
const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
/** Of a program's account: a u32 that says what it is, and the address of its code. */
const CODE_AT = 4;

/** Bytes that a transaction of these accounts loads, as a cluster counts them: programs with their code, tables in full. */
export function loadedBytes(
  keys: readonly Address[],
  tables: number,
  account: (address: Address) => AccountState | null,
): number {
  const sizeOf = (key: Address): number => {
    const state = account(key);
    return state === null ? 0 : ACCOUNT_BYTES + state.data.length;
  };
  const codeOf = (key: Address): number => {
    const state = account(key);
    if (state?.owner !== UPGRADEABLE_LOADER || state.data.length < CODE_AT + 32) return 0;
    return sizeOf(keyAddress(state.data.subarray(CODE_AT, CODE_AT + 32)));
  };
  return tables * TABLE_BYTES + keys.reduce((sum, key) => sum + sizeOf(key) + codeOf(key), 0);
}
