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

/** A transaction in a block, with everything its metadata will ever be asked for. */
export type LandedTransaction = Outcome & {
  readonly slot: number;
  readonly unixSeconds: number;
  readonly signature: string;
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
