import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import { address } from '../../core/address/address.ts';
import type { ProgramBuilds } from '../ports/program-builds.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import { keyBytes, publicKey } from './instruction-codec.ts';

const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111');
/** Source of truth: `UpgradeableLoaderState::ProgramData`: u32 3, u64 slot, an optional authority in 33 bytes, then the code. */
const PROGRAM_DATA = 3;
const SLOT = 4;
const CODE = 45;

type Header = Pick<AccountInfo<Buffer>, 'owner' | 'data'>;

/** Asks the nodes for the accounts in which the upgradeable loader keeps its programs. */
export function createProgramBuilds(options: {
  readonly urls: readonly string[];
  readonly timeoutMs?: number;
}): ProgramBuilds {
  const pool = createEndpointPool(
    options.urls.map((url) => createEndpoint(url, options.timeoutMs ?? 30_000)),
    { now: () => performance.now(), sleep: (ms) => pause(ms) },
  );
  return {
    deployedAt: async (programs) => {
      if (programs.length === 0) return [];
      const found = await pool.read(({ connection }) =>
        connection.getMultipleAccountsInfo(programs.map(dataOf), {
          commitment: 'confirmed',
          dataSlice: { offset: 0, length: CODE },
        }),
      );
      return programs.map((_, index) => slotOf(found[index] ?? null));
    },
    read: async (program) => {
      const found = await pool.read(({ connection }) =>
        connection.getAccountInfo(dataOf(program), 'confirmed'),
      );
      const slot = slotOf(found);
      return found === null || slot === null ? null : { slot, sha256: hashOf(found.data) };
    },
  };
}

const dataOf = (program: Address): PublicKey =>
  PublicKey.findProgramAddressSync([keyBytes(program)], publicKey(UPGRADEABLE_LOADER))[0];

function slotOf(account: Header | null): bigint | null {
  if (account === null || account.owner.toBase58() !== UPGRADEABLE_LOADER) return null;
  const { data } = account;
  return data.length >= CODE && data.readUInt32LE(0) === PROGRAM_DATA ? data.readBigUInt64LE(SLOT) : null;
}

/** Room behind the code is filled with zeros, and may grow without a change of the code. */
function hashOf(data: Uint8Array): string {
  let end = data.length;
  while (end > CODE && data[end - 1] === 0) end -= 1;
  return createHash('sha256').update(data.subarray(CODE, end)).digest('hex');
}
