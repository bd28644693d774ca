import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignerPlace } from '../../src/platform/signer/dial.ts';
import type { ProcessOptions } from './compose.ts';
import { supervise } from './supervise.ts';

/** No person's cap stops this run: it tests which messages are signed, and once. */
const NO_CAP = '1000000000000000';
const REST_MS = 100;

export type SignerCaller = 'bot' | 'worker';
/** Of the signer or the signers: counts for the report, and how other processes ask. */
export type TortureSigner = {
  readonly placesFor: (caller: SignerCaller) => readonly SignerPlace[];
  readonly counts: () => Readonly<Record<string, number>>;
  readonly problems: () => readonly string[];
  readonly stop: () => Promise<void>;
};

type SignerOptions = Pick<ProcessOptions, 'databaseUrl' | 'rpcUrls' | 'kek'>;

/** A folder for signers of this run, with their master key, and the environment that all of them have. */
export async function makeSignerFolder({ databaseUrl, rpcUrls, kek }: SignerOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'tp-signer-'));
  await chmod(folder, 0o700);
  const kekFile = join(folder, 'kek');
  await writeFile(kekFile, kek, { mode: 0o400 });
  const env: Readonly<Record<string, string>> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LOCAL_DIR: folder,
    LOG_LEVEL: 'error',
    ROLES: 'signer',
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: rpcUrls.join(','),
    KEK_FILE: kekFile,
    ADDRESS_DELAY_SECONDS: '0',
    LONG_DELAY_SECONDS: '0',
    DAILY_CAP_LAMPORTS: NO_CAP,
    ALL_SPENDING_CAP_LAMPORTS: NO_CAP,
  };
  return { folder, env, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * The product's own signer in a process of its own: its key, its journal and its sockets lie in a folder of this run. `kill` ends it hard, and
 * the next one starts on the same journal.
 */
export async function startSigner(file: string, options: SignerOptions) {
  const { folder, env, remove } = await makeSignerFolder(options);
  const sockets = join(folder, 's');
  const one = supervise({
    name: 'signer',
    file,
    env: { ...env, JOURNAL_DIR: join(folder, 'journal'), SIGNER_SOCKETS: sockets },
    restMs: REST_MS,
  });
  const stop = async (): Promise<void> => {
    await one.stop();
    await remove();
  };
  await one.ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    placesFor: (caller: SignerCaller): readonly SignerPlace[] => [
      { path: join(sockets, caller, 'signer.sock') },
    ],
    counts: () => one.counts,
    problems: () => one.problems,
    kill: () => one.kill(),
    stop,
  };
}
