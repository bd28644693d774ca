import type { Address, Instruction } from '@tradepost/solana';
import { sealMetaplexRecord, sealNativeMetadata } from './metadata.ts';
import { dropAuthority } from './token-program.ts';

/** The authorities that a creator can give up after the creation. `update` = changing name, symbol and URI. */
export type RevocableAuthority = 'mint' | 'freeze' | 'update';

export const REVOCABLE_AUTHORITIES: readonly RevocableAuthority[] = ['freeze', 'mint', 'update'];

/** The one instruction that gives `authority` up for ever. `record` is the Metaplex record, null for metadata inside the mint. */
export function revokeInstruction(input: {
  readonly authority: RevocableAuthority;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly holder: Address;
  readonly record: Address | null;
}): Instruction {
  const { authority, mint, tokenProgram, holder, record } = input;
  if (authority !== 'update') return dropAuthority(tokenProgram, mint, holder, authority);
  return record === null ? sealNativeMetadata(mint, holder) : sealMetaplexRecord(record, holder);
}
