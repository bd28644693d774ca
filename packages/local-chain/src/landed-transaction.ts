import type { Address } from './address.ts';
import type { Outcome } from './svm.ts';

export type TokenBalance = {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly program: Address;
  readonly amount: bigint;
  readonly decimals: number;
};

/** How a transaction ended, and where. */
export type TransactionStatus = {
  readonly signature: string;
  readonly slot: number;
  readonly err: Outcome['err'];
};

/** A transaction in a block, with everything its metadata will ever be asked for. */
export type LandedTransaction = Outcome &
  TransactionStatus & {
    readonly unixSeconds: number;
    readonly bytes: Uint8Array;
    readonly keys: readonly Address[];
    readonly writable: readonly boolean[];
    readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
    readonly feeLamports: bigint;
    readonly preLamports: readonly bigint[];
    readonly postLamports: readonly bigint[];
    readonly preTokens: readonly TokenBalance[];
    readonly postTokens: readonly TokenBalance[];
  };

/** The engine's rough size of one object, array or typed array besides its contents. A plain transfer measured 3.3 kB. */
const OBJECT_BYTES = 100;
const OBJECTS = 20;
/** A key in the list, in three indexes, with its flag and two balances (a bigint is an object of its own). */
const KEY_BYTES = 120;
const TOKEN_BYTES = 160;

/** An estimate of the memory that holding the transaction takes, in bytes; the same for the same transaction at any time. */
export function weightOf(landed: LandedTransaction): number {
  let bytes = OBJECTS * OBJECT_BYTES + landed.bytes.length + landed.keys.length * KEY_BYTES;
  for (const line of landed.logs) bytes += OBJECT_BYTES / 4 + line.length;
  bytes += (landed.preTokens.length + landed.postTokens.length) * TOKEN_BYTES;
  for (const { instructions } of landed.inner) {
    for (const one of instructions) bytes += 3 * OBJECT_BYTES + one.data.length + one.accounts.length * 8;
  }
  return bytes + (landed.returnData?.data.length ?? 0);
}
