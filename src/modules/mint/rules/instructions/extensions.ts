import { type Address, type Instruction, type SpecExtensions, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { concat, i16, key, keyOrZeros, optionalKey, u8, u16, u64 } from '@tradepost/solana/bytes';
import { writes } from './token-program.ts';

/**
 * Initialisations of mint extensions; they come before InitializeMint2, in any order among themselves. Source of truth: spl-token-2022
 * `TokenInstruction` and its extension instructions.
 */
export function initializeExtensions(mint: Address, extensions: SpecExtensions): readonly Instruction[] {
  const { transferFee, mintCloseAuthority, defaultAccountState, interest, permanentDelegate } = extensions;
  const data: Uint8Array[] = [];
  if (transferFee !== null) {
    const { configAuthority, withdrawalAuthority, bps, maximum } = transferFee;
    data.push(
      concat(
        u8(26),
        u8(0),
        optionalKey(configAuthority),
        optionalKey(withdrawalAuthority),
        u16(bps),
        u64(maximum),
      ),
    );
  }
  if (mintCloseAuthority !== null) data.push(concat(u8(25), optionalKey(mintCloseAuthority)));
  if (defaultAccountState !== null) {
    data.push(concat(u8(28), u8(0), u8(defaultAccountState === 'frozen' ? 2 : 1)));
  }
  if (extensions.nonTransferable) data.push(u8(32));
  if (interest !== null) data.push(concat(u8(33), u8(0), key(interest.authority), i16(interest.bps)));
  if (permanentDelegate !== null) data.push(concat(u8(35), key(permanentDelegate)));
  return data.map((bytes) => onMint(mint, bytes));
}

/** The mint names itself as the place of its metadata, and it can never be pointed elsewhere. */
export function initializeMetadataPointer(mint: Address): Instruction {
  return onMint(mint, concat(u8(39), u8(0), keyOrZeros(null), key(mint)));
}

function onMint(mint: Address, data: Uint8Array): Instruction {
  return { programId: TOKEN_2022_PROGRAM, accounts: [writes(mint)], data };
}
