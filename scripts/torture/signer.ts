import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import type { ProcessOptions } from './compose.ts';

/** No person's cap stops this run: it tests which messages are signed, and once. */
const NO_CAP = '1000000000000000';
const START_MS = 60_000;

/**
 * The product's own signer in a process of its own: its key, its journal and its sockets lie in a folder of this run. `kill` ends it hard, and
 * the next one starts on the same journal.
 */
export async function startSigner(
  file: string,
  options: Pick<ProcessOptions, 'databaseUrl' | 'rpcUrls' | 'kek'>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'tp-signer-'));
  await chmod(folder, 0o700);
  const kekFile = join(folder, 'kek');
  await writeFile(kekFile, options.kek, { mode: 0o400 });
  const sockets = join(folder, 's');
  const counts = { started: 0, kills: 0 };
  const problems: string[] = [];
  let closing = false;
  let child = await start();

  async function start(): Promise<Child> {
    const one = startChild([file], {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LOCAL_DIR: folder,
      LOG_LEVEL: 'error',
      ROLES: 'signer',
      DATABASE_URL: options.databaseUrl,
      SOLANA_RPC_URL: options.rpcUrls.join(','),
      KEK_FILE: kekFile,
      JOURNAL_DIR: join(folder, 'journal'),
      SIGNER_SOCKETS: sockets,
      ADDRESS_DELAY_SECONDS: '0',
      LONG_DELAY_SECONDS: '0',
      DAILY_CAP_LAMPORTS: NO_CAP,
      ALL_SPENDING_CAP_LAMPORTS: NO_CAP,
    });
    counts.started += 1;
    let said = '';
    const hear = (text: string): void => {
      said = (said + text).slice(-4_000);
    };
    one.stdout.setEncoding('utf8').on('data', hear);
    one.stderr.setEncoding('utf8').on('data', hear);
    one.once('exit', (code) => {
      if (closing || one !== child) return;
      if (code !== null) problems.push(`the signer ended with ${code}: ${said.slice(-500)}`);
      void again();
    });
    for (const endsAt = Date.now() + START_MS; !/ready/i.test(said); await pause(50)) {
      if (one.exitCode === null && one.signalCode === null && Date.now() < endsAt) continue;
      throw new Error(`the signer did not start: ${said}`);
    }
    return one;
  }

  /** A supervisor: one that cannot start because Postgres is away tries again. */
  async function again(): Promise<void> {
    while (!closing)
      try {
        child = await start();
        return;
      } catch {
        await pause(500);
      }
  }

  return {
    sockets,
    counts: counts as Readonly<typeof counts>,
    problems: problems as readonly string[],
    kill(): void {
      counts.kills += 1;
      child.kill('SIGKILL');
    },
    async stop(): Promise<void> {
      closing = true;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TortureSigner = Awaited<ReturnType<typeof startSigner>>;
