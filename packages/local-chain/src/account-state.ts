import type { Address } from './address.ts';

/** One account in its state at some slot. Data is never changed in place. */
export type AccountState = {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: Address;
  readonly executable: boolean;
};
