import type { Address } from './address.ts';

export type ChainAccount = {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
};
