import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeAccountFile } from './account-file.ts';
import { isAddress } from './address.ts';
import type { LocalChain } from './chain.ts';
import { WSOL_MINT } from './programs.ts';
import { StateError } from './state/state-error.ts';

export type ProgramsReport = { readonly programs: readonly string[]; readonly accounts: readonly string[] };

const TOKEN_2022_NATIVE_MINT = '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP';
const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111';
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/**
 * Loads `<programId>.so` and `*.json`, `accounts/*.json` (Solana CLI format) into the machine. Accounts that the chain already has are left
 * alone, so that a restart does not undo trades on a cloned pool. Throws naming the bad file.
 */
export function loadProgramsDir(
  dir: string | undefined,
  { svm, plant }: Pick<LocalChain, 'svm' | 'plant'>,
): ProgramsReport {
  if (dir === undefined) return { programs: [], accounts: [] };
  if (!existsSync(dir)) throw new StateError(`The programs directory ${dir} does not exist.`);
  const programs: string[] = [];
  const accounts: string[] = [];
  for (const path of filesOf(dir, '.so')) {
    const id = basename(path, '.so');
    if (!isAddress(id)) throw badFile(path, 'expected the name <program id>.so');
    const elf = readFileSync(path);
    if (!elf.subarray(0, 4).equals(ELF_MAGIC)) throw badFile(path, 'expected a compiled program (ELF)');
    if (svm.account(id)?.executable !== true) {
      try {
        svm.addProgram(id, elf);
      } catch (error) {
        throw badFile(path, error instanceof Error ? error.message : String(error));
      }
    }
    programs.push(id);
  }
  for (const path of [...filesOf(dir, '.json'), ...filesOf(join(dir, 'accounts'), '.json')]) {
    const [address, state] = readAccount(path);
    const isOurs = address === WSOL_MINT || address === TOKEN_2022_NATIVE_MINT;
    if (isOurs || state.owner === NATIVE_LOADER || state.owner === SYSVAR_OWNER || state.executable) continue;
    if (svm.account(address) === null) plant(address, state);
    accounts.push(address);
  }
  return { programs, accounts };
}

function readAccount(path: string): ReturnType<typeof decodeAccountFile> {
  try {
    return decodeAccountFile(readFileSync(path, 'utf8'));
  } catch (error) {
    throw badFile(path, error instanceof Error ? error.message : String(error));
  }
}

function filesOf(dir: string, suffix: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith(suffix))
    .sort()
    .map((name) => join(dir, name));
}

function badFile(path: string, reason: string): StateError {
  return new StateError(`Bad file in the programs directory: ${path}: ${reason}.`);
}
