import { type Address, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import type { TapeInstruction } from '../transaction.ts';

/**
 * The effect of an instruction on one account's balance. `most`: at most so much arrives, for a mint may withhold a part without the
 * instruction saying so. `some`: the instruction does not say how much.
 */
export type Move = {
  readonly account: Address;
  readonly amount: bigint;
  readonly certainty: 'exact' | 'most' | 'some';
};

const TRANSFER = 3;
const MINT_TO = 7;
const BURN = 8;
const CLOSE_ACCOUNT = 9;
const TRANSFER_CHECKED = 12;
const MINT_TO_CHECKED = 14;
const BURN_CHECKED = 15;
const SYNC_NATIVE = 17;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;
const UNWRAP_LAMPORTS = 45;
/** Several instructions in one, which leaves no inner instructions. Source of truth: the p-token program. */
const BATCH = 255;

/** Changes of token balances that an instruction of a token program states, in order. None for any other instruction. */
export function tokenMoves(instruction: TapeInstruction): readonly Move[] {
  const { program, accounts, data } = instruction;
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return [];
  return data[0] === BATCH ? batchMoves(accounts, data) : movesOf(accounts, data);
}

/** `[accounts u8][bytes u8][data]` for each, over the accounts in turn. Bytes that do not add up end it: the sums will show it. */
function batchMoves(accounts: readonly Address[], data: Uint8Array): readonly Move[] {
  const moves: Move[] = [];
  let at = 1;
  let used = 0;
  while (at + 2 <= data.length) {
    const count = data[at] ?? 0;
    const length = data[at + 1] ?? 0;
    const body = data.subarray(at + 2, at + 2 + length);
    if (body.length < length || used + count > accounts.length) break;
    moves.push(...movesOf(accounts.slice(used, used + count), body));
    used += count;
    at += 2 + length;
  }
  return moves;
}

function movesOf(accounts: readonly Address[], data: Uint8Array): readonly Move[] {
  const [first, second, third] = accounts;
  switch (data[0] ?? -1) {
    case TRANSFER:
      return transfer(first, second, u64(data, 1), 'exact');
    case TRANSFER_CHECKED:
      return transfer(first, third, u64(data, 1), 'most');
    case TRANSFER_FEE_EXTENSION: {
      if (data[1] !== TRANSFER_CHECKED_WITH_FEE) return [];
      const [amount, fee] = [u64(data, 2), u64(data, 11)];
      return [
        ...move(first, negated(amount)),
        ...move(third, amount === null || fee === null ? null : amount - fee),
      ];
    }
    case MINT_TO:
    case MINT_TO_CHECKED:
      return move(second, u64(data, 1));
    case BURN:
    case BURN_CHECKED:
      return move(first, negated(u64(data, 1)));
    case CLOSE_ACCOUNT:
    case SYNC_NATIVE:
      return first === undefined ? [] : [{ account: first, amount: 0n, certainty: 'some' }];
    case UNWRAP_LAMPORTS:
      if (data[1] === 1) return move(first, negated(u64(data, 2)));
      return first === undefined ? [] : [{ account: first, amount: 0n, certainty: 'some' }];
    default:
      return [];
  }
}

function transfer(
  from: Address | undefined,
  to: Address | undefined,
  amount: bigint | null,
  certainty: 'exact' | 'most',
): readonly Move[] {
  return [...move(from, negated(amount)), ...move(to, amount, certainty)];
}

function move(
  account: Address | undefined,
  amount: bigint | null,
  certainty: 'exact' | 'most' = 'exact',
): readonly Move[] {
  return account === undefined || amount === null ? [] : [{ account, amount, certainty }];
}

const CREATE_ACCOUNT = 0;
const SYSTEM_TRANSFER = 2;
const CREATE_ACCOUNT_WITH_SEED = 3;
const TRANSFER_WITH_SEED = 11;

/** Lamports that an instruction of the System program moves. A program that writes to its own accounts states nothing. */
export function lamportMoves({ program, accounts, data }: TapeInstruction): readonly Move[] {
  if (program !== SYSTEM_PROGRAM || data.length < 4) return [];
  const kind = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0, true);
  const [first, second, third] = accounts;
  if (kind === CREATE_ACCOUNT || kind === SYSTEM_TRANSFER)
    return transfer(first, second, u64(data, 4), 'exact');
  if (kind === TRANSFER_WITH_SEED) return transfer(first, third, u64(data, 4), 'exact');
  if (kind !== CREATE_ACCOUNT_WITH_SEED) return [];
  const seedBytes = u64(data, 36);
  if (seedBytes === null || seedBytes > 32n) return [];
  return transfer(first, second, u64(data, 44 + Number(seedBytes)), 'exact');
}

function u64(data: Uint8Array, at: number): bigint | null {
  if (data.length < at + 8) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true);
}

function negated(amount: bigint | null): bigint | null {
  return amount === null ? null : -amount;
}
