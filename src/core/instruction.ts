import type { Address } from './address/address.ts';

export type AccountMeta = { readonly address: Address; readonly signer: boolean; readonly writable: boolean };

/** One instruction as plain data: what the chain adapter compiles and the signing policy reads back. */
export type Instruction = {
  readonly programId: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};
