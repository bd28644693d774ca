import {
  type Address,
  type Instruction,
  METADATA_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { SEAL_NATIVE_METADATA } from '../../mint/rules/instructions/metadata.ts';
import type { PassportAuthority } from './passport.ts';

/**
 * The authorities over `mint` that exist no more once these instructions have landed, the ones it was made without included. Each of the
 * three is final on the chain, so an authority named here was given up here and nowhere else. Instructions that a program calls by itself
 * are not seen. A Metaplex record is taken for the mint's own only where one of the instructions says both. Source of truth: spl-token
 * `InitializeMint` (0, 20) and `SetAuthority` (6), spl-token-metadata-interface `UpdateAuthority`, mpl-token-metadata
 * `CreateMetadataAccountV3` (33).
 */
export function givenUpIn(
  instructions: readonly Instruction[],
  mint: Address,
): ReadonlySet<PassportAuthority> {
  const found = new Set<PassportAuthority>();
  for (const { programId, accounts, data } of instructions) {
    const isToken = programId === TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM;
    if (isToken && accounts[0]?.address === mint) {
      const [tag, what, holder] = data;
      // The freeze authority is optional from the start: one byte behind decimals and the mint authority.
      if ((tag === 0 || tag === 20) && data[34] === 0) found.add('freeze');
      if (tag === 6 && holder === 0 && what === 0) found.add('mint');
      if (tag === 6 && holder === 0 && what === 1) found.add('freeze');
      if (isSealed(data)) found.add('update');
    }
    // Mutability is the last byte but one: our own creations and the vendor's without collection details end so.
    const isRecordOfMint = programId === METADATA_PROGRAM && data[0] === 33 && accounts[1]?.address === mint;
    if (isRecordOfMint && data.at(-1) === 0 && data.at(-2) === 0) found.add('update');
  }
  return found;
}

/** `UpdateAuthority` to the zero key, which belongs to no person. */
function isSealed(data: Uint8Array): boolean {
  const head = SEAL_NATIVE_METADATA.length;
  return (
    data.length === head + 32 &&
    SEAL_NATIVE_METADATA.every((byte, index) => data[index] === byte) &&
    data.subarray(head).every((byte) => byte === 0)
  );
}
