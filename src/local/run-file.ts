import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Facts of `npm start` for other programs on this machine: `.local/run.json`. */
const url = z.string().nullable().default(null);
const RUN_FILE = z.object({
  pid: z.int(),
  chatUrl: url,
  rpcUrl: url,
  wsUrl: url,
  botApiUrl: url,
  openApiUrl: url,
  proApiUrl: url,
  chartUrl: url,
  databaseUrl: url,
  /** The inbox of the local mail server, and where it takes mail. */
  mailUrl: url,
  smtpUrl: url,
});
export type RunFile = z.infer<typeof RUN_FILE>;

const NAME = 'run.json';

/** Written last, when everything answers; replaced in one step, so that a reader never sees half of it. Mode 0600. */
export function writeRunFile(dir: string, run: RunFile): void {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, NAME);
  writeFileSync(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeRunFile(dir: string): void {
  rmSync(join(dir, NAME), { force: true });
}

/** The file of the program that runs on `dir` now, or null: a file left by a killed program does not count. */
export function readRunFile(dir: string): RunFile | null {
  let run: RunFile;
  try {
    run = RUN_FILE.parse(JSON.parse(readFileSync(join(dir, NAME), 'utf8')));
  } catch {
    return null;
  }
  return isAlive(run.pid) ? run : null;
}

/** True while a process with this number runs, of any owner. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
