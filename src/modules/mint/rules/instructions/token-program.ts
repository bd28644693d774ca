import {
  type AccountMeta,
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
} from '@tradepost/solana';
import { concat, key, optionalKey, u8, u32, u64 } from '@tradepost/solana/bytes';

/**
 * The instructions of a creation to the system program and to either token program, which share these. Source of truth: solana-sdk
 * `SystemInstruction`, spl-token `TokenInstruction`, spl-associated-token-account.
 */

export const writes = (address: Address): AccountMeta => ({ address, signer: false, writable: true });
export const reads = (address: Address): AccountMeta => ({ address, signer: false, writable: false });
export const signs = (address: Address): AccountMeta => ({ address, signer: true, writable: false });
export const pays = (address: Address): AccountMeta => ({ address, signer: true, writable: true });

export function createAccount(input: {
  readonly payer: Address;
  readonly account: Address;
  readonly lamports: bigint;
  readonly space: number;
  readonly owner: Address;
}): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [pays(input.payer), pays(input.account)],
    data: concat(u32(0), u64(input.lamports), u64(BigInt(input.space)), key(input.owner)),
  };
}

export function transferSol(from: Address, to: Address, lamports: bigint): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [pays(from), writes(to)],
    data: concat(u32(2), u64(lamports)),
  };
}

export function initializeMint(
  tokenProgram: Address,
  input: {
    readonly mint: Address;
    readonly decimals: number;
    readonly mintAuthority: Address;
    readonly freezeAuthority: Address | null;
  },
): Instruction {
  return {
    programId: tokenProgram,
    accounts: [writes(input.mint)],
    data: concat(u8(20), u8(input.decimals), key(input.mintAuthority), optionalKey(input.freezeAuthority)),
  };
}

/** Idempotent; the program itself checks that `account` is the owner's associated one. */
export function openAssociatedAccount(
  tokenProgram: Address,
  input: {
    readonly payer: Address;
    readonly account: Address;
    readonly owner: Address;
    readonly mint: Address;
  },
): Instruction {
  return {
    programId: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      pays(input.payer),
      writes(input.account),
      reads(input.owner),
      reads(input.mint),
      reads(SYSTEM_PROGRAM),
      reads(tokenProgram),
    ],
    data: u8(1),
  };
}

export function thawAccount(
  tokenProgram: Address,
  account: Address,
  mint: Address,
  authority: Address,
): Instruction {
  return {
    programId: tokenProgram,
    accounts: [writes(account), reads(mint), signs(authority)],
    data: u8(11),
  };
}

export function mintTo(
  tokenProgram: Address,
  input: {
    readonly mint: Address;
    readonly account: Address;
    readonly authority: Address;
    readonly amount: bigint;
  },
): Instruction {
  return {
    programId: tokenProgram,
    accounts: [writes(input.mint), writes(input.account), signs(input.authority)],
    data: concat(u8(7), u64(input.amount)),
  };
}

const AUTHORITY_TYPE = { mint: 0, freeze: 1 } as const;

/** Gives an authority of the mint up for ever. */
export function dropAuthority(
  tokenProgram: Address,
  mint: Address,
  authority: Address,
  which: keyof typeof AUTHORITY_TYPE,
): Instruction {
  return {
    programId: tokenProgram,
    accounts: [writes(mint), signs(authority)],
    data: concat(u8(6), u8(AUTHORITY_TYPE[which]), optionalKey(null)),
  };
}
