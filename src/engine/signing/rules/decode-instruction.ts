import {
  type Address,
  ASSOCIATED_TOKEN_PROGRAM,
  addressFromBytes,
  COMPUTE_BUDGET_PROGRAM,
  type Instruction,
  MEMO_PROGRAM,
  ROUTER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import {
  type DecodedRouteCall,
  decodeRouteCall,
} from '../../../modules/trading/rules/router-program/route-call.ts';
import { readSwapCall, type SwapCall } from './swap-forms.ts';

/**
 * The few instructions a wallet ever signs. Everything else of these programs, and every other length of data, is
 * `forbidden` (Assign, CreateAccount, nonces, SetAuthority, Approve, Burn, plain Transfer …); another program's is `foreign`,
 * except for the swaps of venues.
 */
export type WalletAction =
  | { readonly kind: 'compute-limit'; readonly units: number }
  | { readonly kind: 'compute-price'; readonly microLamports: bigint }
  | { readonly kind: 'memo'; readonly text: string | null; readonly signers: number }
  | {
      readonly kind: 'transfer-sol';
      readonly from: Address;
      readonly to: Address;
      readonly lamports: bigint;
    }
  | {
      readonly kind: 'create-seeded';
      readonly payer: Address;
      readonly account: Address;
      readonly base: Address;
      readonly lamports: bigint;
      readonly space: bigint;
      readonly owner: Address;
    }
  | {
      readonly kind: 'create-associated';
      readonly payer: Address;
      readonly account: Address;
      readonly owner: Address;
      readonly mint: Address;
      readonly tokenProgram: Address;
    }
  | {
      readonly kind: 'open-token-account';
      readonly account: Address;
      readonly mint: Address;
      readonly owner: Address;
    }
  | {
      readonly kind: 'transfer-token';
      readonly tokenProgram: Address;
      readonly source: Address;
      readonly mint: Address;
      readonly destination: Address;
      readonly authority: Address;
      readonly amount: bigint;
      readonly extraAccounts: number;
    }
  | {
      readonly kind: 'close-token-account';
      readonly account: Address;
      readonly destination: Address;
      readonly authority: Address;
    }
  | {
      /** The lamports of a token account above its rent go to `destination`. */
      readonly kind: 'withdraw-excess';
      readonly account: Address;
      readonly destination: Address;
      readonly authority: Address;
    }
  | {
      /** Withheld transfer fees of these accounts go to their mint: these are no holder's units. Every account may do it. */
      readonly kind: 'harvest-fees';
      readonly mint: Address;
      readonly accounts: readonly Address[];
    }
  | {
      /** A venue's swap, in a form that is known to the last byte. */
      readonly kind: 'swap-call';
      readonly programId: Address;
      readonly call: SwapCall;
      readonly writes: readonly Address[];
    }
  | {
      /** Of the public router program; null where it is not a plan of our own making, read to the last byte. */
      readonly kind: 'router-call';
      readonly programId: Address;
      readonly call: DecodedRouteCall | null;
      readonly writes: readonly Address[];
    }
  | { readonly kind: 'foreign'; readonly programId: Address; readonly writes: readonly Address[] }
  | { readonly kind: 'forbidden'; readonly programId: Address };

export function decodeInstruction(instruction: Instruction): WalletAction {
  switch (instruction.programId) {
    case COMPUTE_BUDGET_PROGRAM:
      return computeBudget(instruction);
    case SYSTEM_PROGRAM:
      return system(instruction);
    case ASSOCIATED_TOKEN_PROGRAM:
      return associated(instruction);
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM:
      return token(instruction);
    case MEMO_PROGRAM:
      return { kind: 'memo', text: utf8(instruction.data), signers: instruction.accounts.length };
    case ROUTER_PROGRAM:
      return {
        kind: 'router-call',
        programId: instruction.programId,
        call: decodeRouteCall(instruction),
        writes: writesOf(instruction),
      };
    default:
      return venueCall(instruction);
  }
}

function venueCall(instruction: Instruction): WalletAction {
  const { programId } = instruction;
  const writes = writesOf(instruction);
  const call = readSwapCall(instruction);
  return call === null
    ? { kind: 'foreign', programId, writes }
    : { kind: 'swap-call', programId, call, writes };
}

/** The accounts that a program could change: the message itself lists them, for every program. */
function writesOf({ accounts }: Instruction): readonly Address[] {
  return accounts.filter(({ writable }) => writable).map(({ address }) => address);
}

function forbidden({ programId }: Instruction): WalletAction {
  return { kind: 'forbidden', programId };
}

function computeBudget(instruction: Instruction): WalletAction {
  const { data } = instruction;
  if (data[0] === 2 && data.length === 5)
    return { kind: 'compute-limit', units: view(data).getUint32(1, true) };
  if (data[0] === 3 && data.length === 9) return { kind: 'compute-price', microLamports: u64(data, 1) };
  return forbidden(instruction);
}

/** Source of truth: solana-sdk `SystemInstruction` (2 Transfer, 3 CreateAccountWithSeed), bincode: little endian. */
function system(instruction: Instruction): WalletAction {
  const { data, accounts } = instruction;
  if (data.length < 4) return forbidden(instruction);
  const tag = view(data).getUint32(0, true);
  const [first, second] = accounts;
  if (first === undefined || second === undefined) return forbidden(instruction);
  if (tag === 2 && data.length === 12 && accounts.length === 2) {
    return { kind: 'transfer-sol', from: first.address, to: second.address, lamports: u64(data, 4) };
  }
  if (tag === 3 && data.length >= 44) {
    const seedLength = u64(data, 36);
    if (seedLength > 32n || data.length !== 44 + Number(seedLength) + 48) return forbidden(instruction);
    const rest = 44 + Number(seedLength);
    return {
      kind: 'create-seeded',
      payer: first.address,
      account: second.address,
      base: addressFromBytes(data.subarray(4, 36)),
      lamports: u64(data, rest),
      space: u64(data, rest + 8),
      owner: addressFromBytes(data.subarray(rest + 16, rest + 48)),
    };
  }
  return forbidden(instruction);
}

/** Only CreateIdempotent (1): the program itself checks that the account is the owner's associated one for the mint. */
function associated(instruction: Instruction): WalletAction {
  const [payer, account, owner, mint, systemProgram, tokenProgram] = instruction.accounts.map(
    (meta) => meta.address,
  );
  if (instruction.data.length !== 1 || instruction.data[0] !== 1 || instruction.accounts.length !== 6) {
    return forbidden(instruction);
  }
  if (payer === undefined || account === undefined || owner === undefined || mint === undefined) {
    return forbidden(instruction);
  }
  if (systemProgram !== SYSTEM_PROGRAM) return forbidden(instruction);
  // Under any other program's name the account would prove nothing, and that program would be called.
  if (tokenProgram !== TOKEN_PROGRAM && tokenProgram !== TOKEN_2022_PROGRAM) return forbidden(instruction);
  return { kind: 'create-associated', payer, account, owner, mint, tokenProgram };
}

/** Source of truth: spl-token-2022 `TransferFeeInstruction` (26) `HarvestWithheldTokensToMint` (4): the mint, then the accounts. */
function harvests({ programId, data, accounts }: Instruction): boolean {
  return (
    programId === TOKEN_2022_PROGRAM &&
    data.length === 2 &&
    data[0] === 26 &&
    data[1] === 4 &&
    accounts.every(({ signer }) => !signer)
  );
}

/** Source of truth: spl-token `TokenInstruction` (9 CloseAccount, 12 TransferChecked, 18 InitializeAccount3, 38 WithdrawExcessLamports). */
function token(instruction: Instruction): WalletAction {
  const { data, programId } = instruction;
  const [a, b, c, d] = instruction.accounts.map((meta) => meta.address);
  const count = instruction.accounts.length;
  if (a === undefined || b === undefined) return forbidden(instruction);
  if (harvests(instruction)) {
    const accounts = instruction.accounts.slice(1).map(({ address }) => address);
    return { kind: 'harvest-fees', mint: a, accounts };
  }
  if (data[0] === 18 && data.length === 33 && count === 2) {
    return { kind: 'open-token-account', account: a, mint: b, owner: addressFromBytes(data.subarray(1)) };
  }
  if (c === undefined) return forbidden(instruction);
  if (data[0] === 9 && data.length === 1 && count === 3) {
    return { kind: 'close-token-account', account: a, destination: b, authority: c };
  }
  if (data[0] === 38 && data.length === 1 && count === 3) {
    return { kind: 'withdraw-excess', account: a, destination: b, authority: c };
  }
  if (d !== undefined && data[0] === 12 && data.length === 10) {
    return {
      kind: 'transfer-token',
      tokenProgram: programId,
      source: a,
      mint: b,
      destination: c,
      authority: d,
      amount: u64(data, 1),
      extraAccounts: count - 4,
    };
  }
  return forbidden(instruction);
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function u64(data: Uint8Array, offset: number): bigint {
  return view(data).getBigUint64(offset, true);
}

/** ASCII text, or null: an intent id holds nothing else. */
function utf8(data: Uint8Array): string | null {
  return data.every((byte) => byte >= 0x20 && byte < 0x7f) ? String.fromCharCode(...data) : null;
}
