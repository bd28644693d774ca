import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, PublicKey } from '@solana/web3.js';
import { encodeAccountFile } from './account-file.ts';
import { type Address, addressFromBytes } from './address.ts';
import { ArgumentError } from './arguments.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const PLAIN_LOADERS = new Set([
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
]);
const PROGRAM_STATE = 2;
const PROGRAM_DATA_STATE = 3;
/** Where the ELF begins in a program-data account: tag, slot and optional authority come first. */
const ELF_AT = 45;
const ACCOUNTS_PER_CALL = 100;

export type CloneRequest = {
  readonly url: string;
  readonly programs: readonly Address[];
  readonly accounts: readonly Address[];
  readonly dir: string;
  readonly say: (line: string) => void;
};

/** Fills a programs directory from any cluster. Throws ArgumentError naming the accounts that the cluster does not have. */
export async function cloneAccounts({ url, programs, accounts, dir, say }: CloneRequest): Promise<void> {
  const connection = new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  mkdirSync(join(dir, 'accounts'), { recursive: true });
  for (const program of programs) {
    const elf = await readProgram(connection, program);
    writeFileSync(join(dir, `${program}.so`), elf);
    say(`program ${program}: ${elf.length} bytes`);
  }
  for (let i = 0; i < accounts.length; i += ACCOUNTS_PER_CALL) {
    const page = accounts.slice(i, i + ACCOUNTS_PER_CALL);
    const found = await connection.getMultipleAccountsInfo(page.map((one) => new PublicKey(one)));
    for (const [at, address] of page.entries()) {
      const account = found[at];
      if (account === null || account === undefined)
        throw new ArgumentError(`No account ${address} at ${url}.`);
      const state = {
        lamports: BigInt(account.lamports),
        data: account.data,
        owner: addressFromBytes(account.owner.toBytes()),
        executable: account.executable,
      };
      writeFileSync(join(dir, 'accounts', `${address}.json`), encodeAccountFile(address, state));
      say(`account ${address}: ${state.data.length} bytes of ${state.owner}`);
    }
  }
}

async function readProgram(connection: Connection, program: Address): Promise<Uint8Array> {
  const account = await connection.getAccountInfo(new PublicKey(program));
  if (account === null) throw new ArgumentError(`No program ${program} at ${connection.rpcEndpoint}.`);
  const owner = account.owner.toBase58();
  if (PLAIN_LOADERS.has(owner)) return account.data;
  if (owner !== UPGRADEABLE_LOADER) throw new ArgumentError(`${program} is not a program: ${owner} owns it.`);
  if (account.data.length < 36 || account.data.readUInt32LE(0) !== PROGRAM_STATE) {
    throw new ArgumentError(`${program} is a loader account but not a program.`);
  }
  const dataAddress = new PublicKey(account.data.subarray(4, 36));
  const programData = await connection.getAccountInfo(dataAddress);
  if (programData === null || programData.data.readUInt32LE(0) !== PROGRAM_DATA_STATE) {
    throw new ArgumentError(
      `The code of ${program} at ${dataAddress.toBase58()} is gone: the program was closed.`,
    );
  }
  return programData.data.subarray(ELF_AT);
}
