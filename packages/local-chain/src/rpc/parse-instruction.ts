import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { viewOf } from '../token-account.ts';
import { uiAmount } from './ui-amount.ts';

export type KeyedInstruction = {
  readonly programId: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
};

export type ParsedInstruction = { readonly program: string; readonly parsed: unknown };

const SYSTEM_TRANSFER = 2;
const TOKEN_TRANSFER = 3;
const TOKEN_TRANSFER_CHECKED = 12;

/** The `jsonParsed` form of plain transfers and memos; null leaves the instruction partially decoded, which clients accept. */
export function parseInstruction(instruction: KeyedInstruction): ParsedInstruction | null {
  const { programId, data } = instruction;
  if (programId === MEMO_PROGRAM) return { program: 'spl-memo', parsed: Buffer.from(data).toString('utf8') };
  if (programId === SYSTEM_PROGRAM) return parseSystem(instruction);
  if (programId === TOKEN_PROGRAM) return parseToken(instruction, 'spl-token');
  if (programId === TOKEN_2022_PROGRAM) return parseToken(instruction, 'spl-token-2022');
  return null;
}

function parseSystem({ accounts, data }: KeyedInstruction): ParsedInstruction | null {
  const view = viewOf(data);
  if (data.length !== 12 || view.getUint32(0, true) !== SYSTEM_TRANSFER) return null;
  const [source, destination] = accounts;
  const info = { source, destination, lamports: view.getBigUint64(4, true) };
  return { program: 'system', parsed: { type: 'transfer', info } };
}

function parseToken({ accounts, data }: KeyedInstruction, program: string): ParsedInstruction | null {
  const view = viewOf(data);
  if (data[0] === TOKEN_TRANSFER && data.length === 9 && accounts.length === 3) {
    const [source, destination, authority] = accounts;
    const info = { source, destination, authority, amount: view.getBigUint64(1, true).toString() };
    return { program, parsed: { type: 'transfer', info } };
  }
  if (data[0] === TOKEN_TRANSFER_CHECKED && data.length === 10 && accounts.length === 4) {
    const [source, mint, destination, authority] = accounts;
    const tokenAmount = uiAmount(view.getBigUint64(1, true), data[9] ?? 0);
    return {
      program,
      parsed: { type: 'transferChecked', info: { source, mint, destination, authority, tokenAmount } },
    };
  }
  return null;
}
