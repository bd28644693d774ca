import type { Address } from './address.ts';

export type AccountMeta = { readonly address: Address; readonly signer: boolean; readonly writable: boolean };

/** One instruction as plain data: the chain adapter compiles it and the signing policy reads it back. */
export type Instruction = {
  readonly programId: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
};
